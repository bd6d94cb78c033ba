/* The IPsec policy of peers. */
#ifndef MOTE_CORE_NET_PEER_H
#define MOTE_CORE_NET_PEER_H

#include "mote/ipv6.h"
#include "mote/net.h"

/* The policy for a peer's address; NULL if there is none. */
const struct net_peer *net_peer_find(const struct net *net, const struct ipv6_address *address);

#endif
