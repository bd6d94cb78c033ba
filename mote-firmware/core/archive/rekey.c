/* The change of an archive's key: segments are copied, marked, and then erased. */
#include <string.h>

#include "block.h"
#include "mote/base.h"
#include "segment.h"

/* The oldest segment of the previous association, and its copy if `copied`. */
struct pair {
    struct segment old;
    struct segment copy;
    bool copied;
    uint32_t left; /* segments of the previous association */
};

/* MOTE_E_STATE: there is none. */
static int find_pair(const struct archive *archive, struct pair *pair)
{
    const uint32_t count = archive->config.storage->segment_count;
    struct segment segment;

    *pair = (struct pair){.left = 0};
    for (uint32_t place = 0; place < count; place++) {
        int error = segment_read(archive, place, &segment);

        if (error == MOTE_E_IO)
            return error;
        if (!error && segment.previous && (pair->left++ == 0 || segment.first < pair->old.first))
            pair->old = segment;
    }
    for (uint32_t place = 0; place < count && pair->left > 0; place++)
        if (segment_read(archive, place, &segment) == MOTE_OK && !segment.previous &&
            segment.first == pair->old.first) {
            pair->copy = segment;
            pair->copied = true;
        }
    return pair->left > 0 ? MOTE_OK : MOTE_E_STATE;
}

/* Erases the copy's place and writes what stands before its entries. */
static int begin_copy(struct archive *archive, struct pair *pair, uint32_t place)
{
    const struct archive_config *config = &archive->config;
    const struct block_storage *storage = config->storage;
    const uint32_t last = pair->old.first + archive->capacity - 1;
    uint32_t least;
    uint32_t greatest;
    int error = MOTE_OK;

    /* A lost file must not repeat the copy's numbers under the new key. */
    if (last > archive->limit)
        error = config->reserve(config->reserve_context, last);
    if (error)
        return error;
    if (last > archive->limit)
        archive->limit = last;
    archive->copy_first = 0;
    pair->copy = (struct segment){.place = place, .first = pair->old.first};
    error = storage->erase(storage->context, place);
    if (!error)
        error = segment_write_header(archive, &pair->copy);
    if (!error && segment_summary(archive, pair->old.place, &least, &greatest))
        error = segment_write_summary(archive, place, least, greatest);
    return error;
}

/* The block under the present association; MOTE_E_MALFORMED if it is not what was stored. */
static int renew(const struct archive *archive, struct archive_block *block)
{
    const struct archive_config *config = &archive->config;
    uint8_t text[ARCHIVE_TEXT_MAX];
    uint8_t plain[ARCHIVE_PACKET_MAX];
    const struct udp udp = {ARCHIVE_PORT, ARCHIVE_PORT, text + UDP_HEADER_SIZE,
                            config->payload_size};
    int error = block_decrypt(archive, block, text);
    int len = ipv6_udp_packet(&udp, &config->source, &config->destination, plain, sizeof plain);

    /* Header and checksum match this payload only if nothing was damaged. */
    if (!error &&
        (len < 0 || memcmp(plain + IPV6_HEADER_SIZE, text, (size_t)len - IPV6_HEADER_SIZE) != 0))
        error = MOTE_E_MALFORMED;
    if (!error)
        error = block_seal(archive, text + UDP_HEADER_SIZE, block);
    wipe(text, sizeof text);
    wipe(plain, sizeof plain);
    return error;
}

/* The octets of an entry of the copy. */
static int copied_entry(const struct archive *archive, const struct segment *old, uint32_t position,
                        uint8_t entry[SEGMENT_ENTRY_MAX])
{
    struct archive_block block;
    int error = segment_read_entry(archive, old, position, &block);

    if (error == MOTE_E_STATE) {
        memset(entry, 0xff, SEGMENT_ENTRY_MAX);
        return MOTE_OK;
    }
    if (!error)
        error = renew(archive, &block);
    if (error == MOTE_E_MALFORMED)
        return segment_load_entry(archive, old, position, entry);
    if (!error)
        segment_encode_entry(archive, &block, entry);
    return error;
}

