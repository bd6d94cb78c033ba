/*
 * The network stack of a mote: 802.15.4 frames with link security, 6LoWPAN, RPL (or, without it,
 * one link-local hop), IPsec for each peer, ICMPv6 echo, UDP. Its inputs are frames and time; its
 * outputs are frames and datagrams. The port provides the MAC (channel access, acknowledgements,
 * retransmission), the caller all memory.
 *
 * Between calls: queue entries that are `used` and `ready` wait for transmission, lowest `order`
 * first. `sending` is the entry whose frames `sender` produces. `delivered` is the entry with the
 * last returned datagram, kept until the next net_receive. -1 stands for no entry.
 */
#ifndef MOTE_NET_H
#define MOTE_NET_H

#include "mote/base.h"
#include "mote/crypto.h"
#include "mote/ieee802154.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "mote/ipv6_fragments.h"
#include "mote/link_address.h"
#include "mote/port/random.h"
#include "mote/rpl.h"
#include "mote/sa_entries.h"
#include "mote/sixlowpan.h"

/* ICMPv6 errors: NET_ERRORS at once, then one in NET_ERROR_MS. */
enum {
    NET_RECENT = 8,
    NET_IPSEC_READERS = 8,
    NET_HOP_LIMIT = 64,
    NET_ERRORS = 4,
    NET_ERROR_MS = 1000
};

struct net_packet {
    bool used;
    bool ready; /* for transmission to `to` */
    uint32_t order;
    struct link_address to;
    size_t len;
    uint8_t *octets; /* the caller's, `size` of them */
    size_t size;
};

/* Link security: one key for the network. */
struct net_security {
    uint8_t level;      /* 0: none; 4 (no MIC) only with `allow_level_4` */
    bool allow_level_4; /* level 4 encrypts but authenticates nothing */
    uint8_t key_mode;   /* 0 or 1 */
    uint8_t key_index;  /* with key mode 1 */
    uint8_t key[AES_BLOCK];
    const struct aes128 *aes;
    uint32_t counter;  /* of the next frame */
    uint32_t reserved; /* the first counter that may not be used yet: lower ones are saved */
    struct frame_counters replay;
    /* Saves a sender's counter before its frame is used; an error drops the frame. NULL: counters
     * are lost when the process ends. */
    int (*save)(void *context, const uint8_t eui[EUI64_SIZE], uint32_t counter);
    void *save_context;
};

/* Counters of packets and frames. The layer that drops a packet counts it. */
struct net_counts {
    uint32_t sent, received, forwarded, delivered;
    uint32_t bad_frame, not_ours, insecure, bad_mic, replayed, bad_lowpan, bad_ip, no_route;
    uint32_t queue_full, unprotected, bad_ipsec, unrecognized, unacknowledged, bad_fragment;
};

/* The last frame of a neighbour, to recognise retransmissions. */
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
    bool routed; /* by RPL; else one link-local hop */
    struct rpl_node rpl;
    struct lowpan lowpan;
    struct lowpan_receiver receiver;
    struct lowpan_sender sender;
    struct net_packet *queue;
    size_t queue_size;
    uint32_t order;
    int sending;
    int delivered;
    bool ipsec_compressed; /* all neighbours decompress AH and ESP (docs/protocol.md section 9) */
    /* The neighbours that sent compressed AH or ESP: they also receive it compressed. */
    struct link_address ipsec_readers[NET_IPSEC_READERS];
    size_t next_ipsec_reader;
    /* The low octets of sequence numbers, 1 or 2, towards neighbours that are the end of an
     * association; 0: numbers are whole. `number_known` has received a whole number,
     * `number_whole` says whether the packet being sent has one. */
    uint8_t number_octets;
    bool number_whole;
    struct link_address number_known;
    struct net_security security;
    const struct ipsec_crypto *crypto; /* NULL without peers */
    const struct net_peer *peers;
    size_t peer_count;
    /* Called before an outbound association seals, to reserve its next number, and after an inbound
     * one has opened a packet, to store its top. An error drops the packet. NULL: the caller
     * reserves and stores. */
    int (*save_number)(void *context, struct ipsec_sa *sa);
    void *save_number_context;
    /* Reassembles packets for this mote that their source fragmented; NULL: they are dropped. */
    struct ipv6_reassembler *reassembler;
    struct net_recent recent[NET_RECENT];
    uint8_t errors; /* ICMPv6 errors that count against NET_ERRORS, since `errors_at` */
    uint32_t errors_at;
    struct net_counts counts;
};

struct net_datagram {
    struct ipv6_address src;
    struct ipv6_address dst;
    struct udp udp; /* the payload is valid until the next net_receive */
};

/*
 * Starts the stack. The caller has zeroed the struct and set `eui`, `pan`, `routed`, `rpl.leaf`,
 * `lowpan`, `receiver`, `queue`, `security`, `peers` and `reassembler`. This function sets the
 * forms in `lowpan`, because every stack reads compressed AH and ESP. The queue needs at least
 * three entries: a packet, its IPsec form, and the form to send. MOTE_E_UNSUPPORTED for level 4
 * without `allow_level_4`.
 */
int net_start(struct net *net, const struct random *random, uint32_t now);

/* Initializes a queue of `count` entries; each entry gets `each` octets of `octets`. */
void net_queue_init(struct net *net, struct net_packet *queue, size_t count, uint8_t *octets,
                    size_t each);

/* This mote's address: under the mesh prefix once joined, else link-local. */
struct ipv6_address net_address(const struct net *net);

/* True if datagrams can be sent: always with one hop, and with RPL once the root has acknowledged a
 * route to this mote. */
bool net_ready(const struct net *net);

/*
 * Takes a received PSDU without FCS, which the port has acknowledged. Returns MOTE_OK and, in
 * `datagram`, a UDP message for this mote (payload NULL: none), or the reason why the frame was
 * dropped. Dropped frames are counted.
 */
int net_receive(struct net *net, const uint8_t *psdu, size_t len, uint32_t now,
                struct net_datagram *datagram);

/* Queues a UDP message. 0, MOTE_E_STATE without a route, or MOTE_E_SPACE if the queue is full or
 * the packet is longer than the mesh carries. */
int net_send(struct net *net, const struct ipv6_address *dst, const struct udp *udp);

/* Queues an IPv6 packet that needs no protection, such as one with finished ESP. Errors as for
 * net_send. */
int net_send_packet(struct net *net, const uint8_t *packet, size_t len);

/*
 * Writes the next PSDU (without FCS) to transmit. Returns its length, 0 if there is none, or an
 * error for a packet that cannot be sent. Its acknowledgement request bit says whether to wait for
 * an acknowledgement. After each frame the MAC calls net_transmitted before it asks for the next.
 */
int net_next_frame(struct net *net, uint32_t now, uint8_t *psdu, size_t size);

/* Reports the last frame's number of transmissions and whether it was acknowledged (true for
 * broadcasts). */
void net_transmitted(struct net *net, unsigned transmissions, bool acknowledged, uint32_t now);

/* The time (ms, wraps) of the next frame, unless a frame arrives or the caller sends earlier. */
uint32_t net_due(const struct net *net, uint32_t now);

#endif
