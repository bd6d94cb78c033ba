#include "segment.h"

#include <string.h>

#include "mote/base.h"

enum {
    MAGIC = 0x56474131, /* "VGA1" */
    MARK = 0x56474343,  /* "VGCC" */
    FORM_WITH_ICV = 0x10
};

static int load(const struct block_store *store, uint32_t place, uint32_t at, uint8_t *out,
                size_t len)
{
    const struct block_storage *storage = store->config.storage;

    return storage->read(storage->context, place, at, out, len);
}

static int save(const struct block_store *store, uint32_t place, uint32_t at, const uint8_t *data,
                size_t len)
{
    const struct block_storage *storage = store->config.storage;

    return storage->write(storage->context, place, at, data, len);
}

static size_t text_size(const struct block_store *store)
{
    return store->config.payload_size + (size_t)BLOCK_STORE_OVERHEAD;
}

static size_t icv_size(const struct block_store *store)
{
    return store->config.with_icv ? ipsec_icv_size(store->config.sa) : 0;
}

size_t segment_entry_size(const struct block_store *store)
{
    return text_size(store) + icv_size(store) + SEGMENT_TIMES_SIZE + 1;
}

static uint32_t entry_at(const struct block_store *store, uint32_t position)
{
    return SEGMENT_ENTRIES_AT + position * (uint32_t)segment_entry_size(store);
}

/* ---- header and summary ---- */

static uint8_t form_of(const struct block_store *store)
{
    return (uint8_t)(text_size(store) / 16 - 1 +
                     (store->config.with_icv ? (unsigned)FORM_WITH_ICV : 0U));
}

static void header_write(const struct block_store *store, const struct segment *segment,
                         uint8_t out[SEGMENT_HEADER_SIZE])
{
    const struct block_store_config *config = &store->config;
    struct writer w;

    writer_init(&w, out, SEGMENT_HEADER_SIZE);
    writer_u32(&w, MAGIC);
    writer_u32(&w, segment->first);
    writer_u32(&w, segment->previous ? config->previous->spi : config->sa->spi);
    writer_bytes(&w, store->key_check[segment->previous], sizeof store->key_check[0]);
    writer_u8(&w, form_of(store));
    writer_u8(&w, 0);
    writer_u16(&w, 0);
    writer_u32(&w, crc32_ieee(0, out, w.len));
}

/* Compares a header with a valid CRC with the headers of the store's keys. */
static int identify(const struct block_store *store, const uint8_t *octets, struct segment *segment)
{
    enum { KEY_AT = 8, KEY_SIZE = 8 /* the SPI, and the check of the key */ };
    uint8_t expected[SEGMENT_HEADER_SIZE];
    unsigned keys = store->config.previous != NULL ? 2 : 1;

    for (unsigned key = 0; key < keys; key++) {
        segment->previous = key > 0;
        header_write(store, segment, expected);
        /* The file has both in clear, so the time of this comparison reveals nothing. */
        if (memcmp(octets + KEY_AT, expected + KEY_AT, KEY_SIZE) == 0)
            return memcmp(octets, expected, sizeof expected) == 0 ? MOTE_OK : MOTE_E_UNSUPPORTED;
    }
    return MOTE_E_AUTH;
}

int segment_read(const struct block_store *store, uint32_t place, struct segment *segment)
{
    uint8_t octets[SEGMENT_ENTRIES_AT];
    struct reader r;

    if (load(store, place, 0, octets, sizeof octets) != MOTE_OK)
        return MOTE_E_IO;
    reader_init(&r, octets, sizeof octets);
    uint32_t magic = reader_u32(&r);
    *segment = (struct segment){.place = place, .first = reader_u32(&r)};
    reader_take(&r, SEGMENT_HEADER_SIZE - 12);
    if (magic != MAGIC || reader_u32(&r) != crc32_ieee(0, octets, SEGMENT_HEADER_SIZE - 4) ||
        segment->first == 0 || segment->first >= UINT32_MAX - store->capacity)
        return MOTE_E_STATE;
    reader_take(&r, SEGMENT_SUMMARY_SIZE);
    uint32_t mark = reader_u32(&r);
    segment->marked = mark == MARK;
    segment->torn = mark != MARK && mark != UINT32_MAX;
    return identify(store, octets, segment);
}

int segment_write_header(const struct block_store *store, const struct segment *segment)
{
    uint8_t octets[SEGMENT_HEADER_SIZE];

    header_write(store, segment, octets);
    return save(store, segment->place, 0, octets, sizeof octets);
}

int segment_write_mark(const struct block_store *store, uint32_t place)
{
    uint8_t octets[4];
    struct writer w;

    writer_init(&w, octets, sizeof octets);
    writer_u32(&w, MARK);
    return save(store, place, SEGMENT_MARK_AT, octets, sizeof octets);
}

bool segment_preferred(const struct segment *one, const struct segment *other)
{
    return one->previous ? !other->marked : one->marked;
}

