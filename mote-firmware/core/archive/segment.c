#include "segment.h"

#include <string.h>

#include "mote/base.h"

enum { MAGIC = 0x56474131 /* "VGA1" */, FORM_WITH_ICV = 0x10 };

static int load(const struct archive *archive, uint32_t place, uint32_t at, uint8_t *out,
                size_t len)
{
    const struct block_storage *storage = archive->config.storage;

    return storage->read(storage->context, place, at, out, len);
}

static int save(const struct archive *archive, uint32_t place, uint32_t at, const uint8_t *data,
                size_t len)
{
    const struct block_storage *storage = archive->config.storage;

    return storage->write(storage->context, place, at, data, len);
}

static size_t text_size(const struct archive *archive)
{
    return archive->config.payload_size + (size_t)ARCHIVE_OVERHEAD;
}

static size_t icv_size(const struct archive *archive)
{
    return archive->config.with_icv ? ipsec_icv_size(archive->config.sa) : 0;
}

size_t segment_entry_size(const struct archive *archive)
{
    return text_size(archive) + icv_size(archive) + SEGMENT_TIMES_SIZE + 1;
}

static uint32_t entry_at(const struct archive *archive, uint32_t position)
{
    return SEGMENT_ENTRIES_AT + position * (uint32_t)segment_entry_size(archive);
}

/* ---- header and summary ---- */

static uint8_t form_of(const struct archive *archive)
{
    return (uint8_t)(text_size(archive) / 16 - 1 +
                     (archive->config.with_icv ? (unsigned)FORM_WITH_ICV : 0U));
}

static void header_write(const struct archive *archive, uint32_t first,
                         uint8_t out[SEGMENT_HEADER_SIZE])
{
    struct writer w;

    writer_init(&w, out, SEGMENT_HEADER_SIZE);
    writer_u32(&w, MAGIC);
    writer_u32(&w, first);
    writer_u32(&w, archive->config.sa->spi);
    writer_bytes(&w, archive->key_check, sizeof archive->key_check);
    writer_u8(&w, form_of(archive));
    writer_u8(&w, 0);
    writer_u16(&w, 0);
    writer_u32(&w, crc32_ieee(0, out, w.len));
}

int segment_read(const struct archive *archive, uint32_t place, struct segment *segment)
{
    uint8_t octets[SEGMENT_HEADER_SIZE];
    uint8_t expected[SEGMENT_HEADER_SIZE];
    struct reader r;

    if (load(archive, place, 0, octets, sizeof octets) != MOTE_OK)
        return MOTE_E_IO;
    reader_init(&r, octets, sizeof octets);
    uint32_t magic = reader_u32(&r);
    *segment = (struct segment){place, reader_u32(&r)};
    const uint8_t *key = reader_take(&r, 8); /* the SPI, and the check of the key */
    reader_take(&r, 4);
    if (magic != MAGIC || reader_u32(&r) != crc32_ieee(0, octets, sizeof octets - 4) ||
        segment->first == 0 || segment->first >= UINT32_MAX - archive->capacity)
        return MOTE_E_STATE;
    header_write(archive, segment->first, expected);
    /* Both stand in the file in clear: the time of this comparison tells nothing. */
    if (memcmp(key, expected + 8, 8) != 0)
        return MOTE_E_AUTH;
    return memcmp(octets, expected, sizeof octets) == 0 ? MOTE_OK : MOTE_E_UNSUPPORTED;
}

int segment_write_header(const struct archive *archive, const struct segment *segment)
{
    uint8_t octets[SEGMENT_HEADER_SIZE];

    header_write(archive, segment->first, octets);
    return save(archive, segment->place, 0, octets, sizeof octets);
}

bool segment_summary(const struct archive *archive, uint32_t place, uint32_t *least,
                     uint32_t *greatest)
{
    uint8_t octets[SEGMENT_SUMMARY_SIZE];
    struct reader r;

    if (load(archive, place, SEGMENT_SUMMARY_AT, octets, sizeof octets) != MOTE_OK)
        return false;
    reader_init(&r, octets, sizeof octets);
    *least = reader_u32(&r);
    *greatest = reader_u32(&r);
    return reader_u32(&r) == crc32_ieee(0, octets, sizeof octets - 4);
}

int segment_write_summary(const struct archive *archive, uint32_t place, uint32_t least,
                          uint32_t greatest)
{
    uint8_t octets[SEGMENT_SUMMARY_SIZE];
    struct writer w;

    writer_init(&w, octets, sizeof octets);
    writer_u32(&w, least);
    writer_u32(&w, greatest);
    writer_u32(&w, crc32_ieee(0, octets, w.len));
    return save(archive, place, SEGMENT_SUMMARY_AT, octets, sizeof octets);
}

/* ---- entries ---- */

/* The commit octet: a check of the entry under its number, neither that of a blank entry nor the
 * zero that a lost part of the storage may read as. */
static uint8_t commit_octet(uint32_t number, const uint8_t *entry, size_t len)
{
    uint8_t check = (uint8_t)crc32_ieee(number, entry, len);

    return check == SEGMENT_BLANK ? 0xfe : check == 0 ? 1 : check;
}

int segment_read_entry(const struct archive *archive, const struct segment *segment,
                       uint32_t position, struct archive_block *block)
{
    uint8_t entry[SEGMENT_ENTRY_MAX];
    struct reader r;
    size_t len = segment_entry_size(archive) - 1;

    memset(block, 0, sizeof *block);
    block->number = segment->first + position;
    if (load(archive, segment->place, entry_at(archive, position), entry, len + 1) != MOTE_OK)
        return MOTE_E_IO;
    reader_init(&r, entry, len + 1);
    reader_copy(&r, block->text, text_size(archive));
    reader_copy(&r, block->icv, icv_size(archive));
    block->least = reader_u32(&r);
    block->greatest = reader_u32(&r);
    uint8_t commit = reader_u8(&r);
    if (commit == SEGMENT_BLANK)
        return MOTE_E_STATE;
    return commit == commit_octet(block->number, entry, len) ? MOTE_OK : MOTE_E_MALFORMED;
}

int segment_write_entry(const struct archive *archive, const struct segment *segment,
                        uint32_t position, const struct archive_block *block)
{
    uint8_t entry[SEGMENT_ENTRY_MAX];
    struct writer w;
    uint32_t at = entry_at(archive, position);

    writer_init(&w, entry, sizeof entry);
    writer_bytes(&w, block->text, text_size(archive));
    writer_bytes(&w, block->icv, icv_size(archive));
    writer_u32(&w, block->least);
    writer_u32(&w, block->greatest);
    int error = save(archive, segment->place, at, entry, w.len);
    if (error)
        return error;
    uint8_t commit = commit_octet(block->number, entry, w.len);
    return save(archive, segment->place, at + (uint32_t)w.len, &commit, 1);
}

static bool is_blank(const uint8_t *octets, size_t len)
{
    size_t i = 0;

    while (i < len && octets[i] == 0xff)
        i++;
    return i == len;
}

int64_t segment_used(const struct archive *archive, uint32_t place)
{
    uint8_t entry[SEGMENT_ENTRY_MAX];
    size_t size = segment_entry_size(archive);
    uint32_t used = archive->capacity;

    for (; used > 0; used--) {
        if (load(archive, place, entry_at(archive, used - 1), entry, size) != MOTE_OK)
            return MOTE_E_IO;
        if (!is_blank(entry, size))
            break;
    }
    return used;
}
