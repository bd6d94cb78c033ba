/*
 * One record in two slots, written in turn: magic, generation, payload, CRC. Power loss during a
 * write leaves the other slot whole. Between calls the newest record lies in slot generation % 2,
 * and only a write that reported success changes what we believe.
 */
#ifndef MOTE_CORE_STORE_SLOTS_H
#define MOTE_CORE_STORE_SLOTS_H

#include "mote/store.h"

enum { SLOTS_OVERHEAD = 4 + 4 + 4, SLOTS_PAYLOAD_MAX = STORAGE_SLOT_SIZE - SLOTS_OVERHEAD };

struct slots {
    const struct storage *storage;
    uint32_t magic;
    size_t len; /* of the payload */
};

/*
 * Fills `payload` with the newest whole record and sets `generation`. MOTE_E_STATE when nothing was
 * ever stored, MOTE_E_MALFORMED when no slot is whole. `damaged`: the other slot is, so that a
 * record above ours may have been whole once.
 */
int slots_read(const struct slots *slots, uint8_t *payload, uint32_t *generation, bool *damaged);

/* Makes `payload` the record of the next generation, durably, or changes nothing. */
int slots_write(const struct slots *slots, const uint8_t *payload, uint32_t *generation);

#endif
