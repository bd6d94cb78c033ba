/*
 * Persistent counters that never decrease: the node's own frame counter, the sequence numbers of
 * associations (which are also IVs), and the highest counters received from others. Each has a
 * stored limit: own counters stay below it, and received ones below it count as seen. After a
 * restart each counter continues at its limit.
 */
#ifndef MOTE_COUNTER_STORE_H
#define MOTE_COUNTER_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "mote/port/storage.h"
#include "mote/slots.h"

enum {
    COUNTER_NAME = 9, /* octets: a kind and, for instance, an EUI-64 */
    COUNTERS_MAX = 24,
    COUNTERS_OWN_STEP = 1024,   /* for own frames: few writes */
    COUNTERS_SENT_STEP = 256,   /* for packets sent under an association */
    COUNTERS_RECEIVED_STEP = 16 /* for received ones; up to this many are refused after a restart */
};

/* The kinds that the store knows; the steps of others are at most COUNTERS_OWN_STEP. */
enum {
    COUNTER_HEARD = 'H',       /* frames of a neighbour */
    COUNTER_ASSOCIATION = 'A', /* packets of an association, sent or received */
    COUNTER_BLOCKS = 'B'       /* its stored blocks; the rest of the name is the same */
};

struct counter {
    uint8_t name[COUNTER_NAME]; /* all zeros: free entry */
    uint32_t limit;
};

struct counter_store {
    struct slots slots;
    struct counter entries[COUNTERS_MAX];
    const uint8_t (*associations)[COUNTER_NAME]; /* the present ones; NULL: not known */
    size_t association_count;
};

/* Reads the counters; empty storage has none. MOTE_E_MALFORMED if both slots are damaged,
 * MOTE_E_IO. */
int counter_store_open(struct counter_store *counters, const struct storage *storage);

/*
 * Frees the entries of a kind, except those with the `count` names in `keep`; names are compared
 * without their kind. This does not write to the storage: the next write for a new counter does.
 */
void counter_store_forget(struct counter_store *counters, uint8_t kind,
                          const uint8_t (*keep)[COUNTER_NAME], size_t count);

/*
 * Names the `count` present associations; `names` must outlive the store. When the store is full,
 * the counters of all other associations make room for a new one. If such an association returns,
 * its numbers count as lost.
 */
void counter_store_keep(struct counter_store *counters, const uint8_t (*names)[COUNTER_NAME],
                        size_t count);

/* The stored limit of a counter; 0: never stored. */
uint32_t counter_store_limit(const struct counter_store *counters,
                             const uint8_t name[COUNTER_NAME]);

/*
 * Stores `value` + `step` as the limit, unless the stored limit is above `value` already. To be
 * called before `value`, or the packet that carried it, is used. On an error `value` must not be
 * used: MOTE_E_SPACE for more than COUNTERS_MAX names, MOTE_E_STATE at the end of the number space,
 * MOTE_E_IO.
 */
int counter_store_reserve(struct counter_store *counters, const uint8_t name[COUNTER_NAME],
                          uint32_t value, uint32_t step);

#endif
