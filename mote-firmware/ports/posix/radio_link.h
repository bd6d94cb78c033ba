/*
 * The link to the mirror over one radio hop: UDP over IPv6 link-local addresses, 6LoWPAN, 802.15.4
 * with acknowledgements, ZEP.
 */
#ifndef MOTE_PORTS_POSIX_RADIO_LINK_H
#define MOTE_PORTS_POSIX_RADIO_LINK_H

#include "mac.h"
#include "mote/sixlowpan.h"
#include "port.h"

enum { RADIO_QUEUE = 4, RADIO_SLOTS = 2, RADIO_UDP_PORT = 5683 };

/* An IPv6 packet in the queue. */
struct radio_packet {
    uint8_t octets[IPV6_MTU];
    size_t len;
};

/* Between calls `queue` has `queued` packets. While `sending`, `sender` produces frames of the
 * first packet. */
struct radio_link {
    struct zep zep;
    struct mac mac;
    struct link_address own;
    struct link_address peer;
    struct ipv6_address own_ip;
    struct ipv6_address peer_ip;
    uint16_t peer_port;
    struct lowpan lowpan;
    struct lowpan_sender sender;
    bool sending;
    uint16_t tag;
    struct radio_packet queue[RADIO_QUEUE];
    size_t queued;
    struct lowpan_slot slots[RADIO_SLOTS];
    uint8_t datagrams[RADIO_SLOTS][IPV6_MTU];
    uint8_t single[LOWPAN_SINGLE_MAX];
    struct lowpan_receiver receiver;
};

/* `mirror` is an address of fe80::/64, from which the mirror's EUI-64 is derived. 0, or -1 with a
 * sentence in `problem`. */
int radio_link_open(struct radio_link *radio, const char *ether_host, const char *ether_port,
                    const uint8_t eui64[EUI64_SIZE], const struct ipv6_address *mirror,
                    uint16_t mirror_port, const struct random *random, struct link *link,
                    char *problem, size_t problem_size);

#endif
