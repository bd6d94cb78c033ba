/* Packets that this mote originates. */
#ifndef MOTE_CORE_NET_OUTPUT_H
#define MOTE_CORE_NET_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/net.h"

/* Protects the packet in queue entry `at`, adds the RPL header and queues the result. The entry is
 * always freed. Returns 0, MOTE_E_STATE without a route, or MOTE_E_SPACE. */
int net_originate(struct net *net, int at, size_t len, const struct ipv6_address *dst);

/* True if a neighbour decompresses AH and ESP: the caller declared that all do, or it has sent
 * compressed headers. */
bool net_reads_ipsec_nhc(const struct net *net, const struct link_address *neighbour);

#endif
