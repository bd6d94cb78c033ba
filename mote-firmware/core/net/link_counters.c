#include "mote/link_counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { NAME_OWN = 'F', NAME_RECEIVED = 'H' };

static void name_write(uint8_t name[COUNTER_NAME], uint8_t kind, const uint8_t eui[EUI64_SIZE])
{
    name[0] = kind;
    memcpy(name + 1, eui, EUI64_SIZE);
}

int link_counters_reserve(struct counter_store *counters, const uint8_t own[EUI64_SIZE],
                          uint32_t counter)
{
    uint8_t name[COUNTER_NAME];

    name_write(name, NAME_OWN, own);
    return counter_store_reserve(counters, name, counter, COUNTERS_OWN_STEP);
}

uint32_t link_counters_own(const struct counter_store *counters, const uint8_t own[EUI64_SIZE])
{
    uint8_t name[COUNTER_NAME];

    name_write(name, NAME_OWN, own);
    return counter_store_limit(counters, name);
}

void link_counters_restore(const struct counter_store *counters, struct frame_counters *replay)
{
    size_t restored = 0;

    for (size_t i = 0; i < COUNTERS_MAX && restored < replay->size; i++) {
        const struct counter *counter = &counters->entries[i];
        struct frame_counter *entry = &replay->entries[restored];

        if (counter->name[0] != NAME_RECEIVED)
            continue;
        memcpy(entry->eui, counter->name + 1, EUI64_SIZE);
        entry->used = true;
        entry->next = counter->limit;
        restored++;
    }
}

int link_counters_save(void *context, const uint8_t eui[EUI64_SIZE], uint32_t counter)
{
    uint8_t name[COUNTER_NAME];

    name_write(name, NAME_RECEIVED, eui);
    return counter_store_reserve(context, name, counter, COUNTERS_RECEIVED_STEP);
}
