/*
 * Between calls the newest record lies whole in slot generation % 2, and the other slot holds an
 * older one or the remains of a write. A change goes to a copy, the copy to the other slot, and
 * only a write that reported success changes what we believe.
 */
#include "mote/store.h"

enum {
    MAGIC = 0x56474d31, /* "VGM1" */
    RECORD_SIZE = 4 + 4 + STORE_KEY_SIZE + 8 + 8 + STORE_LOCATION_SIZE + STORE_TAG_SIZE + 1 +
                  STORE_POINT_SIZE,
    SLOT_SIZE = RECORD_SIZE + 4
};

_Static_assert((int)SLOT_SIZE <= (int)STORAGE_SLOT_SIZE, "a record fits a slot");

#define NUMBER_MAX ((UINT64_C(1) << 53) - 1)

enum slot_state { SLOT_BLANK, SLOT_WHOLE, SLOT_DAMAGED };

/* CRC-32 of IEEE 802.3, bit by bit: a few hundred octets every 64 updates need no table. */
static uint32_t crc32(const uint8_t *data, size_t len)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < len; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
    }
    return ~crc;
}

static void record_write(struct writer *out, const struct store_record *record, uint32_t generation)
{
    writer_u32(out, MAGIC);
    writer_u32(out, generation);
    writer_bytes(out, record->key, sizeof record->key);
    writer_u64(out, record->reserved);
    writer_u64(out, record->command);
    writer_bytes(out, (const uint8_t *)record->location, sizeof record->location);
    writer_bytes(out, record->tag, sizeof record->tag);
    writer_u8(out, record->mirror_known ? 1 : 0);
    writer_bytes(out, record->mirror, sizeof record->mirror);
    writer_u32(out, crc32(out->start, out->len));
}

static bool record_read(struct reader *in, struct store_record *record, uint32_t *generation)
{
    uint32_t sum = crc32(in->at, RECORD_SIZE);

    if (reader_u32(in) != MAGIC)
        return false;
    *generation = reader_u32(in);
    reader_copy(in, record->key, sizeof record->key);
    record->reserved = reader_u64(in);
    record->command = reader_u64(in);
    reader_copy(in, (uint8_t *)record->location, sizeof record->location);
    reader_copy(in, record->tag, sizeof record->tag);
    record->mirror_known = reader_u8(in) != 0;
    reader_copy(in, record->mirror, sizeof record->mirror);
    return reader_u32(in) == sum && !in->failed &&
           record->location[sizeof record->location - 1] == '\0';
}

static int slot_read(const struct storage *storage, unsigned slot, struct store_record *record,
                     uint32_t *generation, enum slot_state *state)
{
    uint8_t octets[SLOT_SIZE];
    struct reader in;
    bool blank = true;

    if (storage->read(storage->context, slot, octets, sizeof octets) != MOTE_OK)
        return MOTE_E_IO;
    for (size_t i = 0; i < sizeof octets; i++)
        blank = blank && octets[i] == 0xff;
    reader_init(&in, octets, sizeof octets);
    *state = blank ? SLOT_BLANK : record_read(&in, record, generation) ? SLOT_WHOLE : SLOT_DAMAGED;
    wipe(octets, sizeof octets);
    return MOTE_OK;
}

/*
 * One whole slot beside a damaged one: the damaged write may have been cut, then its numbers were
 * never used; or it was whole and has rotted, then up to STORE_STEP numbers above ours were.
 * Skipping them is cheap and right in both cases.
 */
static int choose(struct store *store, const enum slot_state states[], struct store_record found[],
                  const uint32_t generations[])
{
    unsigned newest;

    if (states[0] != SLOT_WHOLE && states[1] != SLOT_WHOLE) {
        /* A first write that was cut: slot 0 is still blank, and no number was ever used. */
        return states[0] == SLOT_BLANK ? MOTE_E_STATE : MOTE_E_MALFORMED;
    }
    if (states[0] == SLOT_WHOLE && states[1] == SLOT_WHOLE)
        newest = generations[1] > generations[0];
    else
        newest = states[1] == SLOT_WHOLE;
    store->record = found[newest];
    store->generation = generations[newest];
    store->next = store->record.reserved + 1;
    store->doubtful = states[newest ^ 1] == SLOT_DAMAGED;
    if (store->doubtful)
        store->next += STORE_STEP;
    return MOTE_OK;
}

