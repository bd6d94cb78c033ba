/* The identity as one record. A change is made in a copy, which replaces the record in memory only
 * after the copy is stored. */
#include "mote/store.h"

#include <string.h>

#include "mote/base.h"

enum {
    MAGIC = 0x56474d32, /* "VGM2" */
    RECORD_SIZE = STORE_KEY_SIZE + 8 + 8 + 8 + 1 + STORE_LOCATION_SIZE + STORE_TAG_SIZE + 1 +
                  STORE_POINT_SIZE + 1 + STORE_COMMANDERS * STORE_POINT_SIZE,
    /* The counter of the layout: the low half of `reserved`. */
    RESERVED = 1,
    RESERVED_AT = STORE_KEY_SIZE + 4
};

_Static_assert((int)RECORD_SIZE <= (int)SLOTS_PAYLOAD_MAX, "a record fits a slot");

#define NUMBER_MAX ((UINT64_C(1) << 53) - 1)

/* The distance by which a signed registration may exceed H (docs/protocol.md section 5). Without
 * this limit, one signed answer of a hostile mirror could exhaust the number space. */
#define RAISE_MAX (UINT64_C(1) << 32)

static const struct slots_layout LAYOUT = {MAGIC, RECORD_SIZE, RESERVED_AT, 0};

static void record_write(struct writer *out, const struct store_record *record)
{
    writer_bytes(out, record->key, sizeof record->key);
    writer_u64(out, record->reserved);
    writer_u64(out, record->command);
    writer_u64(out, record->acted);
    writer_u8(out, record->ack_due ? 1 : 0);
    writer_bytes(out, (const uint8_t *)record->location, sizeof record->location);
    writer_bytes(out, record->tag, sizeof record->tag);
    writer_u8(out, record->mirror_known ? 1 : 0);
    writer_bytes(out, record->mirror, sizeof record->mirror);
    writer_u8(out, record->commander_count);
    writer_bytes(out, record->commanders[0], sizeof record->commanders);
}

static bool record_read(struct reader *in, struct store_record *record)
{
    reader_copy(in, record->key, sizeof record->key);
    record->reserved = reader_u64(in);
    record->command = reader_u64(in);
    record->acted = reader_u64(in);
    record->ack_due = reader_u8(in) != 0;
    reader_copy(in, (uint8_t *)record->location, sizeof record->location);
    reader_copy(in, record->tag, sizeof record->tag);
    record->mirror_known = reader_u8(in) != 0;
    reader_copy(in, record->mirror, sizeof record->mirror);
    record->commander_count = reader_u8(in);
    reader_copy(in, record->commanders[0], sizeof record->commanders);
    return !in->failed && record->commander_count <= STORE_COMMANDERS &&
           record->location[sizeof record->location - 1] == '\0';
}

/*
 * With one valid and one damaged slot: if the damaged write was interrupted, its numbers were never
 * used. If it was complete and has decayed, up to STORE_STEP numbers above were used. They are
 * skipped in both cases.
 */
int store_open(struct store *store, const struct storage *storage)
{
    uint8_t payload[RECORD_SIZE];
    struct reader in;
    int error;

    *store = (struct store){.slots.storage = storage};
    error = slots_read(&store->slots, &LAYOUT, payload);
    reader_init(&in, payload, sizeof payload);
    if (error == MOTE_OK && !record_read(&in, &store->record))
        error = MOTE_E_MALFORMED;
    wipe(payload, sizeof payload);
    store->next = store->record.reserved + 1 + (store->slots.uncertain ? STORE_STEP : 0);
    return error;
}

/* Stores `record`, or changes nothing; `changed` as for slots_write. Wipes `record`, which holds
 * the key. */
