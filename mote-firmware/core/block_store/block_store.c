/* Opening, appending and finding. */
#include "mote/block_store.h"

#include <string.h>

#include "block.h"
#include "mote/base.h"
#include "segment.h"

static struct segment newest(const struct block_store *store)
{
    return (struct segment){.place = store->segment, .first = store->first};
}

/* ---- opening ---- */

static int check_sa(const struct block_store_config *config, const struct ipsec_sa *sa)
{
    if (sa->cipher != &ipsec_aes_ctr || ipsec_icv_size(sa) != ipsec_icv_size(config->sa))
        return MOTE_E_UNSUPPORTED;
    return ipsec_check(sa, config->crypto);
}

static int check(const struct block_store_config *config)
{
    uint8_t size = config->payload_size;
    bool whole_blocks = size <= BLOCK_STORE_PAYLOAD_MAX && (size + BLOCK_STORE_OVERHEAD) % 16 == 0;

    if (!whole_blocks || (config->mode == BLOCK_STORE_STORED_ICV && !config->with_icv))
        return MOTE_E_UNSUPPORTED;
    int error = check_sa(config, config->sa);
    return error || config->previous == NULL ? error : check_sa(config, config->previous);
}

/* Identifies a key by the encryption of the counter block 0, which no packet uses. */
static void set_key_check(struct block_store *store, const struct ipsec_sa *sa, uint8_t out[4])
{
    const struct aes128 *aes = store->config.crypto->aes;
    uint8_t block[AES_BLOCK] = {0};

    memcpy(block, sa->salt, sizeof sa->salt);
    aes->set_key(aes->context, sa->key);
    aes->encrypt(aes->context, block);
    memcpy(out, block, sizeof store->key_check[0]);
    wipe(block, sizeof block);
}

static void note_times(struct block_store *store, const struct stored_block *block)
{
    if (block->least < store->least)
        store->least = block->least;
    if (block->greatest > store->greatest)
        store->greatest = block->greatest;
}

/* Finds the end of the newest segment, and its times. */
static int resume(struct block_store *store, const struct segment *segment)
{
    struct stored_block block;
    int64_t used = segment_used(store, segment->place);

    if (used < 0)
        return MOTE_E_IO;
    store->segment = segment->place;
    store->first = segment->first;
    store->used = (uint32_t)used;
    for (uint32_t i = 0; i < store->used; i++)
        if (segment_read_entry(store, segment, i, &block) == MOTE_OK)
            note_times(store, &block);
    /* Not continued are a segment under the previous key, its copy, and a segment above whose last
     * number others may have been used. */
    if (segment->previous || segment->marked || segment->first + store->capacity - 1 < store->limit)
        store->used = store->capacity;
    return MOTE_OK;
}

int block_store_open(struct block_store *store, const struct block_store_config *config)
{
    const struct block_storage *storage = config->storage;

    *store = (struct block_store){.config = *config, .limit = config->limit, .least = UINT32_MAX};
    int error = check(config);
    if (error)
        return error;
    size_t entry = segment_entry_size(store);
    if (storage->segment_count == 0 || storage->segment_size < SEGMENT_ENTRIES_AT + entry)
        return MOTE_E_SPACE;
    store->capacity = (storage->segment_size - SEGMENT_ENTRIES_AT) / (uint32_t)entry;
    set_key_check(store, config->sa, store->key_check[0]);
    if (config->previous != NULL)
        set_key_check(store, config->previous, store->key_check[1]);
    struct segment last = {.first = 0};
    for (uint32_t place = 0; place < storage->segment_count; place++) {
        struct segment segment;

        error = segment_read(store, place, &segment);
        if (error && error != MOTE_E_STATE)
            return error;
        if (!error && (segment.first > last.first ||
                       (segment.first == last.first && segment_preferred(&segment, &last))))
            last = segment;
    }
    return last.first > 0 ? resume(store, &last) : MOTE_OK;
}

/* ---- appending ---- */

