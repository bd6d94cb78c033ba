/* This port's decisions about packets and frames: pure functions without Contiki-NG, which make
 * test covers. */
#ifndef MOTE_PORTS_CONTIKI_NG_PACKETS_H
#define MOTE_PORTS_CONTIKI_NG_PACKETS_H

#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "mote/sa_entries.h"
#include "mote/sixlowpan.h"

/*
 * Transit masking. Contiki-NG treats every unknown protocol as an extension header, also in
 * forwarded packets: it reads ESP's SPI as "next header, length" and drops the packet. The
 * next-header octet of AH or ESP is therefore replaced by UDP during forwarding.
 *
 * packet_mask returns the replaced protocol, 0 if the packet has neither; packet_unmask restores it
 * if the octet is still UDP.
 */
uint8_t packet_mask(uint8_t *packet, size_t len);
void packet_unmask(uint8_t *packet, size_t len, uint8_t protocol);

/* IPsec with each peer. Without peers nothing is protected or opened here. */
struct packet_policy {
    const struct net_peer *peers;
    size_t count;
};

enum packet_fate {
    PACKET_PASS,    /* not subject to the policy */
    PACKET_PROTECT, /* from this node to a peer: seal it */
    PACKET_OPEN,    /* protected, from a peer to this node */
    PACKET_MASK,    /* protected, to be forwarded */
    PACKET_DROP     /* to this node, but not protected as agreed */
};

/* Decides about a packet to be sent: this node's UDP to a peer is protected; RPL and other ICMPv6
 * are not. `own`: the source address is this node's. `peer` is set with PACKET_PROTECT. */
enum packet_fate packet_leaving(const struct packet_policy *policy, const uint8_t *packet,
                                size_t len, bool own, const struct net_peer **peer);

/* Decides about a received packet. `own`: the destination address is this node's (a source route
 * may still lead further). `peer` is set with PACKET_OPEN: the packet's outermost layer is the
 * agreed one. */
enum packet_fate packet_arriving(const struct packet_policy *policy, const uint8_t *packet,
                                 size_t len, bool own, const struct net_peer **peer);

/* True if the outermost AH or ESP of the packet belongs to this association. */
bool packet_is_under(const struct ipsec_sa *sa, const uint8_t *packet, size_t len);

/* True if the packet has AH or ESP. The core compresses such packets better. */
bool packet_is_protected(const uint8_t *packet, size_t len);

enum payload_owner {
    PAYLOAD_CONTIKI, /* Contiki-NG's 6LoWPAN */
    PAYLOAD_CORE     /* NHC_AH or NHC_ESP, in this payload or in its datagram's first */
};

/* Selects the 6LoWPAN for a frame's payload from `src`. `receiver` has the datagrams that the core
 * has started to reassemble. */
enum payload_owner payload_peek(const struct lowpan_receiver *receiver, const uint8_t *payload,
                                size_t len, const struct link_address *src);

#endif
