/* The packet queue, shared by the two directions. */
#ifndef MOTE_CORE_NET_QUEUE_H
#define MOTE_CORE_NET_QUEUE_H

#include "mote/net.h"

/* The policy for an address, NULL: none. */
const struct net_peer *net_peer_find(const struct net *net, const struct ipv6_address *address);

/* A free entry, now used, or -1 (counted). */
int net_queue_take(struct net *net);
/* The entry holds a packet for `to`. */
void net_queue_send(struct net *net, int at, size_t len, const struct link_address *to);
/* -1 is allowed. */
void net_queue_free(struct net *net, int at);
/* Sends a packet of ours, in entry `at`, which is freed. */
int net_originate(struct net *net, int at, size_t len, const struct ipv6_address *dst);

#endif
