/*
 * A radio channel of 802.15.4 in virtual time, in microseconds: 250 kbit/s, CSMA-CA without slots
 * (802.15.4-2006, section 7.5.1.4), acknowledgements and retries. A frame that overlaps another at
 * a receiver is lost there, also if the two senders do not hear each other. The same seed repeats a
 * run exactly.
 *
 * With a duty cycle (duty.h), only the first node, on mains power, has its receiver always on. The
 * receivers of the other nodes are on for moments, and senders repeat a frame until such a moment.
 */
#ifndef MOTE_BENCH_AIR_H
#define MOTE_BENCH_AIR_H

#include "channel.h"

/* True if the node may hand over a frame. */
bool air_is_idle(const struct air *air, uint8_t node);

/* Takes a PSDU without FCS and sends it when the channel is free. `more`: another frame for the
 * same node follows, as announced by the bit "frame pending" (802.15.4-2006, section 7.2.1.1.3). */
void air_send(struct air *air, uint8_t node, const uint8_t *psdu, size_t len, bool more);

/* Ends the node's transmission: its power is off. */
void air_cut(struct air *air, uint8_t node);

/* The time of the next event; UINT64_MAX: none. */
uint64_t air_next(const struct air *air);

/* Handles one event at air_next. */
void air_step(struct air *air);

#endif
