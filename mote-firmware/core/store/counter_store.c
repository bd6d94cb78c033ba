#include "mote/counter_store.h"

#include <string.h>

#include "slots.h"

enum { MAGIC = 0x56474331 /* "VGC1" */, PAYLOAD_SIZE = COUNTERS_MAX * (COUNTER_NAME + 4) };

_Static_assert((int)PAYLOAD_SIZE <= (int)SLOTS_PAYLOAD_MAX, "the counters fit a slot");

static struct slots slots_of(const struct storage *storage)
{
    return (struct slots){storage, MAGIC, PAYLOAD_SIZE};
}

/*
 * A damaged slot beside a whole one may have been whole and newer: then as much as one step was
 * used above each of our limits.
 */
static void skip_a_step(struct counter_store *counters)
{
    for (size_t i = 0; i < COUNTERS_MAX; i++) {
        uint32_t *limit = &counters->entries[i].limit;

        if (*limit > 0)
            *limit =
                *limit > UINT32_MAX - COUNTERS_OWN_STEP ? UINT32_MAX : *limit + COUNTERS_OWN_STEP;
    }
}

int counter_store_open(struct counter_store *counters, const struct storage *storage)
{
    const struct slots slots = slots_of(storage);
    uint8_t payload[PAYLOAD_SIZE];
    struct reader in;
    bool damaged = false;
    int error;

    *counters = (struct counter_store){.storage = storage};
    error = slots_read(&slots, payload, &counters->generation, &damaged);
    if (error != MOTE_OK)
        return error == MOTE_E_STATE ? MOTE_OK : error;
    reader_init(&in, payload, sizeof payload);
    for (size_t i = 0; i < COUNTERS_MAX; i++) {
        reader_copy(&in, counters->entries[i].name, COUNTER_NAME);
        counters->entries[i].limit = reader_u32(&in);
    }
    if (damaged)
        skip_a_step(counters);
    return MOTE_OK;
}

/* The entry of that name; COUNTERS_MAX: none. */
static size_t find(const struct counter_store *counters, const uint8_t name[COUNTER_NAME])
{
    size_t i = 0;

    while (i < COUNTERS_MAX && memcmp(counters->entries[i].name, name, COUNTER_NAME) != 0)
        i++;
    return i;
}

uint32_t counter_store_limit(const struct counter_store *counters, const uint8_t name[COUNTER_NAME])
{
    size_t i = find(counters, name);

    return i < COUNTERS_MAX ? counters->entries[i].limit : 0;
}

static int commit(struct counter_store *counters)
{
    const struct slots slots = slots_of(counters->storage);
    uint8_t payload[PAYLOAD_SIZE];
    struct writer out;

    writer_init(&out, payload, sizeof payload);
    for (size_t i = 0; i < COUNTERS_MAX; i++) {
        writer_bytes(&out, counters->entries[i].name, COUNTER_NAME);
        writer_u32(&out, counters->entries[i].limit);
    }
    return slots_write(&slots, payload, &counters->generation);
}

int counter_store_reserve(struct counter_store *counters, const uint8_t name[COUNTER_NAME],
                          uint32_t value, uint32_t step)
{
    static const uint8_t nobody[COUNTER_NAME] = {0};
    size_t i = find(counters, name);
    struct counter *counter;
    struct counter before;
    int error;

    if (i < COUNTERS_MAX && value < counters->entries[i].limit)
        return MOTE_OK;
    if (value > UINT32_MAX - step)
        return MOTE_E_STATE;
    if (i == COUNTERS_MAX)
        i = find(counters, nobody);
    if (i == COUNTERS_MAX)
        return MOTE_E_SPACE;
    counter = &counters->entries[i];
    before = *counter;
    memcpy(counter->name, name, COUNTER_NAME);
    counter->limit = value + step;
    error = commit(counters);
    if (error != MOTE_OK)
        *counter = before;
    return error;
}
