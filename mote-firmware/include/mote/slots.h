/*
 * One record in two slots, written alternately: magic, generation, payload, CRC. A loss of power
 * during a write leaves the other slot valid. Between calls the newest record is in slot generation
 * % 2. A failed write changes nothing in memory.
 *
 * Erasures wear out flash, and most writes change only one counter. A new value of a counter is
 * therefore appended to the slot after the record, in 8 octets: value, 24 bits of a CRC over
 * generation, value and counter number, and the counter number. When the slot is full, the whole
 * record is written to the other slot. Nothing is appended after an interrupted write.
 */
#ifndef MOTE_SLOTS_H
#define MOTE_SLOTS_H

#include "mote/base.h"
#include "mote/port/storage.h"

enum {
    SLOTS_OVERHEAD = 4 + 4 + 4,
    SLOTS_PAYLOAD_MAX = STORAGE_SLOT_SIZE - SLOTS_OVERHEAD,
    SLOTS_ALL = 0 /* any part of the payload changed */
};

struct slots_layout {
    uint32_t magic;
    size_t len; /* of the payload */
    /* Counters are numbered from 1 to at most 255. Each has 4 octets in the payload: the first at
     * offset `counter`, each further counter `stride` octets later. */
    size_t counter;
    size_t stride;
};

/* The caller zeroes it and sets `storage` before slots_read. */
struct slots {
    const struct storage *storage;
    uint32_t generation; /* of the newest record */
    size_t at;           /* offset of the next appended counter */
    /*
     * A damaged record or counter was found: one write after the newest valid record may be lost.
     */
    bool uncertain;
};

/* Reads the newest valid record, with appended counters applied. MOTE_E_STATE if nothing was ever
 * stored, MOTE_E_MALFORMED if no record is valid, MOTE_E_IO. */
int slots_read(struct slots *slots, const struct slots_layout *layout, uint8_t *payload);

/* Stores `payload`, or changes nothing. `changed` is the number of the only counter that differs
 * from the stored payload, or SLOTS_ALL. */
int slots_write(struct slots *slots, const struct slots_layout *layout, const uint8_t *payload,
                uint8_t changed);

#endif