/* Begins the next segment, above all numbers that may have been used. */
static int begin_segment(struct block_store *store)
{
    const struct block_storage *storage = store->config.storage;
    struct segment next = {.first = store->limit};
    uint32_t free;
    int error = segment_next_place(store, &next.place, &free);

    if (store->first > 0 && store->first + store->capacity - 1 > store->limit)
        next.first = store->first + store->capacity - 1;
    if (error || next.first >= UINT32_MAX - 1 - store->capacity)
        return error ? error : MOTE_E_STATE;
    /* The last free segment is kept for a change of keys. */
    uint32_t kept = storage->segment_count > 1 ? 1 : 0;
    if (store->config.full == BLOCK_STORE_REFUSE && free <= kept)
        return MOTE_E_SPACE;
    next.first++;
    error = store->config.reserve(store->config.reserve_context, next.first + store->capacity - 1);
    if (error)
        return error;
    store->limit = next.first + store->capacity - 1;
    error = storage->erase(storage->context, next.place);
    if (!error)
        error = segment_write_header(store, &next);
    if (error)
        return error;
    store->segment = next.place;
    store->first = next.first;
    store->used = 0;
    store->least = UINT32_MAX;
    store->greatest = 0;
    return MOTE_OK;
}

int block_store_append(struct block_store *store, const uint8_t *payload, uint32_t least,
                       uint32_t greatest, uint32_t *number)
{
    int error = MOTE_OK;

    if (store->first == 0 || store->used == store->capacity)
        error = begin_segment(store);
    if (error)
        return error;
    const struct segment segment = newest(store);
    struct stored_block block = {
        .number = segment.first + store->used, .least = least, .greatest = greatest};
    error = block_seal(store, payload, &block);
    if (error)
        return error;
    error = segment_write_entry(store, &segment, store->used++, &block);
    if (error)
        return error; /* the entry may be torn: its number is used up */
    *number = block.number;
    note_times(store, &block);
    /* Without a summary, searching the segment is slower. */
    if (store->used == store->capacity)
        (void)segment_write_summary(store, segment.place, store->least, store->greatest);
    return MOTE_OK;
}

/* ---- finding ---- */

/* False only if no block of the segment has a record between the times. */
static bool may_have(const struct block_store *store, const struct segment *segment, uint32_t least,
                     uint32_t greatest)
{
    uint32_t from;
    uint32_t to;

    /* Only a full segment has a summary; in any other, octets there are damage. */
    if (segment->first == store->first && store->used < store->capacity)
        return true;
    return !segment_summary(store, segment->place, &from, &to) || (from <= greatest && to >= least);
}

/* The segment with the lowest numbers that has a number of at least `number`, and may have a record
 * between the times. */
static int segment_from(const struct block_store *store, uint32_t number, uint32_t least,
                        uint32_t greatest, struct segment *found)
{
    int result = MOTE_E_STATE;

    for (uint32_t place = 0; place < store->config.storage->segment_count; place++) {
        struct segment segment;
        int error = segment_read(store, place, &segment);

        if (error == MOTE_E_IO)
            return error;
        if (error || segment.first + store->capacity - 1 < number ||
            (result == MOTE_OK &&
             (segment.first > found->first ||
              (segment.first == found->first && segment_preferred(found, &segment)))) ||
            !may_have(store, &segment, least, greatest))
            continue;
        *found = segment;
        result = MOTE_OK;
    }
    return result;
}

int block_store_find(const struct block_store *store, uint32_t from, uint32_t least,
                     uint32_t greatest, struct stored_block *block)
{
    struct segment segment;
    int error;

    while ((error = segment_from(store, from, least, greatest, &segment)) == MOTE_OK) {
        uint32_t end = segment.first + store->capacity;

        if (from < segment.first)
            from = segment.first;
        for (; from < end; from++) {
            error = segment_read_entry(store, &segment, from - segment.first, block);
            if (error == MOTE_E_STATE)
                continue;
            if (error || (block->least <= greatest && block->greatest >= least))
                return error;
        }
    }
    return error;
}

int block_store_bounds(const struct block_store *store, uint32_t *oldest, uint32_t *last)
{
    struct segment segment;
    int error = segment_from(store, 0, 0, UINT32_MAX, &segment);

    *oldest = *last = 0;
    if (error)
        return error == MOTE_E_STATE ? MOTE_OK : error;
    *oldest = segment.first;
    if (store->first > 0)
        *last = store->first + store->used - 1;
    if (*last < *oldest) /* the newest segment is the only one, and empty */
        *oldest = *last = 0;
    return MOTE_OK;
}
