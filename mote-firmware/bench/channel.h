/*
 * The state of the radio channel of air.h and of its duty cycle (duty.h): nodes, their MACs and
 * receivers, and frames on the air.
 */
#ifndef MOTE_BENCH_CHANNEL_H
#define MOTE_BENCH_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mote/ieee802154.h"

enum { AIR_NODES = 24, AIR_FLYING = 2 * AIR_NODES };

/* AIR_PHASE_LOCK: senders know the wake-ups of neighbours that have acknowledged a frame. */
enum air_duty { AIR_ALWAYS_ON, AIR_STROBES, AIR_PHASE_LOCK };

/* BACKOFF until the channel is sensed, TURNING until the frame begins, WAITING for the
 * acknowledgement; `at` is when the state ends. */
enum air_state { AIR_IDLE, AIR_BACKOFF, AIR_TURNING, AIR_SENDING, AIR_WAITING };

struct air_mac {
    enum air_state state;
    uint64_t at;
    uint8_t psdu[FRAME_MAX];
    size_t len;
    bool ack_request;
    bool more;
    uint8_t seq;
    unsigned exponent, backoffs, tries;
    bool ack_due; /* an acknowledgement will begin at `ack_at` */
    uint64_t ack_at;
    uint8_t ack_seq;
    uint8_t target; /* 0: a broadcast */
};

/* The duty cycle of one node; 0 for a time: none. */
struct air_radio {
    uint64_t wake_at;  /* the next wake-up */
    uint64_t sense_at; /* the second sensing of this wake-up */
    uint64_t on_since; /* the receiver is on from this time */
    uint64_t on_until; /* until this time */
    uint64_t began;    /* the last strobe */
    uint64_t ended;
    uint64_t series_end; /* of the strobes */
    bool sensed;         /* the channel was free once before this series */
    bool aligned;        /* the series waited for the target's wake-up */
    bool locked[AIR_NODES];
    uint64_t phase[AIR_NODES]; /* a strobe that a neighbour acknowledged */
    uint8_t awaiting; /* the neighbour that keeps its receiver on for this node's next frame */
    uint64_t awaited_until; /* until this time */
    uint64_t heard_at[AIR_NODES];
    uint8_t heard_seq[AIR_NODES];
};

/* A frame on the air. `spoilt` marks the receivers where another frame overlaps it. */
struct air_frame {
    bool used;
    bool ack;
    bool more;
    uint8_t from;
    uint8_t seq;
    uint64_t begin, end;
    uint8_t psdu[FRAME_MAX];
    size_t len;
    bool spoilt[AIR_NODES];
    bool caught[AIR_NODES]; /* the receiver was on when it began */
};

/* The owner of the stacks. Nodes are numbered from 1. */
struct air_user {
    /* Called for each received frame that was not sent to another node. */
    void (*heard)(void *context, uint8_t node, const uint8_t *psdu, size_t len);
    /* Called when a frame is acknowledged, or given up after this number of transmissions. */
    void (*done)(void *context, uint8_t node, unsigned transmissions, bool acknowledged);
    void *context;
};

struct air {
    struct air_user user;
    uint64_t now;
    uint64_t dice;
    uint32_t loss; /* of a million frames, at each receiver, in addition to collisions */
    uint8_t nodes; /* the highest number */
    bool hears[AIR_NODES][AIR_NODES];
    struct air_mac macs[AIR_NODES];
    enum air_duty duty;
    struct air_radio radios[AIR_NODES];
    struct air_frame flying[AIR_FLYING];
    struct link_address links[AIR_NODES];
    /* Counters: unicast data with retries, the airtime of all frames by sender, collisions. `rx_us`
     * is the time that a receiver was on with a duty cycle, else the airtime of received frames. */
    uint32_t data_frames, data_octets, collisions;
    uint64_t tx_us[AIR_NODES], rx_us[AIR_NODES];
};

/* The next random number. */
uint64_t air_roll(struct air *air);

/* True if the node hears a frame now. */
bool air_is_busy(const struct air *air, uint8_t node);

#endif
