/*
 * The storage of a block store: flash or a file in segments, which are erase units. Erased octets
 * are 0xFF. Between erasures the block store writes each octet at most once. A loss of power during
 * a write or an erasure may leave any octets in its range, but changes no others.
 */
#ifndef MOTE_PORT_BLOCK_STORAGE_H
#define MOTE_PORT_BLOCK_STORAGE_H

#include <stddef.h>
#include <stdint.h>

struct block_storage {
    /* Reads `len` octets from offset `at` of a segment. 0 or MOTE_E_IO. */
    int (*read)(void *context, uint32_t segment, uint32_t at, uint8_t *out, size_t len);
    /* Returns 0 only after the octets are durable, else MOTE_E_IO. */
    int (*write)(void *context, uint32_t segment, uint32_t at, const uint8_t *data, size_t len);
    /* Returns 0 only after the erasure is durable, else MOTE_E_IO. */
    int (*erase)(void *context, uint32_t segment);
    uint32_t segment_size;
    uint32_t segment_count;
    void *context;
};

#endif
