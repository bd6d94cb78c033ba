/* A source of entropy for keys, message ids, tokens and the jitter of timers. */
#ifndef MOTE_PORT_RANDOM_H
#define MOTE_PORT_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
    /* Fills `out` with `len` random octets. Returns 0, or MOTE_E_IO without entropy; then `out`
     * must not be used for a key. */
    int (*fill)(void *context, uint8_t *out, size_t len);
    void *context;
};

#endif