/* Copies the entry at a position unless it is there. MOTE_E_MALFORMED: the copy has something else.
 */
static int copy_entry(const struct archive *archive, const struct pair *pair, uint32_t position,
                      uint32_t *written)
{
    const size_t size = segment_entry_size(archive);
    uint8_t wanted[SEGMENT_ENTRY_MAX];
    uint8_t there[SEGMENT_ENTRY_MAX];
    uint8_t blank[SEGMENT_ENTRY_MAX];
    int error = copied_entry(archive, &pair->old, position, wanted);

    if (!error)
        error = segment_load_entry(archive, &pair->copy, position, there);
    if (error || memcmp(there, wanted, size) == 0)
        return error;
    memset(blank, 0xff, size);
    if (memcmp(there, blank, size) != 0)
        return MOTE_E_MALFORMED;
    ++*written;
    return segment_save_entry(archive, &pair->copy, position, wanted);
}

/* Marks the copy and erases the original. */
static int finish(struct archive *archive, const struct pair *pair)
{
    const struct block_storage *storage = archive->config.storage;
    int error = pair->copy.marked ? MOTE_OK : segment_write_mark(archive, pair->copy.place);

    if (!error)
        error = storage->erase(storage->context, pair->old.place);
    if (!error && archive->first == pair->old.first)
        archive->segment = pair->copy.place;
    return error;
}

/* Copies blocks of one segment until it is complete or `blocks` are copied in all. */
static int copy_blocks(struct archive *archive, struct pair *pair, uint32_t blocks,
                       struct archive_rekeyed *rekeyed)
{
    if (archive->copy_first != pair->old.first) {
        archive->copy_first = pair->old.first;
        archive->copied = 0;
    }
    while (archive->copied < archive->capacity && rekeyed->blocks < blocks && !pair->copy.marked) {
        int error = pair->copy.torn ? MOTE_E_MALFORMED
                                    : copy_entry(archive, pair, archive->copied, &rekeyed->blocks);

        if (error == MOTE_OK) {
            archive->copied++;
            continue;
        }
        /* An interrupted write left something: the copy begins again. */
        if (error == MOTE_E_MALFORMED)
            error = begin_copy(archive, pair, pair->copy.place);
        if (error)
            return error;
        archive->copy_first = pair->old.first;
        archive->copied = 0;
    }
    return archive->copied == archive->capacity || pair->copy.marked ? finish(archive, pair)
                                                                     : MOTE_OK;
}

/* Finds a place for a copy. With MOTE_E_STATE the archive's oldest segment was given up for it. */
static int make_place(const struct archive *archive, uint32_t *place)
{
    const struct block_storage *storage = archive->config.storage;
    uint32_t free;
    int error = segment_next_place(archive, place, &free);

    if (error || free > 0)
        return error;
    if (archive->config.full == ARCHIVE_REFUSE || storage->segment_count == 1)
        return MOTE_E_SPACE;
    error = storage->erase(storage->context, *place);
    return error ? error : MOTE_E_STATE;
}

int archive_rekey(struct archive *archive, uint32_t blocks, struct archive_rekeyed *rekeyed)
{
    struct pair pair;
    int error;

    *rekeyed = (struct archive_rekeyed){0};
    while ((error = find_pair(archive, &pair)) == MOTE_OK && rekeyed->blocks < blocks) {
        uint32_t place;

        if (!pair.copied) {
            error = make_place(archive, &place);
            if (error == MOTE_E_STATE)
                continue;
            if (!error)
                error = begin_copy(archive, &pair, place);
        }
        if (!error)
            error = copy_blocks(archive, &pair, blocks, rekeyed);
        if (error)
            return error;
    }
    rekeyed->segments = pair.left;
    return error == MOTE_E_STATE ? MOTE_OK : error;
}
