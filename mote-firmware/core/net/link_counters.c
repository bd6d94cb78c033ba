#include "mote/link_counters.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { NAME_OWN = 'F', NAME_KEY = 'K' };

static void name_write(uint8_t name[COUNTER_NAME], uint8_t kind, const uint8_t eui[EUI64_SIZE])
{
    name[0] = kind;
    memcpy(name + 1, eui, EUI64_SIZE);
}

/* A block that the key encrypts tells keys apart and does not reveal them. Link security never
 * encrypts the zero block: its blocks begin with flags that are not zero (CCM*). */
static void name_key(uint8_t name[COUNTER_NAME], const struct aes128 *aes,
                     const uint8_t key[AES_BLOCK])
{
    uint8_t block[AES_BLOCK] = {0};

    aes->set_key(aes->context, key);
    aes->encrypt(aes->context, block);
    name_write(name, NAME_KEY, block);
}

int link_counters_begin(struct counter_store *counters, const struct aes128 *aes,
                        const uint8_t key[AES_BLOCK])
{
    uint8_t name[COUNTER_NAME];

    name_key(name, aes, key);
    if (counter_store_limit(counters, name) > 0)
        return MOTE_OK;
    counter_store_forget(counters, COUNTER_HEARD, NULL, 0);
    counter_store_forget(counters, NAME_KEY, NULL, 0);
    return counter_store_reserve(counters, name, 0, 1);
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

        if (counter->name[0] != COUNTER_HEARD)
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

    name_write(name, COUNTER_HEARD, eui);
    return counter_store_reserve(context, name, counter, COUNTERS_RECEIVED_STEP);
}
