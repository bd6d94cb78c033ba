#include "blocks_contract.h"

#include <stdbool.h>
#include <string.h>

enum { PART = 64, ENTRY = 73, COMMIT_AT = ENTRY - 1, ERASURES = 40 };

static bool reads(const struct block_storage *storage, uint32_t segment, uint32_t at,
                  const uint8_t *expected, size_t len)
{
    uint8_t found[ENTRY];

    return storage->read(storage->context, segment, at, found, len) == 0 &&
           memcmp(found, expected, len) == 0;
}

static bool is_blank(const struct block_storage *storage, uint32_t segment, uint32_t from,
                     uint32_t to)
{
    uint8_t blank[PART];

    memset(blank, 0xff, sizeof blank);
    for (uint32_t at = from; at < to; at += PART)
        if (!reads(storage, segment, at, blank, to - at < PART ? to - at : PART))
            return false;
    return true;
}

static bool writes(const struct block_storage *storage, uint32_t segment, uint32_t at,
                   const uint8_t *data, size_t len)
{
    return storage->write(storage->context, segment, at, data, len) == 0 &&
           reads(storage, segment, at, data, len);
}

/* Makes an entry as a block store writes it: zeros and 0xFF at both ends; the commit octet is
 * written separately. */
static void fill(uint8_t entry[ENTRY], uint32_t seed)
{
    for (uint32_t i = 0; i < ENTRY; i++)
        entry[i] = (uint8_t)(seed * 31 + i * 7);
    entry[0] = entry[COMMIT_AT - 1] = seed % 2 == 0 ? 0 : 0xff;
}

static const char *fills(const struct block_storage *storage, uint32_t segment)
{
    const uint32_t first = 40;
    uint8_t entry[ENTRY];
    uint32_t count = (storage->segment_size - first) / ENTRY;

    for (uint32_t i = 0; i < count; i++) {
        fill(entry, segment + i);
        if (!writes(storage, segment, first + i * ENTRY, entry, COMMIT_AT) ||
            !writes(storage, segment, first + i * ENTRY + COMMIT_AT, entry + COMMIT_AT, 1))
            return "an entry is read as it was written";
        if (!is_blank(storage, segment, first + (i + 1) * ENTRY, storage->segment_size) ||
            !is_blank(storage, segment, 0, first))
            return "a write changes no other octets";
    }
    /* Header and times are written after the octets that follow them. */
    fill(entry, 99);
    if (!writes(storage, segment, 0, entry, 24) || !writes(storage, segment, 24, entry, 12))
        return "octets in front of others can be written later";
    for (uint32_t i = 0; i < count; i++) {
        fill(entry, segment + i);
        if (!reads(storage, segment, first + i * ENTRY, entry, ENTRY))
            return "a write in front of entries keeps them";
    }
    return NULL;
}

const char *blocks_contract(const struct block_storage *storage)
{
    const uint8_t last = 0x5a;
    const char *broken = NULL;

    for (uint32_t segment = 0; segment < storage->segment_count; segment++)
        if (storage->erase(storage->context, segment) != 0 ||
            !is_blank(storage, segment, 0, storage->segment_size))
            return "an erased segment reads as 0xFF";
    for (uint32_t segment = 0; segment < storage->segment_count && broken == NULL; segment++)
        broken = fills(storage, segment);
    for (int i = 0; i < ERASURES && broken == NULL; i++) {
        uint32_t segment = (uint32_t)i % storage->segment_count;
        uint8_t entry[ENTRY];

        if (storage->erase(storage->context, segment) != 0 ||
            !is_blank(storage, segment, 0, storage->segment_size))
            return "a segment can be erased again and again";
        fill(entry, (segment + 1) % storage->segment_count);
        if (storage->segment_count > 1 &&
            !reads(storage, (segment + 1) % storage->segment_count, 40, entry, ENTRY))
            return "an erasure changes no other segment";
        if (!writes(storage, segment, storage->segment_size - 1, &last, 1))
            return "the last octet of a segment can be written";
        if (storage->erase(storage->context, segment) != 0)
            return "a written segment can be erased";
        broken = fills(storage, segment);
    }
    return broken;
}
