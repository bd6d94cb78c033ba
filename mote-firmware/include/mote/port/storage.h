/*
 * Two slots that survive power loss: on flash an erase unit each, whose cells wear out with every
 * erasure, so it is told apart from writing behind what a slot holds already. A write that power
 * loss cuts may leave any octets where it was to write (with `at` 0: in the whole slot), and
 * changes none elsewhere.
 */
#ifndef MOTE_PORT_STORAGE_H
#define MOTE_PORT_STORAGE_H

#include <stddef.h>
#include <stdint.h>

enum {
    STORAGE_SLOTS = 2,
    STORAGE_SLOT_SIZE = 512, /* at least; and of one write at most */
    STORAGE_ALIGN = 8
};

struct storage {
    /* Fills `out` with `len` octets from `at` on; what was not written since the last erasure reads
     * as 0xFF. */
    int (*read)(void *context, unsigned slot, size_t at, uint8_t *out, size_t len);
    /*
     * Returns 0 only after the octets are where power loss does not reach them, else MOTE_E_IO.
     * With `at` 0 the slot is erased before. Else they go behind what it holds, `at` and `len`
     * being multiples of STORAGE_ALIGN; what was written at 0 leaves an octet free at least, where
     * a file may mark its end.
     */
    int (*write)(void *context, unsigned slot, size_t at, const uint8_t *data, size_t len);
    /* Octets of a slot. 0: nothing is written behind, since nothing is gained by it, as on a disk,
     * which writes a whole sector anyway. */
    size_t size;
    void *context;
};

#endif
