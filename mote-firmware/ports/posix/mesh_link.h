/*
 * The link to the mirror over several hops: the mote is a router of the RPL mesh (core/net) over
 * MAC and ZEP. It forwards packets of other nodes and never sleeps.
 */
#ifndef MOTE_PORTS_POSIX_MESH_LINK_H
#define MOTE_PORTS_POSIX_MESH_LINK_H

#include "mac.h"
#include "mote/coap_server.h"
#include "mote/link_counters.h"
#include "mote/net.h"
#include "port.h"

enum {
    MESH_QUEUE = 10,
    MESH_SLOTS = 4,
    MESH_FRAGMENTED = 2, /* IPv6 packets that are reassembled at a time */
    MESH_UDP_PORT = 5683,
    MESH_ECHO_PORT = 7,
    MESH_ANSWER_MAX = 256,
    MESH_NEIGHBOURS = COUNTERS_MAX - 2 /* the others: our own counter, the key */
};

/* fd00::/64, context 0 of every neighbour, as in Contiki-NG. */
extern const struct lowpan_context MESH_CONTEXT;

/* Link security with one network key, implicit (key id mode 0). */
struct mesh_security {
    uint8_t level;
    uint8_t key[AES_BLOCK];
    const struct aes128 *aes;
    struct counter_store *counters; /* open, with link_counters_begin; stores the frame counters */
};

struct mesh_link {
    struct zep zep;
    struct mac mac;
    struct net net;
    struct net_packet queue[MESH_QUEUE];
    uint8_t packets[MESH_QUEUE][IPV6_REASSEMBLY_SIZE];
    struct lowpan_slot slots[MESH_SLOTS];
    uint8_t datagrams[MESH_SLOTS][LOWPAN_DATAGRAM_MAX];
    uint8_t single[LOWPAN_SINGLE_MAX];
    struct ipv6_reassembler reassembler;
    struct ipv6_reassembly fragmented[MESH_FRAGMENTED];
    uint8_t fragments[MESH_FRAGMENTED][IPV6_REASSEMBLY_SIZE];
    struct ipv6_address mirror;
    uint16_t mirror_port;
    struct counter_store *counters; /* NULL: frames are not secured */
    struct frame_counter heard[MESH_NEIGHBOURS];
    /* Answers requests from the mesh and from beyond its root. NULL after mesh_link_open: no
     * server. */
    const struct coap_server *server;
    /* Writes the next packet with finished ESP, for the otherwise idle radio. Returns its length, 0
     * if there is none. NULL: no source. */
    size_t (*source)(void *context, uint8_t *out, size_t size);
    void *source_context;
    struct ipv6_address requester; /* of the request that the server is handling */
    bool echo;                     /* send datagrams to MESH_ECHO_PORT back (RFC 862) */
    uint16_t server_id; /* message id of the next response to a non-confirmable request */
};

/* `mirror` is a unicast address; addresses that are not link-local are routed to the root.
 * `security` is NULL for none. Returns 0, or -1 with a sentence in `problem`. */
int mesh_link_open(struct mesh_link *mesh, const char *ether_host, const char *ether_port,
                   const uint8_t eui64[EUI64_SIZE], const struct ipv6_address *mirror,
                   uint16_t mirror_port, const struct mesh_security *security,
                   const struct random *random, uint64_t now, struct link *link, char *problem,
                   size_t problem_size);

#endif
