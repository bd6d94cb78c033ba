#include "rpl.h"

#include <assert.h>

struct link_address node_link(uint8_t id)
{
    const uint8_t eui[8] = {0, id, 0, id, 0, id, 0, id};
    return link_extended(eui);
}

struct ipv6_address node_address(uint8_t id)
{
    const uint8_t prefix[8] = {0xfd};
    struct link_address link = node_link(id);
    return ipv6_under_prefix(prefix, &link);
}

bool look(struct seen *seen, const uint8_t *packet, size_t len)
{
    if (ipv6_find_upper(&seen->upper, packet, len) != MOTE_OK ||
        icmpv6_parse(&seen->icmp, &seen->upper, packet) != MOTE_OK)
        return false;
    seen->rank = packet[6] == NEXT_HOP_BY_HOP ? (unsigned)packet[46] << 8 | packet[47] : 0;
    return seen->icmp.type == ICMPV6_RPL;
}

struct rpl_dio root_offer(struct ipv6_address dodag)
{
    return (struct rpl_dio){.version = 240,
                            .rank = 128,
                            .mode = 0x08,
                            .dtsn = 240,
                            .dodag = dodag,
                            .has_config = true,
                            .has_prefix = true,
                            .config = {0, 8, 12, 0, 1024, 128, 1, 30, 60},
                            .prefix = {64, 0x40, UINT32_MAX, UINT32_MAX, {{0xfd}}}};
}

size_t make_dio(uint8_t out[256], const struct rpl_dio *dio, uint8_t from)
{
    uint8_t body[96];
    struct writer w, b;
    struct link_address link = node_link(from);
    struct ipv6_address dst = {{0xff, 2, [15] = 0x1a}}, src = ipv6_link_local(&link);
    writer_init(&b, body, sizeof body);
    rpl_dio_write(dio, &b);
    struct ipv6_header header = {.payload_len = (uint16_t)(4 + b.len),
                                 .next_header = NEXT_ICMPV6,
                                 .hop_limit = 64,
                                 .src = src,
                                 .dst = dst};
    struct icmpv6 icmp = {ICMPV6_RPL, RPL_DIO, body, b.len};
    writer_init(&w, out, 256);
    ipv6_write(&header, &w);
    icmpv6_write(&icmp, &src, &dst, &w);
    return writer_len(&w);
}

/* The number of leading octets that all addresses share, at most 15: CmprI and CmprE have 4 bits.
 */
static size_t shared_octets(const struct ipv6_address *path, size_t hops)
{
    size_t shared = 15;
    for (size_t i = 1; i < hops; i++) {
        size_t at = 0;
        while (at < shared && path[i].octets[at] == path[0].octets[at])
            at++;
        shared = at;
    }
    return shared;
}

void write_source_route(struct writer *w, uint8_t next_header, const struct ipv6_address *path,
                        size_t hops)
{
    const uint8_t zeros[8] = {0};
    size_t shared = shared_octets(path, hops), octets = (hops - 1) * (16 - shared);
    size_t pad = (0U - octets) & 7U;
    writer_u8(w, next_header);
    writer_u8(w, (uint8_t)((octets + pad) / 8));
    writer_u8(w, 3);
    writer_u8(w, (uint8_t)(hops - 1));
    writer_u32(w, (uint32_t)(shared << 28 | shared << 24 | pad << 20));
    for (size_t i = 1; i < hops; i++)
        writer_bytes(w, path[i].octets + shared, 16 - shared);
    writer_bytes(w, zeros, pad);
}

size_t make_ack(uint8_t out[256], uint8_t from, uint8_t sequence, uint8_t status,
                const uint8_t *path, size_t hops)
{
    struct writer w;
    const uint8_t body[4] = {0, 0, sequence, status};
    struct icmpv6 ack = {ICMPV6_RPL, RPL_DAO_ACK, body, sizeof body};
    struct ipv6_address src = node_address(from), end = node_address(path[hops - 1]);
    struct ipv6_address addresses[16];
    struct ipv6_header header = {
        .next_header = NEXT_ROUTING, .hop_limit = 64, .src = src, .dst = node_address(path[0])};
    assert(hops <= 16);
    for (size_t i = 0; i < hops; i++)
        addresses[i] = node_address(path[i]);
    writer_init(&w, out, 256);
    ipv6_write(&header, &w);
    write_source_route(&w, NEXT_ICMPV6, addresses, hops);
    icmpv6_write(&ack, &src, &end, &w);
    out[5] = (uint8_t)(writer_len(&w) - IPV6_HEADER_SIZE);
    return writer_len(&w);
}
