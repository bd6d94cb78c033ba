/* The layout of a segment: header, summary of a full segment, entries. */
#ifndef MOTE_CORE_ARCHIVE_SEGMENT_H
#define MOTE_CORE_ARCHIVE_SEGMENT_H

#include "mote/archive.h"

enum {
    SEGMENT_HEADER_SIZE = 24, /* magic, first number, SPI, key check, form, 3 zeros, CRC */
    SEGMENT_SUMMARY_AT = SEGMENT_HEADER_SIZE,
    SEGMENT_SUMMARY_SIZE = 12, /* least time, greatest time, CRC */
    SEGMENT_ENTRIES_AT = 40,
    SEGMENT_TIMES_SIZE = 8,
    SEGMENT_ENTRY_MAX = ARCHIVE_TEXT_MAX + IPSEC_ICV_MAX + SEGMENT_TIMES_SIZE + 1,
    SEGMENT_BLANK = 0xff /* the commit octet of an entry that is not committed */
};

/* A valid segment. */
struct segment {
    uint32_t place;
    uint32_t first;
};

/* Octets of an entry with its commit octet. */
size_t segment_entry_size(const struct archive *archive);

/* Reads the header at `place`. MOTE_E_STATE if it is blank or damaged, MOTE_E_AUTH for another key,
 * MOTE_E_UNSUPPORTED for another form, MOTE_E_IO. */
int segment_read(const struct archive *archive, uint32_t place, struct segment *segment);
int segment_write_header(const struct archive *archive, const struct segment *segment);

/* The times of a full segment; false if they are not known. */
bool segment_summary(const struct archive *archive, uint32_t place, uint32_t *least,
                     uint32_t *greatest);
int segment_write_summary(const struct archive *archive, uint32_t place, uint32_t least,
                          uint32_t greatest);

/* Reads the entry at a position. MOTE_E_STATE if it is not committed, MOTE_E_MALFORMED if it is
 * damaged, MOTE_E_IO. */
int segment_read_entry(const struct archive *archive, const struct segment *segment,
                       uint32_t position, struct archive_block *block);
/* Writes an entry, then commits it. */
int segment_write_entry(const struct archive *archive, const struct segment *segment,
                        uint32_t position, const struct archive_block *block);

/* The number of entries up to the last one with a written octet; negative: MOTE_E_IO. */
int64_t segment_used(const struct archive *archive, uint32_t place);

#endif
