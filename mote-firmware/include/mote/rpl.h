/*
 * RPL (RFC 6550) for a node of a non-storing network, compatible with Contiki-NG's RPL-lite: one
 * instance, one DODAG, upward routes through a preferred parent chosen by ETX (RFC 6719 or RFC
 * 6552). Only the root keeps downward routes; it sends source routing headers.
 *
 * A pure state machine: time (ms, wraps), randomness and received packets are parameters, and the
 * caller polls for packets to send. States:
 *
 *   SEARCHING   no DODAG; sends DIS at growing intervals. A usable DIO -> JOINED.
 *   JOINED      has a parent and an address; sends DAOs until one is acknowledged, no DIOs. DAO-ACK
 *               -> REACHABLE; five unanswered DAOs, a refusal (status >= 128) or no usable parent
 *               -> POISONING.
 *   REACHABLE   the root has a route to this node; Trickle sends DIOs, DAOs refresh the route. A
 *               new DTSN or parent -> another DAO, still REACHABLE; unanswered DAOs, a refusal or
 *               no usable parent -> POISONING; a newer DODAG version -> JOINED.
 *   POISONING   sends three DIOs of infinite rank, so that the sub-DODAG chooses other parents.
 *               Then -> SEARCHING.
 */
#ifndef MOTE_RPL_H
#define MOTE_RPL_H

#include "mote/base.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/port/random.h"

enum {
    RPL_NEIGHBOURS = 8,
    RPL_RANK_INFINITE = 0xffff,
    RPL_ETX_ONE = 128,  /* one transmission, in the units of RFC 6719 */
    RPL_LINK_MAX = 512, /* worse links are not used (RFC 6719 section 5) */
    RPL_HYSTERESIS = 96,
    RPL_PATH_MAX = 32768,
    RPL_HOP_BY_HOP_SIZE = 8,
    RPL_MESSAGE_MAX = 160 /* the largest packet of rpl_next_message */
};

enum rpl_code { RPL_DIS = 0, RPL_DIO = 1, RPL_DAO = 2, RPL_DAO_ACK = 3 };

/* The DODAG configuration option (section 6.7.6); own DIOs repeat it as received. */
struct rpl_config {
    uint8_t flags;
    uint8_t doublings;
    uint8_t min_interval; /* Imin is 2^this ms */
    uint8_t redundancy;   /* k; 0: never suppressed */
    uint16_t max_rank_increase;
    uint16_t min_hop_rank_increase;
    uint16_t objective; /* 0: OF0, 1: MRHOF */
    uint8_t lifetime;   /* of a route, in units */
    uint16_t lifetime_unit;
};

/* A prefix information option (section 6.7.10). */
struct rpl_prefix {
    uint8_t len;
    uint8_t flags; /* 0x40: for autonomous address configuration */
    uint32_t valid;
    uint32_t preferred;
    struct ipv6_address prefix;
};

struct rpl_dio {
    uint8_t instance;
    uint8_t version;
    uint16_t rank;
    uint8_t mode; /* grounded flag, mode of operation and preference, as in the message */
    uint8_t dtsn;
    struct ipv6_address dodag;
    bool has_config;
    bool has_prefix;
    struct rpl_config config;
    struct rpl_prefix prefix;
};

/* The body of a DIO. Parsing skips unknown options; MOTE_E_SHORT for a truncated one. */
int rpl_dio_parse(struct rpl_dio *dio, const uint8_t *body, size_t len);
void rpl_dio_write(const struct rpl_dio *dio, struct writer *w);

/* Lollipop sequence counters (RFC 6550 section 7.2): true if `a` is newer than `b`. */
bool rpl_sequence_newer(uint8_t a, uint8_t b);
uint8_t rpl_sequence_next(uint8_t value);

/* The Trickle timer (RFC 6206): t is `begin` + `at`, c is `consistent`. Times in ms. */
struct trickle {
    uint32_t min;
    uint32_t max;
    uint32_t interval;
    uint32_t begin;
    uint32_t at;
    uint8_t redundancy;
    uint8_t consistent;
    bool fired; /* t has passed in this interval */
};

