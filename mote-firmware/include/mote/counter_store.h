/*
 * Counters that no loss of power may turn back: our frame counter, our associations' sequence
 * numbers (which are the IVs too), and how far others have counted. Each has a limit that is saved
 * ahead: our own counters stay below theirs, and what others have sent up to theirs counts as
 * seen. After a restart each goes on at its limit.
 */
#ifndef MOTE_COUNTER_STORE_H
#define MOTE_COUNTER_STORE_H

#include "mote/slots.h"

enum {
    COUNTER_NAME = 9, /* the caller's: a kind and, say, an EUI-64 */
    COUNTERS_MAX = 24,
    COUNTERS_OWN_STEP = 1024, /* of what we send: rarely written */
    COUNTERS_HEARD_STEP = 16  /* of what we hear: as much is refused after a restart */
};

struct counter {
    uint8_t name[COUNTER_NAME]; /* all zeros: not in use */
    uint32_t limit;
};

struct counter_store {
    struct slots slots;
    struct counter entries[COUNTERS_MAX];
};

/* Empty storage is a beginning. MOTE_E_MALFORMED when both slots are damaged, MOTE_E_IO. */
int counter_store_open(struct counter_store *counters, const struct storage *storage);

/* Where a counter stands after a restart; 0: never saved. */
uint32_t counter_store_limit(const struct counter_store *counters,
                             const uint8_t name[COUNTER_NAME]);

/*
 * Before `value` is used, or what it came with is: makes the limit of that name larger than
 * `value`, durably, by `step` at a time. MOTE_E_SPACE for a name too many, MOTE_E_STATE at the end
 * of the numbers, MOTE_E_IO: then it may not be used.
 */
int counter_store_reserve(struct counter_store *counters, const uint8_t name[COUNTER_NAME],
                          uint32_t value, uint32_t step);

#endif
