/*
 * The network side of a mote as one thing: 802.15.4 frames with link security, 6LoWPAN, RPL
 * (or one hop, link-local, without), IPsec towards one peer, ICMPv6 echo, UDP. Frames and time go
 * in, frames and datagrams come out; the MAC (channel access, acknowledgements, retries) is the
 * port's. All memory is the caller's.
 *
 * Between calls `queue` entries that are `used` wait to be sent, oldest `order` first; the one
 * that `sender` takes frames of is `sending` (-1: none), and `delivered` (-1: none) is the entry
 * that the last datagram handed out lies in, kept until the next call of net_frame.
 */
#ifndef MOTE_NET_H
#define MOTE_NET_H

#include "mote/ipsec.h"
#include "mote/rpl.h"
#include "mote/sixlowpan.h"

enum { NET_RECENT = 8, NET_HOP_LIMIT = 64 };

struct net_packet {
    bool used;
    bool ready; /* to be sent */
    uint32_t order;
    struct link_address to;
    size_t len;
    uint8_t *octets; /* the caller's, `size` of them */
    size_t size;
};

/* Link security: one key for the network. */
struct net_security {
    uint8_t level;     /* 0: none; 4 (no MIC) only with `level_4` */
    bool level_4;      /* the network names level 4, which authenticates nothing */
    uint8_t key_mode;  /* 0 or 1 */
    uint8_t key_index; /* of mode 1 */
    uint8_t key[AES_BLOCK];
    const struct aes128 *aes;
    uint32_t counter;  /* the next to use */
    uint32_t reserved; /* the first that may not be used: what is below is saved */
    struct frame_counters heard;
    /* Makes a sender's counter durable, before what came with it is used; an error drops that.
     * NULL: the counters do not outlive the process. */
    int (*save)(void *context, const uint8_t eui[EUI64_SIZE], uint32_t counter);
    void *save_context;
};

/* The policy for one peer: what goes to it leaves through `out`, and nothing but ICMPv6 is taken
 * from it that did not come through `in`. Of two peers with one SPI each is found by its address.
 */
struct net_peer {
    struct ipv6_address address;
    struct ipsec_sa *out;
    struct ipsec_sa *in;
};

struct net_counts {
    uint32_t sent, received, forwarded, delivered;
    uint32_t bad_frame, not_ours, insecure, bad_mic, replayed, bad_lowpan, bad_ip, no_route;
    uint32_t no_room, unprotected, bad_ipsec, unacknowledged;
};

struct net_recent {
    bool used;
    uint8_t seq;
    struct link_address src;
    uint32_t at;
};

struct net {
    struct link_address link;
    uint8_t eui[EUI64_SIZE];
    uint16_t pan;
    uint8_t seq;
    uint16_t tag;
    bool routed; /* RPL; else one hop, link-local */
    struct rpl_node rpl;
    struct lowpan lowpan;
    struct lowpan_receiver receiver;
    struct lowpan_sender sender;
    struct net_packet *queue;
    size_t queue_size;
    uint32_t order;
    int sending;
    int delivered;
    bool ipsec_compressed; /* the neighbours know the compressed AH and ESP */
    struct net_security security;
    const struct ipsec_crypto *crypto; /* NULL without peers */
    const struct net_peer *peers;
    size_t peer_count;
    struct net_recent recent[NET_RECENT];
    struct net_counts counts;
};

struct net_datagram {
    struct ipv6_address src;
    struct ipv6_address dst;
    struct udp udp; /* the payload is valid until the next net_frame */
};

/*
 * Before: zero the struct and set `eui`, `pan`, `routed`, `rpl.leaf`, `lowpan`, `receiver`,
 * `queue`, `security` and `peers` as wanted. At least three queue entries: one to work in, one for
 * what IPsec makes of it, one to send. MOTE_E_UNSUPPORTED for level 4 that nobody named.
 */
int net_start(struct net *net, const struct random *random, uint32_t now);

/* Makes `count` entries of `octets`, `each` for every one, the queue. */
void net_queue_init(struct net *net, struct net_packet *queue, size_t count, uint8_t *octets,
                    size_t each);

/* The address others reach us at: under the mesh prefix once joined, else link-local. */
struct ipv6_address net_address(const struct net *net);
/* Whether datagrams will find their way: always with one hop, else once the root knows us. */
bool net_ready(const struct net *net);

/*
 * Takes a PSDU without FCS. MOTE_OK, and in `datagram` a UDP message for us (payload NULL: none).
 * An error says why it was dropped; the counters too. The port has acknowledged it before.
 */
int net_frame(struct net *net, const uint8_t *psdu, size_t len, uint32_t now,
              struct net_datagram *datagram);

/* Queues a UDP message; MOTE_E_STATE without a route, MOTE_E_SPACE when the queue is full. */
int net_send(struct net *net, const struct ipv6_address *dst, const struct udp *udp);

/*
 * The next PSDU without FCS to transmit, 0 if there is none; its acknowledgement bit says whether
 * one is to be waited for. After each, the MAC calls net_sent before it asks again.
 */
int net_next(struct net *net, uint32_t now, uint8_t *psdu, size_t size);
/* How the last one went: transmissions, and whether it was acknowledged (true for broadcasts). */
void net_sent(struct net *net, unsigned transmissions, bool acknowledged, uint32_t now);

/* When net_next will have something without anything happening before. */
uint32_t net_due(const struct net *net, uint32_t now);

#endif
