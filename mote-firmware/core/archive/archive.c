/* Opening, appending and finding. */
#include "mote/archive.h"

#include <string.h>

#include "block.h"
#include "mote/base.h"
#include "segment.h"

static struct segment newest(const struct archive *archive)
{
    return (struct segment){.place = archive->segment, .first = archive->first};
}

/* ---- opening ---- */

static int check_sa(const struct archive_config *config, const struct ipsec_sa *sa)
{
    if (sa->cipher != &ipsec_aes_ctr || ipsec_icv_size(sa) != ipsec_icv_size(config->sa))
        return MOTE_E_UNSUPPORTED;
    return ipsec_check(sa, config->crypto);
}

static int check(const struct archive_config *config)
{
    uint8_t size = config->payload_size;
    bool whole_blocks = size <= ARCHIVE_PAYLOAD_MAX && (size + ARCHIVE_OVERHEAD) % 16 == 0;

    if (!whole_blocks || (config->mode == ARCHIVE_STORED_ICV && !config->with_icv))
        return MOTE_E_UNSUPPORTED;
    int error = check_sa(config, config->sa);
    return error || config->previous == NULL ? error : check_sa(config, config->previous);
}

/* Identifies a key by the encryption of the counter block 0, which no packet uses. */
static void set_key_check(struct archive *archive, const struct ipsec_sa *sa, uint8_t out[4])
{
    const struct aes128 *aes = archive->config.crypto->aes;
    uint8_t block[AES_BLOCK] = {0};

    memcpy(block, sa->salt, sizeof sa->salt);
    aes->set_key(aes->context, sa->key);
    aes->encrypt(aes->context, block);
    memcpy(out, block, sizeof archive->key_check[0]);
    wipe(block, sizeof block);
}

static void note_times(struct archive *archive, const struct archive_block *block)
{
    if (block->least < archive->least)
        archive->least = block->least;
    if (block->greatest > archive->greatest)
        archive->greatest = block->greatest;
}

/* Finds the end of the newest segment, and its times. */
static int resume(struct archive *archive, const struct segment *segment)
{
    struct archive_block block;
    int64_t used = segment_used(archive, segment->place);

    if (used < 0)
        return MOTE_E_IO;
    archive->segment = segment->place;
    archive->first = segment->first;
    archive->used = (uint32_t)used;
    for (uint32_t i = 0; i < archive->used; i++)
        if (segment_read_entry(archive, segment, i, &block) == MOTE_OK)
            note_times(archive, &block);
    /* The segment of another key and its copy are not continued, nor one above which numbers may
     * have been used. */
    if (segment->previous || segment->marked ||
        segment->first + archive->capacity - 1 < archive->limit)
        archive->used = archive->capacity;
    return MOTE_OK;
}

int archive_open(struct archive *archive, const struct archive_config *config)
{
    const struct block_storage *storage = config->storage;

    *archive = (struct archive){.config = *config, .limit = config->limit, .least = UINT32_MAX};
    int error = check(config);
    if (error)
        return error;
    size_t entry = segment_entry_size(archive);
    if (storage->segment_count == 0 || storage->segment_size < SEGMENT_ENTRIES_AT + entry)
        return MOTE_E_SPACE;
    archive->capacity = (storage->segment_size - SEGMENT_ENTRIES_AT) / (uint32_t)entry;
    set_key_check(archive, config->sa, archive->key_check[0]);
    if (config->previous != NULL)
        set_key_check(archive, config->previous, archive->key_check[1]);
    struct segment last = {.first = 0};
    for (uint32_t place = 0; place < storage->segment_count; place++) {
        struct segment segment;

        error = segment_read(archive, place, &segment);
        if (error && error != MOTE_E_STATE)
            return error;
        if (!error && (segment.first > last.first ||
                       (segment.first == last.first && segment_preferred(&segment, &last))))
            last = segment;
    }
    return last.first > 0 ? resume(archive, &last) : MOTE_OK;
}

/* ---- appending ---- */

