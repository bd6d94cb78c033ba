/*
 * What this port decides about packets and frames, as pure functions: nothing of Contiki-NG is in
 * here, so the everyday tests hold them.
 */
#ifndef MOTE_PORTS_CONTIKI_NG_PACKETS_H
#define MOTE_PORTS_CONTIKI_NG_PACKETS_H

#include "mote/ipsec.h"
#include "mote/sixlowpan.h"

/*
 * Contiki-NG takes every protocol that it does not know for an extension header, also in packets
 * that it only forwards: it reads ESP's SPI as "next header, length" and drops what results. So
 * while a packet passes, the octet that names AH or ESP says UDP.
 *
 * Masking returns the protocol that was named, 0 when neither is; unmasking puts it back, if the
 * same octet still says UDP.
 */
uint8_t packet_mask(uint8_t *packet, size_t len);
void packet_unmask(uint8_t *packet, size_t len, uint8_t protocol);

/* IPsec with one peer; both NULL: none. */
struct packet_policy {
    struct ipv6_address peer;
    const struct ipsec_sa *out;
    const struct ipsec_sa *in;
};

enum packet_fate {
    PACKET_PASS,    /* no business of ours */
    PACKET_PROTECT, /* ours, to the peer: seal it */
    PACKET_OPEN,    /* the peer's, for us */
    PACKET_MASK,    /* protected, and only passing */
    PACKET_DROP     /* of the peer for us, but not as agreed */
};

/* UDP of our own to the peer is protected; RPL and all other ICMPv6 are not. `ours`: the source
 * address is one of ours. */
enum packet_fate packet_leaving(const struct packet_policy *policy, const uint8_t *packet,
                                size_t len, bool ours);

/* `ours`: the destination address is one of ours (the packet may still have further to go, by a
 * source route). */
enum packet_fate packet_arriving(const struct packet_policy *policy, const uint8_t *packet,
                                 size_t len, bool ours);

/* Whether a packet is one that our own 6LoWPAN compresses better: AH or ESP is in it. */
bool packet_is_protected(const uint8_t *packet, size_t len);

enum payload_owner {
    PAYLOAD_THEIRS, /* Contiki-NG's 6LoWPAN */
    PAYLOAD_OURS    /* NHC_AH or NHC_ESP is in it, or it continues a datagram that began so */
};

/* Looks at a frame's payload without taking it apart. `src` is the sender; `receiver` knows which
 * datagrams of ours have begun. */
enum payload_owner payload_peek(const struct lowpan_receiver *receiver, const uint8_t *payload,
                                size_t len, const struct link_address *src);

#endif
