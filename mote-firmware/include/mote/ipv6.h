/* IPv6 (RFC 8200), UDP (RFC 768) and ICMPv6 (RFC 4443): headers, addresses, checksums. */
#ifndef MOTE_IPV6_H
#define MOTE_IPV6_H

#include "mote/base.h"
#include "mote/link_address.h"

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

/* Parses the header of a whole packet. MOTE_E_SHORT, or MOTE_E_MALFORMED for another version or a
 * wrong payload length. */
int ipv6_parse(struct ipv6_header *header, const uint8_t *packet, size_t len);
void ipv6_write(const struct ipv6_header *header, struct writer *w);

/* The link-local address of a link address: fe80::/64 and its interface identifier (RFC 4291
 * appendix A; a short address gives 0000:00ff:fe00:XXXX, RFC 6282 section 3.2.2). */
struct ipv6_address ipv6_link_local(const struct link_address *link);
/* The address with that interface identifier under a prefix of 64 bits. */
struct ipv6_address ipv6_under_prefix(const uint8_t prefix[8], const struct link_address *link);
/* The EUI-64 that an interface identifier was derived from. */
struct link_address ipv6_link_of(const struct ipv6_address *address);

bool ipv6_equal(const struct ipv6_address *a, const struct ipv6_address *b);
bool ipv6_is_multicast(const struct ipv6_address *address);
bool ipv6_is_link_local(const struct ipv6_address *address); /* fe80::/10 */
bool ipv6_is_unspecified(const struct ipv6_address *address);

/*
 * The upper-layer header after the extension headers. `at` is its offset; `next_at` is the offset
 * of the next-header octet with its number. `dst` is the destination for its checksum: the last
 * address of a routing header with segments left (RFC 6554).
 */
struct ipv6_upper {
    uint8_t protocol;
    size_t next_at;
    size_t at;
    size_t len;
    struct ipv6_address src;
    struct ipv6_address dst;
    size_t ah_next_at; /* offset of the octet that names the first AH on the way; 0: none */
    bool fragment;     /* part of a datagram: no whole upper-layer message starts at `at` */
};

/* Skips hop-by-hop, routing, destination, mobility and fragment headers, and AH; stops at any
 * other. 0, MOTE_E_SHORT or MOTE_E_MALFORMED. */
int ipv6_find_upper(struct ipv6_upper *upper, const uint8_t *packet, size_t len);

/* The Internet checksum over pseudo-header and pieces (RFC 8200 section 8.1), in host order; 0 over
 * data that include a valid checksum. */
uint16_t ipv6_checksum(const struct ipv6_address *src, const struct ipv6_address *dst,
                       uint8_t protocol, const struct piece *pieces, size_t count);

struct udp {
    uint16_t src_port;
    uint16_t dst_port;
    const uint8_t *payload;
    size_t payload_len;
};

/* Parses a UDP message. MOTE_E_AUTH for a wrong or zero checksum (RFC 8200 section 8.1). */
int udp_parse(struct udp *udp, const struct ipv6_upper *upper, const uint8_t *packet);
/* Writes header, checksum and payload. */
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
    const uint8_t *body; /* after the checksum */
    size_t body_len;
};

/* Parses an ICMPv6 message. MOTE_E_AUTH for a wrong checksum. */
int icmpv6_parse(struct icmpv6 *icmp, const struct ipv6_upper *upper, const uint8_t *packet);
void icmpv6_write(const struct icmpv6 *icmp, const struct ipv6_address *src,
                  const struct ipv6_address *dst, struct writer *w);

/* Writes the IPv6 packet that answers an echo request to `own`. Returns its length, or an error:
 * MOTE_E_UNSUPPORTED for any other packet. */
int icmpv6_echo_reply(const struct ipv6_address *own, const uint8_t *packet, size_t len,
                      uint8_t *out, size_t size);

/* Writes the IPv6 packet of an ICMPv6 error (RFC 4443 section 3) that quotes as much of `packet` as
 * fits. `value` is the field after the checksum. Returns its length or MOTE_E_SPACE. */
int icmpv6_error(const struct ipv6_address *src, const struct ipv6_address *dst,
                 enum icmpv6_type type, uint8_t code, uint32_t value, const uint8_t *packet,
                 size_t len, uint8_t *out, size_t size);

/* Writes an IPv6 packet of a UDP message, with hop limit 64. Returns its length or MOTE_E_SPACE. */
int ipv6_udp_packet(const struct udp *udp, const struct ipv6_address *src,
                    const struct ipv6_address *dst, uint8_t *out, size_t size);

#endif
