#include "mote/counter_store.h"

#include <string.h>

#include "mote/base.h"

enum {
    MAGIC = 0x56474331, /* "VGC1" */
    ENTRY_SIZE = COUNTER_NAME + 4,
    PAYLOAD_SIZE = COUNTERS_MAX * ENTRY_SIZE
};

_Static_assert((int)PAYLOAD_SIZE <= (int)SLOTS_PAYLOAD_MAX, "the counters fit a slot");

/* The first entry's limit is counter 1. */
static const struct slots_layout LAYOUT = {MAGIC, PAYLOAD_SIZE, COUNTER_NAME, ENTRY_SIZE};

static uint32_t step_of(uint8_t kind)
{
    switch (kind) {
    case COUNTER_HEARD:
        return COUNTERS_RECEIVED_STEP;
    case COUNTER_ASSOCIATION:
        return COUNTERS_SENT_STEP;
    default:
        return COUNTERS_OWN_STEP;
    }
}

/* A damaged record next to the valid one may have been newer: up to one step above each limit may
 * have been used. */
static void skip_step(struct counter_store *counters)
{
    for (size_t i = 0; i < COUNTERS_MAX; i++) {
        uint32_t *limit = &counters->entries[i].limit;
        uint32_t step = step_of(counters->entries[i].name[0]);

        if (*limit > 0)
            *limit = *limit > UINT32_MAX - step ? UINT32_MAX : *limit + step;
    }
}

int counter_store_open(struct counter_store *counters, const struct storage *storage)
{
    uint8_t payload[PAYLOAD_SIZE];
    struct reader in;
    int error;

    *counters = (struct counter_store){.slots.storage = storage};
    error = slots_read(&counters->slots, &LAYOUT, payload);
    if (error != MOTE_OK)
        return error == MOTE_E_STATE ? MOTE_OK : error;
    reader_init(&in, payload, sizeof payload);
    for (size_t i = 0; i < COUNTERS_MAX; i++) {
        reader_copy(&in, counters->entries[i].name, COUNTER_NAME);
        counters->entries[i].limit = reader_u32(&in);
    }
    if (counters->slots.uncertain)
        skip_step(counters);
    return MOTE_OK;
}

/* The index of the entry with that name; COUNTERS_MAX: none. */
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

static bool is_among(const uint8_t name[COUNTER_NAME], const uint8_t (*names)[COUNTER_NAME],
                     size_t count)
{
    size_t i = 0;

    while (i < count && memcmp(names[i] + 1, name + 1, COUNTER_NAME - 1) != 0)
        i++;
    return i < count;
}

void counter_store_forget(struct counter_store *counters, uint8_t kind,
                          const uint8_t (*keep)[COUNTER_NAME], size_t count)
{
    for (size_t i = 0; i < COUNTERS_MAX; i++) {
        struct counter *counter = &counters->entries[i];

        if (counter->name[0] == kind && !is_among(counter->name, keep, count))
            *counter = (struct counter){.limit = 0};
    }
}

void counter_store_keep(struct counter_store *counters, const uint8_t (*names)[COUNTER_NAME],
                        size_t count)
{
    counters->associations = names;
    counters->association_count = count;
}

/* The index of a free entry. Without one, former associations make room. COUNTERS_MAX: none. */
static size_t find_free(struct counter_store *counters)
{
    static const uint8_t no_name[COUNTER_NAME] = {0};
    size_t i = find(counters, no_name);

    if (i < COUNTERS_MAX || counters->associations == NULL)
        return i;
    counter_store_forget(counters, COUNTER_ASSOCIATION, counters->associations,
                         counters->association_count);
    counter_store_forget(counters, COUNTER_BLOCKS, counters->associations,
                         counters->association_count);
    return find(counters, no_name);
}

static int commit(struct counter_store *counters, uint8_t changed)
{
    uint8_t payload[PAYLOAD_SIZE];
    struct writer out;

    writer_init(&out, payload, sizeof payload);
    for (size_t i = 0; i < COUNTERS_MAX; i++) {
        writer_bytes(&out, counters->entries[i].name, COUNTER_NAME);
        writer_u32(&out, counters->entries[i].limit);
    }
    return slots_write(&counters->slots, &LAYOUT, payload, changed);
}

int counter_store_reserve(struct counter_store *counters, const uint8_t name[COUNTER_NAME],
                          uint32_t value, uint32_t step)
{
    size_t i = find(counters, name);
    const bool known = i < COUNTERS_MAX;
    struct counter *counter;
    struct counter previous;
    int error;

    if (known && value < counters->entries[i].limit)
        return MOTE_OK;
    if (value > UINT32_MAX - step)
        return MOTE_E_STATE;
    if (!known)
        i = find_free(counters);
    if (i == COUNTERS_MAX)
        return MOTE_E_SPACE;
    counter = &counters->entries[i];
    previous = *counter;
    memcpy(counter->name, name, COUNTER_NAME);
    counter->limit = value + step;
    error = commit(counters, known ? (uint8_t)(i + 1) : SLOTS_ALL);
    if (error != MOTE_OK)
        *counter = previous;
    return error;
}
