/*
 * UDP and ICMPv6. Checksums are verified in every received message and written to every sent one.
 */
#include "mote/ipv6.h"

static bool checksum_good(const struct ipv6_upper *upper, const uint8_t *packet)
{
    struct piece whole = {packet + upper->at, upper->len};
    return ipv6_checksum(&upper->src, &upper->dst, upper->protocol, &whole, 1) == 0;
}

int udp_parse(struct udp *udp, const struct ipv6_upper *upper, const uint8_t *packet)
{
    struct reader r;
    if (upper->protocol != NEXT_UDP || upper->fragment)
        return MOTE_E_UNSUPPORTED;
    reader_init(&r, packet + upper->at, upper->len);
    udp->src_port = reader_u16(&r);
    udp->dst_port = reader_u16(&r);
    uint16_t len = reader_u16(&r);
    uint16_t checksum = reader_u16(&r);
    udp->payload_len = r.left;
    udp->payload = reader_take(&r, r.left);
    if (r.failed)
        return MOTE_E_SHORT;
    if (len != upper->len)
        return MOTE_E_MALFORMED;
    return checksum != 0 && checksum_good(upper, packet) ? MOTE_OK : MOTE_E_AUTH;
}

void udp_write(const struct udp *udp, const struct ipv6_address *src,
               const struct ipv6_address *dst, struct writer *w)
{
    uint8_t octets[UDP_HEADER_SIZE];
    struct writer header;
    struct piece pieces[] = {{octets, sizeof octets}, {udp->payload, udp->payload_len}};
    if (udp->payload_len > UINT16_MAX - UDP_HEADER_SIZE) {
        w->failed = true;
        return;
    }
    writer_init(&header, octets, sizeof octets);
    writer_u16(&header, udp->src_port);
    writer_u16(&header, udp->dst_port);
    writer_u16(&header, (uint16_t)(UDP_HEADER_SIZE + udp->payload_len));
    writer_u16(&header, 0);
    uint16_t checksum = ipv6_checksum(src, dst, NEXT_UDP, pieces, 2);
    writer_bytes(w, octets, 6);
    writer_u16(w, checksum == 0 ? 0xffff : checksum); /* zero would mean "no checksum" */
    writer_bytes(w, udp->payload, udp->payload_len);
}

int icmpv6_parse(struct icmpv6 *icmp, const struct ipv6_upper *upper, const uint8_t *packet)
{
    struct reader r;
    if (upper->protocol != NEXT_ICMPV6 || upper->fragment)
        return MOTE_E_UNSUPPORTED;
    reader_init(&r, packet + upper->at, upper->len);
    icmp->type = reader_u8(&r);
    icmp->code = reader_u8(&r);
    reader_u16(&r);
    icmp->body_len = r.left;
    icmp->body = reader_take(&r, r.left);
    if (r.failed)
        return MOTE_E_SHORT;
    return checksum_good(upper, packet) ? MOTE_OK : MOTE_E_AUTH;
}

void icmpv6_write(const struct icmpv6 *icmp, const struct ipv6_address *src,
                  const struct ipv6_address *dst, struct writer *w)
{
    const uint8_t start[ICMPV6_HEADER_SIZE] = {icmp->type, icmp->code, 0, 0};
    struct piece pieces[] = {{start, sizeof start}, {icmp->body, icmp->body_len}};
    writer_u8(w, icmp->type);
    writer_u8(w, icmp->code);
    writer_u16(w, ipv6_checksum(src, dst, NEXT_ICMPV6, pieces, 2));
    writer_bytes(w, icmp->body, icmp->body_len);
}

int icmpv6_echo_reply(const struct ipv6_address *own, const uint8_t *packet, size_t len,
                      uint8_t *out, size_t size)
{
    struct ipv6_upper upper;
    struct icmpv6 icmp;
    struct writer w;
    int error = ipv6_find_upper(&upper, packet, len);
    if (!error)
        error = icmpv6_parse(&icmp, &upper, packet);
    if (error)
        return error;
    if (icmp.type != ICMPV6_ECHO_REQUEST || !ipv6_equal(&upper.dst, own) ||
        ipv6_is_multicast(&upper.src) || ipv6_is_unspecified(&upper.src))
        return MOTE_E_UNSUPPORTED;
    struct ipv6_header header = {.payload_len = (uint16_t)upper.len,
                                 .next_header = NEXT_ICMPV6,
                                 .hop_limit = 64,
                                 .src = *own,
                                 .dst = upper.src};
    icmp.type = ICMPV6_ECHO_REPLY;
    icmp.code = 0;
    writer_init(&w, out, size);
    ipv6_write(&header, &w);
    icmpv6_write(&icmp, &header.src, &header.dst, &w);
    return w.failed ? MOTE_E_SPACE : (int)writer_len(&w);
}

int icmpv6_error(const struct ipv6_address *src, const struct ipv6_address *dst,
                 enum icmpv6_type type, uint8_t code, uint32_t value, const uint8_t *packet,
                 size_t len, uint8_t *out, size_t size)
{
    const size_t fixed = IPV6_HEADER_SIZE + ICMPV6_HEADER_SIZE + 4;
    struct writer w;
    if (size < fixed)
        return MOTE_E_SPACE;
    size_t quoted = len < size - fixed ? len : size - fixed;
    struct ipv6_header header = {.payload_len = (uint16_t)(fixed - IPV6_HEADER_SIZE + quoted),
                                 .next_header = NEXT_ICMPV6,
                                 .hop_limit = 64,
                                 .src = *src,
                                 .dst = *dst};
    writer_init(&w, out, size);
    ipv6_write(&header, &w);
    writer_u8(&w, (uint8_t)type);
    writer_u8(&w, code);
    uint8_t *checksum = writer_take(&w, 2);
    writer_u32(&w, value);
    writer_bytes(&w, packet, quoted);
    checksum[0] = checksum[1] = 0;
    struct piece whole = {out + IPV6_HEADER_SIZE, w.len - IPV6_HEADER_SIZE};
    uint16_t sum = ipv6_checksum(src, dst, NEXT_ICMPV6, &whole, 1);
    checksum[0] = (uint8_t)(sum >> 8);
    checksum[1] = (uint8_t)sum;
    return (int)writer_len(&w);
}

int ipv6_udp_packet(const struct udp *udp, const struct ipv6_address *src,
                    const struct ipv6_address *dst, uint8_t *out, size_t size)
{
    struct writer w;
    struct ipv6_header header = {.payload_len = (uint16_t)(UDP_HEADER_SIZE + udp->payload_len),
                                 .next_header = NEXT_UDP,
                                 .hop_limit = 64,
                                 .src = *src,
                                 .dst = *dst};
    writer_init(&w, out, size);
    ipv6_write(&header, &w);
    udp_write(udp, src, dst, &w);
    return w.failed ? MOTE_E_SPACE : (int)writer_len(&w);
}
