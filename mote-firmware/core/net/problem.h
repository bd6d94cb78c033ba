/* ICMPv6 errors of this mote. */
#ifndef MOTE_CORE_NET_PROBLEM_H
#define MOTE_CORE_NET_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

#include "mote/ipv6.h"
#include "mote/net.h"
#include "mote/sixlowpan.h"

/*
 * Tells the source of the packet in queue entry `at` that the protocol named by the octet at offset
 * `pointer` is not known here: ICMPv6 Parameter Problem, code 1 (RFC 4443 section 3.4). Silent
 * where section 2.4 (e) wants it: the packet was sent to several nodes, or its source is no single
 * node; and above NET_ERRORS in a short time (f).
 */
void net_unrecognized(struct net *net, int at, size_t len, const struct lowpan_packet *received,
                      size_t pointer, uint32_t now);

#endif
