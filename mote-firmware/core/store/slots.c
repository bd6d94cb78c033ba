#include "slots.h"

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

/* What a slot holds; its payload, if it is whole. */
static int slot_read(const struct slots *slots, unsigned slot, enum slot_state *state,
                     uint32_t *generation, uint8_t *payload)
{
    uint8_t octets[STORAGE_SLOT_SIZE];
    size_t size = slots->len + SLOTS_OVERHEAD;
    struct reader in;
    uint32_t magic;
    bool blank = true;

    if (slots->storage->read(slots->storage->context, slot, octets, size) != MOTE_OK)
        return MOTE_E_IO;
    for (size_t i = 0; i < size; i++)
        blank = blank && octets[i] == 0xff;
    *state = blank ? SLOT_BLANK : SLOT_DAMAGED;
    reader_init(&in, octets, size);
    magic = reader_u32(&in);
    *generation = reader_u32(&in);
    reader_copy(&in, payload, slots->len);
    if (magic == slots->magic && reader_u32(&in) == crc32(octets, size - 4))
        *state = SLOT_WHOLE;
    wipe(octets, sizeof octets);
    return MOTE_OK;
}

int slots_read(const struct slots *slots, uint8_t *payload, uint32_t *generation, bool *damaged)
{
    enum slot_state states[STORAGE_SLOTS];
    uint32_t generations[STORAGE_SLOTS];
    unsigned newest = 0;
    int error = MOTE_OK;

    for (unsigned slot = 0; slot < STORAGE_SLOTS && error == MOTE_OK; slot++)
        error = slot_read(slots, slot, &states[slot], &generations[slot], payload);
    if (error != MOTE_OK)
        return error;
    /* A first write that was cut: slot 1 is damaged, slot 0 still blank, and nothing was used. */
    if (states[0] != SLOT_WHOLE && states[1] != SLOT_WHOLE)
        return states[0] == SLOT_BLANK ? MOTE_E_STATE : MOTE_E_MALFORMED;
    if (states[0] == SLOT_WHOLE && states[1] == SLOT_WHOLE)
        newest = generations[1] > generations[0];
    else
        newest = states[1] == SLOT_WHOLE;
    *damaged = states[newest ^ 1] == SLOT_DAMAGED;
    return slot_read(slots, newest, &states[newest], generation, payload);
}

int slots_write(const struct slots *slots, const uint8_t *payload, uint32_t *generation)
{
    uint8_t octets[STORAGE_SLOT_SIZE];
    struct writer out;
    int error;

    writer_init(&out, octets, sizeof octets);
    writer_u32(&out, slots->magic);
    writer_u32(&out, *generation + 1);
    writer_bytes(&out, payload, slots->len);
    writer_u32(&out, crc32(octets, out.len));
    error = out.failed ? MOTE_E_SPACE
                       : slots->storage->write(slots->storage->context,
                                               (*generation + 1) % STORAGE_SLOTS, octets, out.len);
    if (error == MOTE_OK)
        ++*generation;
    wipe(octets, sizeof octets);
    return error;
}
