/* The link to the mirror: datagrams to one peer. The port passes received datagrams to the
 * application. */
#ifndef MOTE_PORT_WIRE_H
#define MOTE_PORT_WIRE_H

#include <stddef.h>
#include <stdint.h>

struct wire {
    /* Sends one datagram without blocking. Returns 0 or MOTE_E_IO; the caller treats an error as a
     * loss. */
    int (*send)(void *context, const uint8_t *datagram, size_t len);
    void *context;
};

#endif