/* Begins the next segment, above all numbers that may have been used. */
static int begin_segment(struct archive *archive)
{
    const struct block_storage *storage = archive->config.storage;
    struct segment next = {.first = archive->limit};
    uint32_t free;
    int error = segment_next_place(archive, &next.place, &free);

    if (archive->first > 0 && archive->first + archive->capacity - 1 > archive->limit)
        next.first = archive->first + archive->capacity - 1;
    if (error || next.first >= UINT32_MAX - 1 - archive->capacity)
        return error ? error : MOTE_E_STATE;
    /* The last free segment is kept for a change of keys. */
    uint32_t kept = storage->segment_count > 1 ? 1 : 0;
    if (archive->config.full == ARCHIVE_REFUSE && free <= kept)
        return MOTE_E_SPACE;
    next.first++;
    error = archive->config.reserve(archive->config.reserve_context,
                                    next.first + archive->capacity - 1);
    if (error)
        return error;
    archive->limit = next.first + archive->capacity - 1;
    error = storage->erase(storage->context, next.place);
    if (!error)
        error = segment_write_header(archive, &next);
    if (error)
        return error;
    archive->segment = next.place;
    archive->first = next.first;
    archive->used = 0;
    archive->least = UINT32_MAX;
    archive->greatest = 0;
    return MOTE_OK;
}

int archive_append(struct archive *archive, const uint8_t *payload, uint32_t least,
                   uint32_t greatest, uint32_t *number)
{
    int error = MOTE_OK;

    if (archive->first == 0 || archive->used == archive->capacity)
        error = begin_segment(archive);
    if (error)
        return error;
    const struct segment segment = newest(archive);
    struct archive_block block = {
        .number = segment.first + archive->used, .least = least, .greatest = greatest};
    error = block_seal(archive, payload, &block);
    if (error)
        return error;
    error = segment_write_entry(archive, &segment, archive->used++, &block);
    if (error)
        return error; /* the entry may be torn: its number is used up */
    *number = block.number;
    note_times(archive, &block);
    /* Without a summary the segment is only searched more slowly. */
    if (archive->used == archive->capacity)
        (void)segment_write_summary(archive, segment.place, archive->least, archive->greatest);
    return MOTE_OK;
}

/* ---- finding ---- */

/* The segment with the lowest numbers that has numbers from `number` on. */
static int segment_from(const struct archive *archive, uint32_t number, struct segment *found)
{
    int result = MOTE_E_STATE;

    for (uint32_t place = 0; place < archive->config.storage->segment_count; place++) {
        struct segment segment;
        int error = segment_read(archive, place, &segment);

        if (error == MOTE_E_IO)
            return error;
        if (error || segment.first + archive->capacity - 1 < number ||
            (result == MOTE_OK &&
             (segment.first > found->first ||
              (segment.first == found->first && segment_preferred(found, &segment)))))
            continue;
        *found = segment;
        result = MOTE_OK;
    }
    return result;
}

/* False only if no block of the segment has a record between the times. */
static bool may_have(const struct archive *archive, const struct segment *segment, uint32_t least,
                     uint32_t greatest)
{
    uint32_t from;
    uint32_t to;

    /* Only a full segment has a summary; octets there before are damage. */
    if (segment->first == archive->first && archive->used < archive->capacity)
        return true;
    return !segment_summary(archive, segment->place, &from, &to) ||
           (from <= greatest && to >= least);
}

int archive_find(const struct archive *archive, uint32_t from, uint32_t least, uint32_t greatest,
                 struct archive_block *block)
{
    struct segment segment;
    int error;

    while ((error = segment_from(archive, from, &segment)) == MOTE_OK) {
        uint32_t end = segment.first + archive->capacity;

        if (from < segment.first)
            from = segment.first;
        if (!may_have(archive, &segment, least, greatest))
            from = end;
        for (; from < end; from++) {
            error = segment_read_entry(archive, &segment, from - segment.first, block);
            if (error == MOTE_E_STATE)
                continue;
            if (error || (block->least <= greatest && block->greatest >= least))
                return error;
        }
    }
    return error;
}

int archive_bounds(const struct archive *archive, uint32_t *oldest, uint32_t *last)
{
    struct segment segment;
    int error = segment_from(archive, 0, &segment);

    *oldest = *last = 0;
    if (error)
        return error == MOTE_E_STATE ? MOTE_OK : error;
    *oldest = segment.first;
    if (archive->first > 0)
        *last = archive->first + archive->used - 1;
    if (*last < *oldest) /* the newest segment is the only one, and empty */
        *oldest = *last = 0;
    return MOTE_OK;
}