void trickle_start(struct trickle *trickle, uint32_t min, uint8_t doublings, uint8_t redundancy,
                   const struct random *random, uint32_t now);
/* Handles an inconsistency: restarts with the shortest interval, unless that is running. */
void trickle_reset(struct trickle *trickle, const struct random *random, uint32_t now);
/* A consistent message was received. */
void trickle_consistent(struct trickle *trickle);
/* True if a message is to be sent now. */
bool trickle_poll(struct trickle *trickle, const struct random *random, uint32_t now);
/* The time of the next poll. */
uint32_t trickle_due(const struct trickle *trickle);

enum rpl_state { RPL_SEARCHING, RPL_JOINED, RPL_REACHABLE, RPL_POISONING };

struct rpl_neighbour {
    bool used;
    bool measured; /* `etx` was measured, not assumed */
    struct link_address link;
    uint16_t rank;
    uint8_t dtsn;
    uint16_t etx;
    uint32_t tried; /* time of the last unicast to it */
};

struct rpl_node {
    struct link_address link;
    const struct random *random;
    bool leaf; /* never offers itself as a parent (a sleeper) */
    enum rpl_state state;
    struct rpl_dio dodag;        /* advertised: own rank and DTSN, the root's configuration */
    struct ipv6_address address; /* under the DODAG's prefix; unspecified while SEARCHING */
    uint16_t lowest_rank;        /* in this version, the base of MaxRankIncrease */
    struct rpl_neighbour neighbours[RPL_NEIGHBOURS];
    int parent; /* index, or -1 */
    struct trickle trickle;
    uint8_t dao_sequence;
    uint8_t dao_tries;
    bool dao_pending; /* a DAO is to be sent, or sent again, at dao_at */
    uint32_t dao_at;
    uint32_t refresh_at;
    uint32_t dis_at;
    uint32_t dis_interval;
    uint32_t probe_at;
    uint32_t poison_at;
    uint8_t poison_left;
    int answer_to; /* the neighbour that sent a unicast DIS, or -1 */
    uint32_t dropped_loops;
};

/* Starts in SEARCHING. `link` is this node's address; `random` must outlive the node. */
void rpl_start(struct rpl_node *node, const struct link_address *link, const struct random *random,
               uint32_t now);

/* Takes an RPL message: a whole IPv6 packet for this node, from link address `from`. 0, or an
 * error: MOTE_E_UNSUPPORTED for other packets and other instances. */
int rpl_receive(struct rpl_node *node, const uint8_t *packet, size_t len,
                const struct link_address *from, uint32_t now);

/* Reports a unicast transmission: the number of frames sent, and whether it was acknowledged. */
void rpl_transmitted(struct rpl_node *node, const struct link_address *to, unsigned sent,
                     bool acknowledged, uint32_t now);

/* Writes the next packet due at `now` and its link destination. Returns its length, 0 if none is
 * due, or an error. To be called until it returns 0. */
int rpl_next_message(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
                     struct link_address *to);
/* The time of the next packet to send, unless a packet is received earlier. */
uint32_t rpl_due(const struct rpl_node *node);

/*
 * Copies a packet that this node originates to `out`, with the RPL hop-by-hop option if it is
 * routed, and sets `to` to its next hop. Returns the length, MOTE_E_STATE without a parent, or
 * MOTE_E_SPACE.
 */
int rpl_originate(const struct rpl_node *node, const uint8_t *packet, size_t len, uint8_t *out,
                  size_t size, struct link_address *to);

enum rpl_verdict { RPL_DELIVER = 0, RPL_FORWARD = 1 };

/*
 * Routes a received packet. Returns RPL_DELIVER; RPL_FORWARD to `to`, with hop limit, rank and
 * source routing header updated in place; or an error, and the caller drops the packet.
 * MOTE_E_REPLAY is a routing loop.
 */
int rpl_route(struct rpl_node *node, uint8_t *packet, size_t len, struct link_address *to,
              uint32_t now);

#endif
