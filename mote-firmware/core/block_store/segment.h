/* The layout of a segment: header, summary of a full segment, mark of a complete copy, entries. */
#ifndef MOTE_CORE_BLOCK_STORE_SEGMENT_H
#define MOTE_CORE_BLOCK_STORE_SEGMENT_H

#include "mote/block_store.h"

enum {
    SEGMENT_HEADER_SIZE = 24, /* magic, first number, SPI, key check, form, 3 zeros, CRC */
    SEGMENT_SUMMARY_AT = SEGMENT_HEADER_SIZE,
    SEGMENT_SUMMARY_SIZE = 12, /* least time, greatest time, CRC */
    SEGMENT_MARK_AT = SEGMENT_SUMMARY_AT + SEGMENT_SUMMARY_SIZE,
    SEGMENT_ENTRIES_AT = 40,
    SEGMENT_TIMES_SIZE = 8,
    SEGMENT_ENTRY_MAX = BLOCK_STORE_TEXT_MAX + IPSEC_ICV_MAX + SEGMENT_TIMES_SIZE + 1,
    SEGMENT_BLANK = 0xff /* the commit octet of an entry that is not committed */
};

/* A valid segment. During a copy two segments have the same `first`: the original is under the
 * previous association. */
struct segment {
    uint32_t place;
    uint32_t first;
    bool previous; /* under the previous association */
    bool marked;   /* a copy that has every block of its original */
    bool torn;     /* the mark was interrupted */
};

/* The size of an entry, including its commit octet. */
size_t segment_entry_size(const struct block_store *store);

/* Reads the header at `place`. MOTE_E_STATE if it is blank or damaged, MOTE_E_AUTH for another key,
 * MOTE_E_UNSUPPORTED for another form, MOTE_E_IO. */
int segment_read(const struct block_store *store, uint32_t place, struct segment *segment);
int segment_write_header(const struct block_store *store, const struct segment *segment);
int segment_write_mark(const struct block_store *store, uint32_t place);

/* True if blocks are read from `one` and not from `other`, which has the same numbers. */
bool segment_preferred(const struct segment *one, const struct segment *other);

/* Finds the place for another segment: the next free place after the newest segment, else that of
 * the oldest segment. `free` is the number of free places. MOTE_E_IO. */
int segment_next_place(const struct block_store *store, uint32_t *place, uint32_t *free);

/* Reads the times of a full segment; false if they are not known. */
bool segment_summary(const struct block_store *store, uint32_t place, uint32_t *least,
                     uint32_t *greatest);
int segment_write_summary(const struct block_store *store, uint32_t place, uint32_t least,
                          uint32_t greatest);

/* Reads the entry at a position. MOTE_E_STATE if it is not committed, MOTE_E_MALFORMED if it is
 * damaged, MOTE_E_IO. */
int segment_read_entry(const struct block_store *store, const struct segment *segment,
                       uint32_t position, struct stored_block *block);
/* Encodes a block, commit octet included. Returns the length. */
size_t segment_encode_entry(const struct block_store *store, const struct stored_block *block,
                            uint8_t entry[SEGMENT_ENTRY_MAX]);
/* Read and write the octets of an entry unchanged. The commit octet is written last. */
int segment_load_entry(const struct block_store *store, const struct segment *segment,
                       uint32_t position, uint8_t entry[SEGMENT_ENTRY_MAX]);
int segment_save_entry(const struct block_store *store, const struct segment *segment,
                       uint32_t position, const uint8_t entry[SEGMENT_ENTRY_MAX]);
/* Writes an entry, then commits it. */
int segment_write_entry(const struct block_store *store, const struct segment *segment,
                        uint32_t position, const struct stored_block *block);

/* The number of entries up to the last one with a written octet; negative: MOTE_E_IO. */
int64_t segment_used(const struct block_store *store, uint32_t place);

#endif
