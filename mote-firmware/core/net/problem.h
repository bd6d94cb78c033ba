/* ICMPv6 errors of this mote. */
#ifndef MOTE_CORE_NET_PROBLEM_H
#define MOTE_CORE_NET_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "mote/ipv6.h"
#include "mote/net.h"
#include "mote/sixlowpan.h"

/*
 * Reports to the source of the packet in queue entry `at` that this mote does not know the protocol
 * named by the octet at offset `pointer`: ICMPv6 Parameter Problem, code 1 (RFC 4443 section 3.4).
 * Sends nothing if the packet was sent to several nodes or its source is not a single node (section
 * 2.4 (e)), nor above NET_ERRORS in a short time (f).
 */
void net_unrecognized(struct net *net, int at, size_t len, const struct lowpan_packet *received,
                      size_t pointer, uint32_t now);

#endif
