/* RPL helpers: nodes by number, messages of a root, fields of packets. */
#ifndef MOTE_TESTS_SUPPORT_RPL_H
#define MOTE_TESTS_SUPPORT_RPL_H

#include "mote/rpl.h"

/* EUI-64s numbered as in Cooja, and addresses under fd00::/64. 1 is the root. */
struct link_address node_link(uint8_t id);
struct ipv6_address node_address(uint8_t id);

/* Code and body of an RPL packet, and the sender's rank in its hop-by-hop option. */
struct seen {
    struct icmpv6 icmp;
    struct ipv6_upper upper;
    unsigned rank;
};

bool look(struct seen *seen, const uint8_t *packet, size_t len);

/* A root's DIO: rank 128, routes for 30 minutes, addresses under fd00::/64. */
struct rpl_dio root_offer(struct ipv6_address dodag);

/* Makes a multicast DIO of a node. Returns its length. */
size_t make_dio(uint8_t out[256], const struct rpl_dio *dio, uint8_t from);

/* Writes a source routing header (RFC 6554) for a packet to the first of the addresses; the header
 * has the others. It elides the octets that all of them share. */
void write_source_route(struct writer *w, uint8_t next_header, const struct ipv6_address *path,
                        size_t hops);

/* Makes a DAO-ACK to a node, through the parents in `path` (the node last). Returns its length. */
size_t make_ack(uint8_t out[256], uint8_t from, uint8_t sequence, uint8_t status,
                const uint8_t *path, size_t hops);

#endif
