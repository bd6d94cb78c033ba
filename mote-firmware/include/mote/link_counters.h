/*
 * The frame counters of link security in a counter store: our own, reserved before it is used, and
 * each neighbour's, saved before a received frame is used. After a restart our counter continues
 * above all used values. To accept no old frame twice, up to COUNTERS_RECEIVED_STEP new frames of
 * each neighbour are then refused. A neighbour keeps its entry for the life of the key, because the
 * counters of a gateway begin again with a new one; when the table is full, frames of further
 * neighbours are refused. Our own counter continues under a new key.
 */
#ifndef MOTE_LINK_COUNTERS_H
#define MOTE_LINK_COUNTERS_H

#include <stdint.h>

#include "mote/counter_store.h"
#include "mote/crypto.h"
#include "mote/ieee802154.h"
#include "mote/link_address.h"

/*
 * Continues with a key, or begins a new one: then no neighbour has been heard. A network must not
 * return to a former key, because its recorded frames would be accepted. To be called before
 * link_counters_restore. Errors as for counter_store_reserve; the driver holds `key` afterwards.
 */
int link_counters_begin(struct counter_store *counters, const struct aes128 *aes,
                        const uint8_t key[AES_BLOCK]);

/* Reserves our own counter up to and including `counter`. Errors as for counter_store_reserve. */
int link_counters_reserve(struct counter_store *counters, const uint8_t own[EUI64_SIZE],
                          uint32_t counter);

/* Our first counter that is certainly unused. Sending continues from it after a start. */
uint32_t link_counters_own(const struct counter_store *counters, const uint8_t own[EUI64_SIZE]);

/* Fills the (zeroed) replay table with the neighbours' stored counters. */
void link_counters_restore(const struct counter_store *counters, struct frame_counters *replay);

/* Saves a neighbour's counter. Usable as `save` of struct net_security; `context` is the counter
 * store. */
int link_counters_save(void *context, const uint8_t eui[EUI64_SIZE], uint32_t counter);

#endif