int segment_next_place(const struct block_store *store, uint32_t *place, uint32_t *free)
{
    uint32_t count = store->config.storage->segment_count;
    uint32_t begin = store->first > 0 ? store->segment + 1 : 0;
    struct segment oldest = {.first = UINT32_MAX};
    struct segment segment;

    *free = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = (begin + i) % count;
        int error = segment_read(store, at, &segment);

        if (error == MOTE_E_IO)
            return error;
        if (error == MOTE_E_STATE && (*free)++ == 0)
            *place = at;
        /* Chooses the unread one of an original and its copy. */
        if (!error && (segment.first < oldest.first ||
                       (segment.first == oldest.first && segment_preferred(&oldest, &segment))))
            oldest = segment;
    }
    if (*free == 0)
        *place = oldest.place;
    return MOTE_OK;
}

bool segment_summary(const struct block_store *store, uint32_t place, uint32_t *least,
                     uint32_t *greatest)
{
    uint8_t octets[SEGMENT_SUMMARY_SIZE];
    struct reader r;

    if (load(store, place, SEGMENT_SUMMARY_AT, octets, sizeof octets) != MOTE_OK)
        return false;
    reader_init(&r, octets, sizeof octets);
    *least = reader_u32(&r);
    *greatest = reader_u32(&r);
    return reader_u32(&r) == crc32_ieee(0, octets, sizeof octets - 4);
}

int segment_write_summary(const struct block_store *store, uint32_t place, uint32_t least,
                          uint32_t greatest)
{
    uint8_t octets[SEGMENT_SUMMARY_SIZE];
    struct writer w;

    writer_init(&w, octets, sizeof octets);
    writer_u32(&w, least);
    writer_u32(&w, greatest);
    writer_u32(&w, crc32_ieee(0, octets, w.len));
    return save(store, place, SEGMENT_SUMMARY_AT, octets, sizeof octets);
}

/* ---- entries ---- */

/* The commit octet: a checksum of the entry and its number. It is never that of a blank entry, nor
 * the zero that a lost part of the storage may contain. */
static uint8_t commit_octet(uint32_t number, const uint8_t *entry, size_t len)
{
    uint8_t check = (uint8_t)crc32_ieee(number, entry, len);

    return check == SEGMENT_BLANK ? 0xfe : check == 0 ? 1 : check;
}

int segment_read_entry(const struct block_store *store, const struct segment *segment,
                       uint32_t position, struct stored_block *block)
{
    uint8_t entry[SEGMENT_ENTRY_MAX];
    struct reader r;
    size_t len = segment_entry_size(store) - 1;

    memset(block, 0, sizeof *block);
    block->number = segment->first + position;
    block->previous = segment->previous;
    if (segment_load_entry(store, segment, position, entry) != MOTE_OK)
        return MOTE_E_IO;
    reader_init(&r, entry, len + 1);
    reader_copy(&r, block->text, text_size(store));
    reader_copy(&r, block->icv, icv_size(store));
    block->least = reader_u32(&r);
    block->greatest = reader_u32(&r);
    uint8_t commit = reader_u8(&r);
    if (commit == SEGMENT_BLANK)
        return MOTE_E_STATE;
    return commit == commit_octet(block->number, entry, len) ? MOTE_OK : MOTE_E_MALFORMED;
}

size_t segment_encode_entry(const struct block_store *store, const struct stored_block *block,
                            uint8_t entry[SEGMENT_ENTRY_MAX])
{
    struct writer w;

    writer_init(&w, entry, SEGMENT_ENTRY_MAX);
    writer_bytes(&w, block->text, text_size(store));
    writer_bytes(&w, block->icv, icv_size(store));
    writer_u32(&w, block->least);
    writer_u32(&w, block->greatest);
    writer_u8(&w, commit_octet(block->number, entry, w.len));
    return w.len;
}

int segment_load_entry(const struct block_store *store, const struct segment *segment,
                       uint32_t position, uint8_t entry[SEGMENT_ENTRY_MAX])
{
    return load(store, segment->place, entry_at(store, position), entry, segment_entry_size(store));
}

int segment_save_entry(const struct block_store *store, const struct segment *segment,
                       uint32_t position, const uint8_t entry[SEGMENT_ENTRY_MAX])
{
    uint32_t at = entry_at(store, position);
    size_t len = segment_entry_size(store) - 1;
    int error = save(store, segment->place, at, entry, len);

    return error ? error : save(store, segment->place, at + (uint32_t)len, entry + len, 1);
}

int segment_write_entry(const struct block_store *store, const struct segment *segment,
                        uint32_t position, const struct stored_block *block)
{
    uint8_t entry[SEGMENT_ENTRY_MAX];

    segment_encode_entry(store, block, entry);
    return segment_save_entry(store, segment, position, entry);
}

static bool is_blank(const uint8_t *octets, size_t len)
{
    size_t i = 0;

    while (i < len && octets[i] == 0xff)
        i++;
    return i == len;
}

int64_t segment_used(const struct block_store *store, uint32_t place)
{
    uint8_t entry[SEGMENT_ENTRY_MAX];
    size_t size = segment_entry_size(store);
    uint32_t used = store->capacity;

    for (; used > 0; used--) {
        if (load(store, place, entry_at(store, used - 1), entry, size) != MOTE_OK)
            return MOTE_E_IO;
        if (!is_blank(entry, size))
            break;
    }
    return used;
}
