/* The change of a block store's key: segments are copied, marked, and then erased. */
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
static int find_pair(const struct block_store *store, struct pair *pair)
{
    const uint32_t count = store->config.storage->segment_count;
    struct segment segment;

    *pair = (struct pair){.left = 0};
    for (uint32_t place = 0; place < count; place++) {
        int error = segment_read(store, place, &segment);

        if (error == MOTE_E_IO)
            return error;
        if (!error && segment.previous && (pair->left++ == 0 || segment.first < pair->old.first))
            pair->old = segment;
    }
    for (uint32_t place = 0; place < count && pair->left > 0; place++)
        if (segment_read(store, place, &segment) == MOTE_OK && !segment.previous &&
            segment.first == pair->old.first) {
            pair->copy = segment;
            pair->copied = true;
        }
    return pair->left > 0 ? MOTE_OK : MOTE_E_STATE;
}

/* Erases the copy's place and writes its header and summary. */
static int begin_copy(struct block_store *store, struct pair *pair, uint32_t place)
{
    const struct block_store_config *config = &store->config;
    const struct block_storage *storage = config->storage;
    const uint32_t last = pair->old.first + store->capacity - 1;
    uint32_t least;
    uint32_t greatest;
    int error = MOTE_OK;

    /* After the loss of the file, the copy's numbers must not be repeated under the new key. */
    if (last > store->limit)
        error = config->reserve(config->reserve_context, last);
    if (error)
        return error;
    if (last > store->limit)
        store->limit = last;
    store->copy_first = 0;
    pair->copy = (struct segment){.place = place, .first = pair->old.first};
    error = storage->erase(storage->context, place);
    if (!error)
        error = segment_write_header(store, &pair->copy);
    if (!error && segment_summary(store, pair->old.place, &least, &greatest))
        error = segment_write_summary(store, place, least, greatest);
    return error;
}

/* Encrypts the block under the present association. MOTE_E_MALFORMED if it is damaged. */
static int renew(const struct block_store *store, struct stored_block *block)
{
    const struct block_store_config *config = &store->config;
    uint8_t text[BLOCK_STORE_TEXT_MAX];
    uint8_t plain[BLOCK_STORE_PACKET_MAX];
    const struct udp udp = {BLOCK_STORE_PORT, BLOCK_STORE_PORT, text + UDP_HEADER_SIZE,
                            config->payload_size};
    int error = block_decrypt(store, block, text);
    int len = ipv6_udp_packet(&udp, &config->source, &config->destination, plain, sizeof plain);

    /* Header and checksum match this payload only if nothing was damaged. */
    if (!error &&
        (len < 0 || memcmp(plain + IPV6_HEADER_SIZE, text, (size_t)len - IPV6_HEADER_SIZE) != 0))
        error = MOTE_E_MALFORMED;
    if (!error)
        error = block_seal(store, text + UDP_HEADER_SIZE, block);
    wipe(text, sizeof text);
    wipe(plain, sizeof plain);
    return error;
}

/* Makes the octets of an entry of the copy. */
static int copied_entry(const struct block_store *store, const struct segment *old,
                        uint32_t position, uint8_t entry[SEGMENT_ENTRY_MAX])
{
    struct stored_block block;
    int error = segment_read_entry(store, old, position, &block);

    if (error == MOTE_E_STATE) {
        memset(entry, 0xff, SEGMENT_ENTRY_MAX);
        return MOTE_OK;
    }
    if (!error)
        error = renew(store, &block);
    if (error == MOTE_E_MALFORMED)
        return segment_load_entry(store, old, position, entry);
    if (!error)
        segment_encode_entry(store, &block, entry);
    return error;
}

/* Copies the entry at a position unless the copy has it. MOTE_E_MALFORMED: the copy has other
 * octets there. */
