#include "mote/ieee802154.h"

#include <string.h>

static struct frame_counter *find(const struct frame_counters *counters,
                                  const uint8_t eui[EUI64_SIZE], uint8_t key)
{
    for (size_t i = 0; i < counters->size; i++) {
        struct frame_counter *entry = &counters->entries[i];
        if (entry->used && entry->key == key && memcmp(entry->eui, eui, EUI64_SIZE) == 0)
            return entry;
    }
    return NULL;
}

static struct frame_counter *unused(const struct frame_counters *counters)
{
    for (size_t i = 0; i < counters->size; i++)
        if (!counters->entries[i].used)
            return &counters->entries[i];
    return NULL;
}

int frame_replay_check(const struct frame_counters *counters, const uint8_t eui[EUI64_SIZE],
                       uint8_t key, uint32_t counter)
{
    const struct frame_counter *entry = find(counters, eui, key);
    bool used_up = counter == UINT32_MAX;
    return used_up || (entry != NULL && counter < entry->next) ? MOTE_E_REPLAY : MOTE_OK;
}

int frame_replay_update(struct frame_counters *counters, const uint8_t eui[EUI64_SIZE], uint8_t key,
                        uint32_t counter)
{
    struct frame_counter *entry = find(counters, eui, key);
    int error = frame_replay_check(counters, eui, key, counter);
    if (error)
        return error;
    if (entry == NULL) {
        entry = unused(counters);
        if (entry == NULL)
            return MOTE_E_SPACE;
        *entry = (struct frame_counter){.key = key, .used = true};
        memcpy(entry->eui, eui, EUI64_SIZE);
    }
    entry->next = counter + 1;
    return MOTE_OK;
}
