/*
 * RPL (RFC 6550) as a node of a non-storing network sees it, the way Contiki-NG's RPL-lite lives
 * it: one instance, one DODAG, upward routes through a preferred parent chosen by ETX (RFC 6719,
 * or RFC 6552), downward routes kept by the root alone, which sends source routing headers.
 *
 * A pure state machine: time (ms, may wrap), randomness and what arrives are parameters; what is
 * to be sent is asked for. States:
 *
 *   SEARCHING   no DODAG; sends DIS, ever more rarely.
 *               A usable DIO leads to JOINED.
 *   JOINED      has a parent and an address; sends DAOs until one is acknowledged, no DIO.
 *               DAO-ACK -> REACHABLE; five unanswered DAOs, a refusal (status >= 128), no usable
 *               parent -> POISONING.
 *   REACHABLE   the root can reach us; Trickle sends DIOs, DAOs refresh the route.
 *               DTSN or parent changes -> a new DAO, still REACHABLE; DAO never answered, a
 *               refusal, no usable parent -> POISONING; a newer version -> JOINED.
 *   POISONING   three DIOs of infinite rank, so that the sub-DODAG looks elsewhere; then
 *               SEARCHING.
 */
#ifndef MOTE_RPL_H
#define MOTE_RPL_H

#include "mote/ipv6.h"

enum {
    RPL_NEIGHBOURS = 8,
    RPL_RANK_INFINITE = 0xffff,
    RPL_ETX_ONE = 128,  /* one transmission, in the units of RFC 6719 */
    RPL_LINK_MAX = 512, /* a worse link is none (RFC 6719 section 5) */
    RPL_HYSTERESIS = 96,
    RPL_PATH_MAX = 32768,
    RPL_HOP_BY_HOP_SIZE = 8,
    RPL_MESSAGE_MAX = 160 /* the largest packet that rpl_next makes */
};

enum rpl_code { RPL_DIS = 0, RPL_DIO = 1, RPL_DAO = 2, RPL_DAO_ACK = 3 };

/* The DODAG configuration option (section 6.7.6), replicated downwards as it came. */
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
    uint8_t flags; /* 0x40: addresses may be made from it */
    uint32_t valid;
    uint32_t preferred;
    struct ipv6_address prefix;
};

struct rpl_dio {
    uint8_t instance;
    uint8_t version;
    uint16_t rank;
    uint8_t mode; /* grounded, mode of operation, preference: as in the message */
    uint8_t dtsn;
    struct ipv6_address dodag;
    bool has_config;
    bool has_prefix;
    struct rpl_config config;
    struct rpl_prefix prefix;
};

int rpl_dio_parse(struct rpl_dio *dio, const uint8_t *body, size_t len);
void rpl_dio_write(const struct rpl_dio *dio, struct writer *w);

/* RFC 6550 section 7.2: whether `a` is newer than `b`. */
bool rpl_sequence_newer(uint8_t a, uint8_t b);
uint8_t rpl_sequence_next(uint8_t value);

/* RFC 6206. `at` is when to transmit in the interval that began at `begin`. */
struct trickle {
    uint32_t min;
    uint32_t max;
    uint32_t interval;
    uint32_t begin;
    uint32_t at;
    uint8_t redundancy;
    uint8_t heard;
    bool fired;
};

void trickle_start(struct trickle *trickle, uint32_t min, uint8_t doublings, uint8_t redundancy,
                   const struct random *random, uint32_t now);
/* An inconsistency: the shortest interval again, unless it is running. */
void trickle_reset(struct trickle *trickle, const struct random *random, uint32_t now);
void trickle_hear(struct trickle *trickle); /* something consistent */
/* True when a message is to be sent now. */
bool trickle_poll(struct trickle *trickle, const struct random *random, uint32_t now);
/* When to poll next. */
uint32_t trickle_due(const struct trickle *trickle);

enum rpl_state { RPL_SEARCHING, RPL_JOINED, RPL_REACHABLE, RPL_POISONING };

struct rpl_neighbour {
    bool used;
    bool measured; /* `etx` comes from transmissions, not from a guess */
    struct link_address link;
    uint16_t rank;
    uint8_t dtsn;
    uint16_t etx;
    uint32_t tried; /* the last unicast to it */
};

struct rpl_node {
    struct link_address link;
    const struct random *random;
    bool leaf; /* never offers itself as a parent (a sleeper) */
    enum rpl_state state;
    struct rpl_dio dodag; /* what we advertise: our rank, our DTSN, the root's configuration */
    struct ipv6_address address; /* under the DODAG's prefix; unspecified while SEARCHING */
    uint16_t lowest_rank;        /* in this version: MaxRankIncrease counts from it */
    struct rpl_neighbour neighbours[RPL_NEIGHBOURS];
    int parent; /* index, or -1 */
    struct trickle trickle;
    uint8_t dao_sequence;
    uint8_t dao_tries;
    bool dao_pending; /* one is to be sent or waits for its acknowledgement, at dao_at */
    uint32_t dao_at;
    uint32_t refresh_at;
    uint32_t dis_at;
    uint32_t dis_interval;
    uint32_t probe_at;
    uint32_t poison_at;
    uint8_t poison_left;
    int answer_to; /* neighbour that sent a unicast DIS, or -1 */
    uint32_t dropped_loops;
};

/* Starts SEARCHING. `link` is our EUI-64 or short address; `random` outlives the node. */
void rpl_start(struct rpl_node *node, const struct link_address *link, const struct random *random,
               uint32_t now);

/* Takes an RPL message: a whole IPv6 packet for us, from link address `from`. MOTE_E_UNSUPPORTED
 * for what is no RPL message or not for this instance. */
int rpl_receive(struct rpl_node *node, const uint8_t *packet, size_t len,
                const struct link_address *from, uint32_t now);

/* What a transmission to a neighbour took: `sent` frames, and whether it was acknowledged. */
void rpl_transmitted(struct rpl_node *node, const struct link_address *to, unsigned sent,
                     bool acknowledged, uint32_t now);

/* The next packet due at `now`: its length and link destination, 0 if there is none, or an error.
 * Call until it gives 0. */
int rpl_next(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
             struct link_address *to);
/* When rpl_next will have something, unless something arrives earlier. */
uint32_t rpl_due(const struct rpl_node *node);

/*
 * A packet of ours on its way: copies it to `out`, with the RPL hop-by-hop option if it goes up,
 * and names the neighbour it goes to. Returns the length, MOTE_E_STATE without a parent, or
 * MOTE_E_SPACE.
 */
int rpl_originate(const struct rpl_node *node, const uint8_t *packet, size_t len, uint8_t *out,
                  size_t size, struct link_address *to);

enum rpl_verdict { RPL_DELIVER = 0, RPL_FORWARD = 1 };

/*
 * What to do with a received packet: RPL_DELIVER, or RPL_FORWARD to `to` after changing it in place
 * (hop limit, rank, source routing header), or an error: drop it. MOTE_E_REPLAY is a routing loop.
 */
int rpl_route(struct rpl_node *node, uint8_t *packet, size_t len, struct link_address *to,
              uint32_t now);

#endif
