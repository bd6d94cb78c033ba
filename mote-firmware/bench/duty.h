/*
 * A radio duty cycle like ContikiMAC's (Dunkels 2011), on the channel of channel.h. Each node wakes
 * every 125 ms, at its own phase, and senses the channel twice, further apart than a sender's pause
 * between two strobes. If it senses a frame, its receiver stays on until the next frame has
 * arrived. A sender repeats its frame until the acknowledgement, or for a whole interval; a
 * broadcast always takes a whole interval. With phase lock a sender begins shortly before the
 * wake-up of a neighbour that has acknowledged an earlier frame. A receiver stays on for the
 * further frames of a packet, which follow without strobes. Clocks do not drift.
 */
#ifndef MOTE_BENCH_DUTY_H
#define MOTE_BENCH_DUTY_H

#include "channel.h"

enum { DUTY_MAINS = 1 /* the node whose receiver is always on */ };

/* Sets the wake-ups of every node. */
void duty_start(struct air *air, enum air_duty duty);

/* The time of the next start or end of a wake-up; UINT64_MAX: none. */
uint64_t duty_next(const struct air *air);

/* Handles the start or end of one wake-up at the present time; false if there is none. */
bool duty_step(struct air *air);

/* The backoff after a failed attempt. */
uint64_t duty_backoff(struct air *air, const struct air_mac *mac);

/* True, with the time in `at`, if the sender waits for its target's wake-up or senses the channel
 * once more. `free`: the channel is free. */
bool duty_waits(struct air *air, uint8_t node, bool free, uint64_t *at);

/* Handles the begin of a frame: notes which receivers are on, and for its sender the end of the
 * series. */
void duty_began(struct air *air, struct air_frame *frame);

/* Handles the end of a strobe. Returns the end of the pause after it; 0: it was the broadcast's
 * last strobe. */
uint64_t duty_pause(struct air *air, uint8_t node);

/* The action after the pause. */
enum duty_after { DUTY_STROBE, DUTY_LISTEN, DUTY_GIVE_UP };
enum duty_after duty_paused(struct air *air, uint8_t node);

/* Ends the series: the sender has its acknowledgement, or gives up. */
void duty_sent(struct air *air, uint8_t node, bool acknowledged);

/* Handles a received frame; its acknowledgement takes the given time (0: none). False for a frame
 * that the node has received before. */
bool duty_received(struct air *air, uint8_t node, const struct air_frame *frame, bool wanted,
                   uint64_t ack_us);

#endif
