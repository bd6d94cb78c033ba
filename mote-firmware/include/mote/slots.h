/*
 * One record in two slots, written in turn: magic, generation, payload, CRC. Power loss during a
 * write leaves the other slot whole. Between calls the newest record lies in slot generation % 2,
 * and only a write that reported success changes what we believe.
 *
 * Flash wears out by being erased, and what changes all the time is one counter. So a counter of
 * the payload is changed behind the record, in the slot that it lies in, in 8 octets: the value, 24
 * bits of a CRC over generation, value and number, the counter's number. Only when the slot is full
 * does the whole record go to the other one. Behind what a cut write left nothing is written.
 */
#ifndef MOTE_SLOTS_H
#define MOTE_SLOTS_H

#include "mote/base.h"
#include "mote/port/storage.h"

enum {
    SLOTS_OVERHEAD = 4 + 4 + 4,
    SLOTS_PAYLOAD_MAX = STORAGE_SLOT_SIZE - SLOTS_OVERHEAD,
    SLOTS_ALL = 0 /* no counter: the whole payload changed */
};

struct slots_layout {
    uint32_t magic;
    size_t len; /* of the payload */
    /* Counters, numbered from 1 to 255 at most, are 4 octets of the payload each, `counter` being
     * where the first is, `stride` how far the next. */
    size_t counter;
    size_t stride;
};

/* Zeroed but for `storage` at the beginning. */
struct slots {
    const struct storage *storage;
    uint32_t generation; /* of the newest record */
    size_t at;           /* where the next change goes */
    /* Something that was written is not whole: one write above what we have may have been, once. */
    bool doubtful;
};

/* Fills `payload` with the newest whole record and its changes. MOTE_E_STATE when nothing was ever
 * stored, MOTE_E_MALFORMED when no record is whole. */
int slots_read(struct slots *slots, const struct slots_layout *layout, uint8_t *payload);

/* Makes `payload` what is stored, durably, or changes nothing. `changed` is the only counter in
 * which it differs from what is stored, or SLOTS_ALL. */
int slots_write(struct slots *slots, const struct slots_layout *layout, const uint8_t *payload,
                uint8_t changed);

#endif
