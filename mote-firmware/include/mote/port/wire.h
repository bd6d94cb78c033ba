/* The way to the mirror: one peer, whole datagrams. What it receives the port hands upwards. */
#ifndef MOTE_PORT_WIRE_H
#define MOTE_PORT_WIRE_H

#include <stddef.h>
#include <stdint.h>

struct wire {
    /*
     * Hands one datagram to the link and returns at once; 0 or MOTE_E_IO. A datagram may be lost
     * either way, so the caller treats an error as a loss.
     */
    int (*send)(void *context, const uint8_t *datagram, size_t len);
    void *context;
};

#endif
