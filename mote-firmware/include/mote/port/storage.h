/*
 * Two slots of persistent storage; on flash, one erase unit each. A write at offset 0 erases the
 * slot first. Any other write appends without an erasure, because erasures wear out flash. A loss
 * of power during a write may leave any octets in its range (at offset 0: in the whole slot), but
 * changes no others.
 */
#ifndef MOTE_PORT_STORAGE_H
#define MOTE_PORT_STORAGE_H

#include <stddef.h>
#include <stdint.h>

enum {
    STORAGE_SLOTS = 2,
    STORAGE_SLOT_SIZE = 512, /* the least size of a slot, and the most octets in one write */
    STORAGE_ALIGN = 8
};

struct storage {
    /* Reads `len` octets from offset `at`; octets not written since the last erasure are 0xFF. 0 or
     * MOTE_E_IO. */
    int (*read)(void *context, unsigned slot, size_t at, uint8_t *out, size_t len);
    /*
     * Returns 0 only after the octets are durable, else MOTE_E_IO. With `at` 0 the slot is erased
     * first. Otherwise `at` is after the octets written so far, and `at` and `len` are multiples of
     * STORAGE_ALIGN. At least one octet after a write at 0 stays unused; a file may mark its end
     * there.
     */
    int (*write)(void *context, unsigned slot, size_t at, const uint8_t *data, size_t len);
    /* Octets of a slot. 0: nothing is appended (a disk writes whole sectors anyway). */
    size_t size;
    void *context;
};

#endif