static int commit_change(struct store *store, struct store_record *record, uint8_t changed)
{
    uint8_t payload[RECORD_SIZE];
    struct writer out;
    int error;

    writer_init(&out, payload, sizeof payload);
    record_write(&out, record);
    error = slots_write(&store->slots, &LAYOUT, payload, changed);
    if (error == MOTE_OK)
        store->record = *record;
    wipe(payload, sizeof payload);
    wipe(record, sizeof *record);
    return error;
}

static int commit(struct store *store, struct store_record *record)
{
    return commit_change(store, record, SLOTS_ALL);
}

int store_create(struct store *store, const uint8_t key[STORE_KEY_SIZE])
{
    struct store_record record = {.reserved = 0};
    struct reader in;

    reader_init(&in, key, STORE_KEY_SIZE);
    reader_copy(&in, record.key, sizeof record.key);
    store->slots.generation = 0;
    store->next = 1;
    return commit(store, &record);
}

int store_take_number(struct store *store, uint64_t *number)
{
    int error = MOTE_OK;

    if (store->next > NUMBER_MAX)
        return MOTE_E_STATE;
    if (store->next > store->record.reserved) {
        struct store_record record = store->record;
        bool low = (store->next + STORE_STEP - 1) >> 32 == record.reserved >> 32;

        record.reserved = store->next + STORE_STEP - 1;
        error = commit_change(store, &record, low ? RESERVED : SLOTS_ALL);
    }
    if (error == MOTE_OK)
        *number = store->next++;
    return error;
}

int store_raise(struct store *store, uint64_t highest)
{
    int error = MOTE_OK;

    if (highest >= NUMBER_MAX || (highest > store->next && highest - store->next > RAISE_MAX))
        return MOTE_E_STATE;
    if (highest >= store->record.reserved) {
        struct store_record record = store->record;

        record.reserved = highest;
        error = commit(store, &record);
    }
    if (error == MOTE_OK && highest >= store->next)
        store->next = highest + 1;
    return error;
}

int store_set_location(struct store *store, const char *location, const uint8_t tag[STORE_TAG_SIZE])
{
    struct store_record record; /* has the key, so it is filled only where commit_change wipes it */
    struct reader in;
    size_t len = 0;

    while (len < sizeof record.location && location[len] != '\0')
        len++;
    if (len == sizeof record.location)
        return MOTE_E_SPACE;
    record = store->record;
    memset(record.location, 0, sizeof record.location);
    memcpy(record.location, location, len);
    reader_init(&in, tag, STORE_TAG_SIZE);
    reader_copy(&in, record.tag, sizeof record.tag);
    return commit(store, &record);
}

int store_set_mirror(struct store *store, const uint8_t point[STORE_POINT_SIZE])
{
    struct store_record record = store->record;
    struct reader in;

    reader_init(&in, point, STORE_POINT_SIZE);
    reader_copy(&in, record.mirror, sizeof record.mirror);
    record.mirror_known = true;
    return commit(store, &record);
}

int store_begin_command(struct store *store, uint64_t command)
{
    struct store_record record; /* as in store_set_location */

    if (command <= store->record.command)
        return MOTE_E_REPLAY;
    record = store->record;
    record.command = command;
    return commit(store, &record);
}

static int end_command(struct store *store, struct store_record *record)
{
    record->acted = record->command;
    record->ack_due = true;
    return commit(store, record);
}

int store_end_command(struct store *store)
{
    struct store_record record = store->record;

    return end_command(store, &record);
}

int store_set_commanders(struct store *store, uint8_t points[][STORE_POINT_SIZE], size_t count)
{
    struct store_record record;
    struct reader in;

    if (count == 0 || count > STORE_COMMANDERS)
        return MOTE_E_SPACE;
    record = store->record;
    for (size_t i = 0; i < count; i++) {
        reader_init(&in, points[i], STORE_POINT_SIZE);
        reader_copy(&in, record.commanders[i], STORE_POINT_SIZE);
    }
    record.commander_count = (uint8_t)count;
    return end_command(store, &record);
}

void store_close(struct store *store)
{
    wipe(&store->record, sizeof store->record);
}