int store_open(struct store *store, const struct storage *storage)
{
    struct store_record found[STORAGE_SLOTS];
    uint32_t generations[STORAGE_SLOTS] = {0, 0};
    enum slot_state states[STORAGE_SLOTS];
    int error = MOTE_OK;

    *store = (struct store){.storage = storage};
    for (unsigned slot = 0; slot < STORAGE_SLOTS && error == MOTE_OK; slot++)
        error = slot_read(storage, slot, &found[slot], &generations[slot], &states[slot]);
    if (error == MOTE_OK)
        error = choose(store, states, found, generations);
    wipe(found, sizeof found);
    return error;
}

/* Makes `record` the newest, durably, or changes nothing. */
static int commit(struct store *store, const struct store_record *record)
{
    uint8_t octets[SLOT_SIZE];
    struct writer out;
    uint32_t generation = store->generation + 1;
    int error;

    writer_init(&out, octets, sizeof octets);
    record_write(&out, record, generation);
    error = store->storage->write(store->storage->context, generation % STORAGE_SLOTS, octets,
                                  writer_len(&out));
    if (error == MOTE_OK) {
        store->record = *record;
        store->generation = generation;
    }
    wipe(octets, sizeof octets);
    return error;
}

int store_create(struct store *store, const uint8_t key[STORE_KEY_SIZE])
{
    struct store_record record = {.reserved = 0};
    struct reader in;
    int error;

    reader_init(&in, key, STORE_KEY_SIZE);
    reader_copy(&in, record.key, sizeof record.key);
    store->generation = 0;
    store->next = 1;
    error = commit(store, &record);
    wipe(&record, sizeof record);
    return error;
}

int store_take_number(struct store *store, uint64_t *number)
{
    int error = MOTE_OK;

    if (store->next > NUMBER_MAX)
        return MOTE_E_STATE;
    if (store->next > store->record.reserved) {
        struct store_record record = store->record;

        record.reserved = store->next + STORE_STEP - 1;
        error = commit(store, &record);
        wipe(&record, sizeof record);
    }
    if (error == MOTE_OK)
        *number = store->next++;
    return error;
}

int store_raise(struct store *store, uint64_t highest)
{
    struct store_record record = store->record;
    int error = MOTE_OK;

    if (highest >= NUMBER_MAX)
        return MOTE_E_STATE;
    if (highest >= record.reserved) {
        record.reserved = highest;
        error = commit(store, &record);
    }
    wipe(&record, sizeof record);
    if (error == MOTE_OK && highest >= store->next)
        store->next = highest + 1;
    return error;
}

int store_set_location(struct store *store, const char *location, const uint8_t tag[STORE_TAG_SIZE])
{
    struct store_record record = store->record;
    struct reader in;
    size_t len = 0;
    int error = MOTE_E_SPACE;

    reader_init(&in, tag, STORE_TAG_SIZE);
    reader_copy(&in, record.tag, sizeof record.tag);
    while (len < sizeof record.location - 1 && location[len] != '\0') {
        record.location[len] = location[len];
        len++;
    }
    if (location[len] == '\0') {
        for (; len < sizeof record.location; len++)
            record.location[len] = '\0';
        error = commit(store, &record);
    }
    wipe(&record, sizeof record);
    return error;
}

int store_set_mirror(struct store *store, const uint8_t point[STORE_POINT_SIZE])
{
    struct store_record record = store->record;
    struct reader in;
    int error;

    reader_init(&in, point, STORE_POINT_SIZE);
    reader_copy(&in, record.mirror, sizeof record.mirror);
    record.mirror_known = true;
    error = commit(store, &record);
    wipe(&record, sizeof record);
    return error;
}

int store_set_command(struct store *store, uint64_t command)
{
    struct store_record record = store->record;
    int error;

    record.command = command;
    error = commit(store, &record);
    wipe(&record, sizeof record);
    return error;
}

void store_close(struct store *store)
{
    wipe(&store->record, sizeof store->record);
}