static int copy_entry(const struct block_store *store, const struct pair *pair, uint32_t position,
                      uint32_t *written)
{
    const size_t size = segment_entry_size(store);
    uint8_t wanted[SEGMENT_ENTRY_MAX];
    uint8_t there[SEGMENT_ENTRY_MAX];
    uint8_t blank[SEGMENT_ENTRY_MAX];
    int error = copied_entry(store, &pair->old, position, wanted);

    if (!error)
        error = segment_load_entry(store, &pair->copy, position, there);
    if (error || memcmp(there, wanted, size) == 0)
        return error;
    memset(blank, 0xff, size);
    if (memcmp(there, blank, size) != 0)
        return MOTE_E_MALFORMED;
    ++*written;
    return segment_save_entry(store, &pair->copy, position, wanted);
}

/* Marks the copy and erases the original. */
static int finish(struct block_store *store, const struct pair *pair)
{
    const struct block_storage *storage = store->config.storage;
    int error = pair->copy.marked ? MOTE_OK : segment_write_mark(store, pair->copy.place);

    if (!error)
        error = storage->erase(storage->context, pair->old.place);
    if (!error && store->first == pair->old.first)
        store->segment = pair->copy.place;
    return error;
}

/* Copies blocks of one segment until the segment is complete or `blocks` are copied in all. */
static int copy_blocks(struct block_store *store, struct pair *pair, uint32_t blocks,
                       struct block_store_rekeyed *rekeyed)
{
    if (store->copy_first != pair->old.first) {
        store->copy_first = pair->old.first;
        store->copied = 0;
    }
    while (store->copied < store->capacity && rekeyed->blocks < blocks && !pair->copy.marked) {
        int error = pair->copy.torn ? MOTE_E_MALFORMED
                                    : copy_entry(store, pair, store->copied, &rekeyed->blocks);

        if (error == MOTE_OK) {
            store->copied++;
            continue;
        }
        /* An interrupted write left octets there: the copy begins again. */
        if (error == MOTE_E_MALFORMED)
            error = begin_copy(store, pair, pair->copy.place);
        if (error)
            return error;
        store->copy_first = pair->old.first;
        store->copied = 0;
    }
    return store->copied == store->capacity || pair->copy.marked ? finish(store, pair) : MOTE_OK;
}

/* Finds a place for a copy. MOTE_E_STATE: the store's oldest segment was erased for it. */
static int make_place(const struct block_store *store, uint32_t *place)
{
    const struct block_storage *storage = store->config.storage;
    uint32_t free;
    int error = segment_next_place(store, place, &free);

    if (error || free > 0)
        return error;
    if (store->config.full == BLOCK_STORE_REFUSE || storage->segment_count == 1)
        return MOTE_E_SPACE;
    error = storage->erase(storage->context, *place);
    return error ? error : MOTE_E_STATE;
}

int block_store_rekey(struct block_store *store, uint32_t blocks,
                      struct block_store_rekeyed *rekeyed)
{
    struct pair pair;
    uint32_t least;
    uint32_t greatest;
    int error;

    *rekeyed = (struct block_store_rekeyed){0};
    while ((error = find_pair(store, &pair)) == MOTE_OK && rekeyed->blocks < blocks) {
        uint32_t place;

        if (!pair.copied) {
            error = make_place(store, &place);
            if (error == MOTE_E_STATE)
                continue;
            if (!error)
                error = begin_copy(store, &pair, place);
        } else if (!pair.copy.marked && segment_summary(store, pair.old.place, &least, &greatest) &&
                   !segment_summary(store, pair.copy.place, &least, &greatest)) {
            /* Without the summary, a search for other times would read the copy too. */
            error = begin_copy(store, &pair, pair.copy.place);
        }
        if (!error)
            error = copy_blocks(store, &pair, blocks, rekeyed);
        if (error)
            return error;
    }
    rekeyed->segments = pair.left;
    return error == MOTE_E_STATE ? MOTE_OK : error;
}
