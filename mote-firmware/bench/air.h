/*
 * A radio channel of 802.15.4 in virtual time, in microseconds: 250 kbit/s, CSMA-CA without slots
 * (802.15.4-2006, section 7.5.1.4), acknowledgements and retries. A frame that overlaps another one
 * at a receiver is lost there, also if the two senders do not hear one another. The same seed
 * repeats a run exactly.
 *
 * With a duty cycle (duty.h) the receivers of all nodes but the first, which has mains, are off but
 * for moments, and senders repeat a frame until one of these moments.
 */
#ifndef MOTE_BENCH_AIR_H
#define MOTE_BENCH_AIR_H

#include "channel.h"

/* True if the node may hand over a frame. */
bool air_is_idle(const struct air *air, uint8_t node);

/* Takes a PSDU without FCS, which is sent when the channel is free. `more`: another frame for the
 * same node follows, as the bit "frame pending" says (802.15.4-2006, section 7.2.1.1.3). */
void air_send(struct air *air, uint8_t node, const uint8_t *psdu, size_t len, bool more);

/* Ends whatever the node sends: its power is off. */
void air_cut(struct air *air, uint8_t node);

/* The time of the next event; UINT64_MAX: none. */
uint64_t air_next(const struct air *air);

/* Handles one event at air_next. */
void air_step(struct air *air);

#endif
