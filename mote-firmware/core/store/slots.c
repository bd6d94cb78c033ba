#include "mote/slots.h"

#include <string.h>

enum { COUNTER_SIZE = 4, CHANGE_SIZE = STORAGE_ALIGN };

/* The record at the start of a slot. */
enum slot_state { SLOT_BLANK, SLOT_VALID, SLOT_DAMAGED };

/* ---- appended counters ---- */

/* The offset after the record and at least one octet (storage.h: a file may mark its end there). */
static size_t first_change(const struct slots_layout *layout)
{
    return ((layout->len + SLOTS_OVERHEAD) | (STORAGE_ALIGN - 1)) + 1;
}

/* The offset of counter `number` in the payload. */
static size_t counter_at(const struct slots_layout *layout, size_t number)
{
    return layout->counter + (number - 1) * layout->stride;
}

/* Appends CRC and counter number to a value. The number is last, so no valid change ends in 0 or
 * looks erased. */
static void change_seal(uint8_t change[CHANGE_SIZE], uint32_t generation, uint8_t number)
{
    uint32_t check = crc32_ieee(generation ^ (uint32_t)number << 24, change, COUNTER_SIZE);

    memcpy(change + COUNTER_SIZE, &check, CHANGE_SIZE - COUNTER_SIZE);
    change[CHANGE_SIZE - 1] = number;
}

/* Applies the counters appended to the record of that generation; `at` becomes their end. */
static int changes_read(struct slots *slots, const struct slots_layout *layout, uint8_t *payload,
                        uint32_t generation)
{
    static const uint8_t erased[CHANGE_SIZE] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    const struct storage *storage = slots->storage;
    uint8_t change[CHANGE_SIZE];
    uint8_t expected[CHANGE_SIZE];

    for (slots->at = first_change(layout); slots->at + CHANGE_SIZE <= storage->size;
         slots->at += CHANGE_SIZE) {
        if (storage->read(storage->context, generation % STORAGE_SLOTS, slots->at, change,
                          sizeof change) != MOTE_OK)
            return MOTE_E_IO;
        if (memcmp(change, erased, sizeof change) == 0)
            break;
        size_t counter = counter_at(layout, change[CHANGE_SIZE - 1]);
        memcpy(expected, change, sizeof expected);
        change_seal(expected, generation, change[CHANGE_SIZE - 1]);
        if (memcmp(change, expected, sizeof change) == 0 && counter < layout->len)
            memcpy(payload + counter, change, COUNTER_SIZE);
        else
            slots->uncertain = true;
    }
    return MOTE_OK;
}

/* ---- records ---- */

/* The state of a slot, or MOTE_E_IO. Copies its record to `payload` if it is the newest so far. */
static int slot_read(struct slots *slots, const struct slots_layout *layout, uint8_t *payload,
                     unsigned number)
{
    uint8_t octets[STORAGE_SLOT_SIZE];
    size_t size = layout->len + SLOTS_OVERHEAD;
    int state = SLOT_BLANK;
    const uint8_t *found;
    struct reader in;
    uint32_t magic;
    uint32_t generation;

    if (slots->storage->read(slots->storage->context, number, 0, octets, size) != MOTE_OK)
        return MOTE_E_IO;
    for (size_t i = 0; i < size; i++)
        if (octets[i] != 0xff)
            state = SLOT_DAMAGED;
    reader_init(&in, octets, size);
    magic = reader_u32(&in);
    generation = reader_u32(&in);
    found = reader_take(&in, layout->len);
    if (magic == layout->magic && reader_u32(&in) == crc32_ieee(0, octets, size - 4)) {
        state = SLOT_VALID;
        if (generation > slots->generation) {
            slots->generation = generation;
            memcpy(payload, found, layout->len);
        }
    }
    wipe(octets, sizeof octets);
    return state;
}

int slots_read(struct slots *slots, const struct slots_layout *layout, uint8_t *payload)
{
    int state[STORAGE_SLOTS];
    bool other_damaged;
    int error;

    slots->generation = 0;
    for (unsigned number = 0; number < STORAGE_SLOTS; number++) {
        state[number] = slot_read(slots, layout, payload, number);
        if (state[number] < 0)
            return state[number];
    }
    /* An interrupted first write leaves slot 1 damaged and slot 0 blank; nothing was used then. */
    if (slots->generation == 0)
        return state[0] == SLOT_BLANK ? MOTE_E_STATE : MOTE_E_MALFORMED;
    other_damaged = state[(slots->generation + 1) % STORAGE_SLOTS] == SLOT_DAMAGED;
    slots->uncertain = other_damaged;
    error = changes_read(slots, layout, payload, slots->generation);
    /* A damaged record in the other slot may have been valid, so counters appended to it count. */
    if (other_damaged && error == MOTE_OK)
        error = changes_read(slots, layout, payload, slots->generation + 1);
    if (slots->uncertain)
        slots->at = slots->storage->size; /* nothing is appended after damage */
    return error;
}

/*
 * Nothing is appended after a failed write. The next write is a whole record in the other slot, or
 * in the same slot if a whole record failed. Nothing is appended to the very first record either,
 * because without a second record its decay could not be detected.
 */
int slots_write(struct slots *slots, const struct slots_layout *layout, const uint8_t *payload,
                uint8_t changed)
{
    const struct storage *storage = slots->storage;
    uint8_t octets[STORAGE_SLOT_SIZE];
    uint32_t generation = slots->generation;
    struct writer out;
    size_t at = 0;
    size_t next = first_change(layout);
    int error;

    writer_init(&out, octets, sizeof octets);
    if (changed != SLOTS_ALL && generation > 1 && slots->at + CHANGE_SIZE <= storage->size) {
        memcpy(octets, payload + counter_at(layout, changed), COUNTER_SIZE);
        change_seal(octets, generation, changed);
        out.len = CHANGE_SIZE;
        at = slots->at;
        next = at + CHANGE_SIZE;
    } else {
        generation++;
        writer_u32(&out, layout->magic);
        writer_u32(&out, generation);
        writer_bytes(&out, payload, layout->len);
        writer_u32(&out, crc32_ieee(0, octets, out.len));
    }
    error = storage->write(storage->context, generation % STORAGE_SLOTS, at, octets, out.len);
    wipe(octets, sizeof octets);
    slots->at = storage->size;
    if (error == MOTE_OK) {
        slots->generation = generation;
        slots->at = next;
    }
    return error;
}
