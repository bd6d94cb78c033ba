/*
 * The frame counters of link security in a counter store: ours, saved ahead before it is used, and
 * how far each neighbour has counted, saved before what came is used. After a restart ours goes on
 * above all that was used, and up to COUNTERS_HEARD_STEP new frames of each neighbour are refused
 * rather than one old one taken. A neighbour has its place for the life of the key: the table
 * forgets none, and has no room for more than its size.
 */
#ifndef MOTE_LINK_COUNTERS_H
#define MOTE_LINK_COUNTERS_H

#include "mote/counter_store.h"
#include "mote/ieee802154.h"

/* Our counter may be used when that is MOTE_OK; where it goes on after a start. */
int link_counters_reserve(struct counter_store *counters, const uint8_t own[EUI64_SIZE],
                          uint32_t counter);
uint32_t link_counters_own(const struct counter_store *counters, const uint8_t own[EUI64_SIZE]);

/* The neighbours that were heard before a start, in the (zeroed) table. */
void link_counters_restore(const struct counter_store *counters, struct frame_counters *heard);

/* What net_security has as `save`, `context` being the counter store. */
int link_counters_save(void *context, const uint8_t eui[EUI64_SIZE], uint32_t counter);

#endif
