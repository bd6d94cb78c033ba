/* IPv6 (RFC 8200), UDP (RFC 768) and ICMPv6 (RFC 4443): headers, addresses, checksums. */
#ifndef MOTE_IPV6_H
#define MOTE_IPV6_H

#include "mote/crypto.h" /* struct piece */
#include "mote/ieee802154.h"

enum { IPV6_HEADER_SIZE = 40, IPV6_MTU = 1280, UDP_HEADER_SIZE = 8, ICMPV6_HEADER_SIZE = 4 };

enum ipv6_next_header {
    NEXT_HOP_BY_HOP = 0,
    NEXT_UDP = 17,
    NEXT_ROUTING = 43,
    NEXT_FRAGMENT = 44,
    NEXT_ESP = 50,
    NEXT_AH = 51,
    NEXT_ICMPV6 = 58,
    NEXT_NONE = 59,
    NEXT_DESTINATION = 60,
    NEXT_MOBILITY = 135
};

struct ipv6_address {
    uint8_t octets[16];
};

struct ipv6_header {
    uint8_t traffic_class;
    uint32_t flow_label;
    uint16_t payload_len;
    uint8_t next_header;
    uint8_t hop_limit;
    struct ipv6_address src;
    struct ipv6_address dst;
};

/* Reads a whole packet's header; its payload length must be that of the packet. */
int ipv6_parse(struct ipv6_header *header, const uint8_t *packet, size_t len);
void ipv6_write(const struct ipv6_header *header, struct writer *w);

/* fe80::/64 and the interface identifier of a link address (RFC 4291 appendix A, RFC 4944
 * section 6 as RFC 6282 has it: a short address gives 0000:00ff:fe00:XXXX). */
struct ipv6_address ipv6_link_local(const struct link_address *link);
/* The same under a prefix of 64 bits. */
struct ipv6_address ipv6_under_prefix(const uint8_t prefix[8], const struct link_address *link);
/* The EUI-64 that an interface identifier was made from. */
struct link_address ipv6_link_of(const struct ipv6_address *address);

bool ipv6_equal(const struct ipv6_address *a, const struct ipv6_address *b);
bool ipv6_is_multicast(const struct ipv6_address *address);
bool ipv6_is_link_local(const struct ipv6_address *address); /* fe80::/10 */
bool ipv6_is_unspecified(const struct ipv6_address *address);

/*
 * The upper-layer header behind the extension headers. `dst` is the destination that its checksum
 * was made for: the last one of a routing header that still has segments left (RFC 6554).
 * `next_at` is the place of the octet that names it.
 */
struct ipv6_upper {
    uint8_t protocol;
    size_t next_at;
    size_t at;
    size_t len;
    struct ipv6_address src;
    struct ipv6_address dst;
    bool fragment; /* a part of a datagram: no whole upper-layer message is at `at` */
};

/* Walks hop-by-hop, routing, destination, mobility and fragment headers, and AH; stops at all
 * others. 0, MOTE_E_SHORT or MOTE_E_MALFORMED. */
int ipv6_find_upper(struct ipv6_upper *upper, const uint8_t *packet, size_t len);

/* The checksum over pseudo-header and pieces, in host order; 0 over data that carry their own
 * right one. */
uint16_t ipv6_checksum(const struct ipv6_address *src, const struct ipv6_address *dst,
                       uint8_t protocol, const struct piece *pieces, size_t count);

struct udp {
    uint16_t src_port;
    uint16_t dst_port;
    const uint8_t *payload;
    size_t payload_len;
};

/* MOTE_E_AUTH for a wrong or absent checksum (RFC 8200 section 8.1 forbids zero). */
int udp_parse(struct udp *udp, const struct ipv6_upper *upper, const uint8_t *packet);
/* Writes header and payload. */
void udp_write(const struct udp *udp, const struct ipv6_address *src,
               const struct ipv6_address *dst, struct writer *w);

enum icmpv6_type {
    ICMPV6_UNREACHABLE = 1,
    ICMPV6_TOO_BIG = 2,
    ICMPV6_TIME_EXCEEDED = 3,
    ICMPV6_PARAMETER_PROBLEM = 4,
    ICMPV6_ECHO_REQUEST = 128,
    ICMPV6_ECHO_REPLY = 129,
    ICMPV6_RPL = 155
};

struct icmpv6 {
    uint8_t type;
    uint8_t code;
    const uint8_t *body; /* behind the checksum */
    size_t body_len;
};

/* MOTE_E_AUTH for a wrong checksum. */
int icmpv6_parse(struct icmpv6 *icmp, const struct ipv6_upper *upper, const uint8_t *packet);
void icmpv6_write(const struct icmpv6 *icmp, const struct ipv6_address *src,
                  const struct ipv6_address *dst, struct writer *w);

/* A whole IPv6 packet that answers an echo request to `own`; its length or an error
 * (MOTE_E_UNSUPPORTED: not an echo request for us). */
int icmpv6_echo_reply(const struct ipv6_address *own, const uint8_t *packet, size_t len,
                      uint8_t *out, size_t size);

/* A whole UDP packet with hop limit 64; its length or MOTE_E_SPACE. */
int ipv6_udp_packet(const struct udp *udp, const struct ipv6_address *src,
                    const struct ipv6_address *dst, uint8_t *out, size_t size);

#endif
