/*
 * Block storage in RAM that loses power where the test decides: within a write or an erasure. It
 * completes some octets of the operation, and `rest` determines the others.
 */
#ifndef MOTE_TESTS_SUPPORT_RAM_BLOCKS_H
#define MOTE_TESTS_SUPPORT_RAM_BLOCKS_H

#include <stdbool.h>

#include "fake.h"
#include "mote/port/block_storage.h"

enum { RAM_SEGMENT_MAX = 1024, RAM_SEGMENTS_MAX = 8 };

struct ram_blocks {
    uint8_t octets[RAM_SEGMENTS_MAX][RAM_SEGMENT_MAX];
    unsigned writes; /* writes and erasures */
    unsigned erases[RAM_SEGMENTS_MAX];
    unsigned reads;
    unsigned cut_at; /* the write, counted from 1, within which power fails; 0: never */
    size_t torn;     /* the number of its octets that are written */
    enum fake_rest rest;
    bool backwards; /* an interrupted erasure has erased the last `torn` octets instead of the first
                     */
    bool dark;
    bool overwritten; /* an octet was written twice without an erasure */
    struct block_storage port;
};

/* Starts with erased segments. */
void ram_blocks_init(struct ram_blocks *ram, uint32_t segment_size, uint32_t segment_count);
void ram_blocks_power_on(struct ram_blocks *ram);

#endif
