/*
 * Two slots that survive power loss. A slot is written as a whole; a write that power loss cuts
 * may leave any octets in its own slot and none in the other (on flash: one erase unit each).
 */
#ifndef MOTE_PORT_STORAGE_H
#define MOTE_PORT_STORAGE_H

#include <stddef.h>
#include <stdint.h>

enum { STORAGE_SLOTS = 2, STORAGE_SLOT_SIZE = 512 };

struct storage {
    /* Fills `out` with the slot's first `len` octets; what was never written reads as 0xFF. */
    int (*read)(void *context, unsigned slot, uint8_t *out, size_t len);
    /* Returns 0 only after the octets are where power loss does not reach them, else MOTE_E_IO. */
    int (*write)(void *context, unsigned slot, const uint8_t *data, size_t len);
    void *context;
};

#endif
