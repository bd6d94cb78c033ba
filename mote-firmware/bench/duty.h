/*
 * A radio duty cycle as ContikiMAC's (Dunkels 2011), on the channel of channel.h. A node wakes
 * every 125 ms, at a time of its own, and senses the channel twice, further apart than a sender's
 * pause between two strobes. If it senses a frame, its receiver stays on until the next one has
 * come. A sender repeats its frame until the acknowledgement, or for a whole interval; a broadcast
 * always for a whole one. With phase lock it begins shortly before the wake-up of a neighbour that
 * has acknowledged a frame before. A receiver stays on for the further frames of a packet, which
 * follow without strobes. Clocks do not drift.
 */
#ifndef MOTE_BENCH_DUTY_H
#define MOTE_BENCH_DUTY_H

#include "channel.h"

enum { DUTY_MAINS = 1 /* the node whose receiver is always on */ };

/* Gives every node its wake-ups. */
void duty_start(struct air *air, enum air_duty duty);

/* The time of the next wake-up, or of the end of one; UINT64_MAX: none. */
uint64_t duty_next(const struct air *air);

/* Handles one wake-up, or the end of one, at the present time; false: there is none. */
bool duty_step(struct air *air);

/* The backoff after a failed attempt. */
uint64_t duty_backoff(struct air *air, const struct air_mac *mac);

/* The sender waits for its target's wake-up, or senses the channel once more: true with the time in
 * `at`. `free`: the channel is. */
bool duty_waits(struct air *air, uint8_t node, bool free, uint64_t *at);

/* A frame begins: notes which receivers are on, and for its sender the end of the series. */
void duty_began(struct air *air, struct air_frame *frame);

/* A strobe has ended: the end of the pause behind it; 0: it was the broadcast's last one. */
uint64_t duty_pause(struct air *air, uint8_t node);

/* The pause is over. */
enum duty_after { DUTY_STROBE, DUTY_LISTEN, DUTY_GIVE_UP };
enum duty_after duty_paused(struct air *air, uint8_t node);

/* The sender has its acknowledgement, or gives the series up. */
void duty_sent(struct air *air, uint8_t node, bool acknowledged);

/* A node has received a frame whose acknowledgement takes so long (0: none); false for one that it
 * has received before. */
bool duty_received(struct air *air, uint8_t node, const struct air_frame *frame, bool wanted,
                   uint64_t ack_us);

#endif
