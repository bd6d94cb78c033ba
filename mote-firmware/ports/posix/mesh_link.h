/*
 * The way to the mirror over several hops: the mote is a router of the RPL mesh (core/net) over
 * the MAC and ZEP. It joins, forwards what is not its own, and never sleeps.
 */
#ifndef MOTE_PORTS_POSIX_MESH_LINK_H
#define MOTE_PORTS_POSIX_MESH_LINK_H

#include "mac.h"
#include "mote/coap_server.h"
#include "mote/link_counters.h"
#include "mote/net.h"
#include "port.h"

enum { MESH_QUEUE = 10, MESH_SLOTS = 4, MESH_UDP_PORT = 5683, MESH_ANSWER_MAX = 256 };

/* fd00::/64, context 0 of every neighbour (contiki.md, section 4). */
extern const struct lowpan_context MESH_CONTEXT;

/* Link security as the whole network has it: one key, implicit (mode 0). */
struct mesh_security {
    uint8_t level;
    uint8_t key[AES_BLOCK];
    const struct aes128 *aes;
    struct counter_store *counters; /* where frame counters survive: opened before */
};

struct mesh_link {
    struct zep zep;
    struct mac mac;
    struct net net;
    struct net_packet queue[MESH_QUEUE];
    uint8_t packets[MESH_QUEUE][IPV6_MTU];
    struct lowpan_slot slots[MESH_SLOTS];
    uint8_t datagrams[MESH_SLOTS][IPV6_MTU];
    uint8_t single[LOWPAN_SINGLE_MAX];
    struct ipv6_address mirror;
    uint16_t mirror_port;
    struct counter_store *counters; /* NULL: frames go unsecured */
    struct frame_counter heard[COUNTERS_MAX - 1];
    /* Answers requests of anybody in the mesh or behind its root; NULL, as it is at first: nobody
     * does. */
    const struct coap_server *server;
    uint16_t server_id; /* of the next answer that has to bring its own */
};

/* `mirror` is any unicast address; what is not link-local goes up to the root. `security` NULL:
 * none. */
int mesh_link_open(struct mesh_link *mesh, const char *ether_host, const char *ether_port,
                   const uint8_t eui64[EUI64_SIZE], const struct ipv6_address *mirror,
                   uint16_t mirror_port, const struct mesh_security *security,
                   const struct random *random, uint64_t now, struct link *link, char *problem,
                   size_t problem_size);

#endif
