/* Packets that this mote originates. */
#ifndef MOTE_CORE_NET_OUTPUT_H
#define MOTE_CORE_NET_OUTPUT_H

#include <stddef.h>

#include "mote/ipv6.h"
#include "mote/net.h"

/* Protects the packet in queue entry `at`, adds the RPL header and queues the result; the entry is
 * freed in any case. 0, MOTE_E_STATE without a route, or MOTE_E_SPACE. */
int net_originate(struct net *net, int at, size_t len, const struct ipv6_address *dst);

#endif
