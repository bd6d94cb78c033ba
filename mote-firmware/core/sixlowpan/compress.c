/*
 * Compression to IPHC and NHC. The chain of compressible headers is found first and then written.
 * If it does not fit, it is written again without its last header, which stays uncompressed.
 */
#include <string.h>

#include "iphc.h"
#include "mote/base.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/sixlowpan.h"
#include "mote/udp_nhc.h"
#include "nhc_ipsec.h"

enum { CHAIN_MAX = 6 };

/* A compressible header after the IPv6 header. */
struct chained {
    uint8_t protocol;
    size_t at;
    size_t size;
};

struct chain {
    struct chained headers[CHAIN_MAX];
    size_t count;
};

struct encoded_address {
    unsigned bits; /* AC and AM (and M of a destination), at the destination's bit positions */
    unsigned context;
    uint8_t octets[16];
    size_t count;
};

static size_t extension_size(uint8_t protocol, struct reader at)
{
    size_t left = at.left;
    reader_u8(&at);
    uint8_t length = reader_u8(&at);
    size_t size = protocol == NEXT_FRAGMENT ? 8U : (length + 1U) * 8U;
    bool reserved = protocol == NEXT_FRAGMENT && length != 0;
    bool fits = !at.failed && size <= left && size - 2 <= UINT8_MAX;
    return fits && !reserved ? size : 0;
}

/* The size of the header at `at` if it is compressible, else 0. Mobility headers stay uncompressed:
 * Contiki-NG drops their compressed form. */
static size_t compressible(const struct lowpan *lowpan, uint8_t protocol, struct reader at,
                           bool ipsec)
{
    size_t left = at.left;
    switch (protocol) {
    case NEXT_UDP:
        reader_u32(&at);
        /* The length is elided, so it must be the rest of the packet's. */
        return left >= UDP_HEADER_SIZE && reader_u16(&at) == left ? UDP_HEADER_SIZE : 0;
    case NEXT_HOP_BY_HOP:
    case NEXT_ROUTING:
    case NEXT_FRAGMENT:
    case NEXT_DESTINATION:
        return extension_size(protocol, at);
    case NEXT_AH:
        return ipsec && lowpan->ah != NULL ? lowpan->ah->size(at) : 0;
    case NEXT_ESP:
        return ipsec && lowpan->esp != NULL ? lowpan->esp->size(at) : 0;
    default:
        return 0;
    }
}

static bool ends_chain(uint8_t protocol)
{
    return protocol == NEXT_UDP || protocol == NEXT_ESP;
}

static void find_chain(const struct lowpan *lowpan, struct chain *chain, uint8_t protocol,
                       const uint8_t *packet, size_t len, bool ipsec)
{
    struct reader r;
    reader_init(&r, packet, len);
    reader_take(&r, IPV6_HEADER_SIZE);
    chain->count = 0;
    while (chain->count < CHAIN_MAX) {
        size_t size = compressible(lowpan, protocol, r, ipsec);
        if (size == 0)
            break;
        chain->headers[chain->count++] = (struct chained){protocol, len - r.left, size};
        if (ends_chain(protocol))
            break;
        protocol = reader_take(&r, size)[0];
    }
}

static unsigned traffic_form(const struct ipv6_header *header)
{
    bool dscp = header->traffic_class >> 2 != 0;
    if (header->flow_label != 0)
        return dscp ? 0 : 1;
    return header->traffic_class != 0 ? 2 : 3;
}

static void write_traffic(struct writer *w, const struct ipv6_header *header)
{
    unsigned ecn_dscp = (unsigned)(header->traffic_class >> 2 | (header->traffic_class & 3) << 6);
    switch (traffic_form(header)) {
    case 0:
        writer_u8(w, (uint8_t)ecn_dscp);
        writer_u8(w, (uint8_t)(header->flow_label >> 16));
        writer_u16(w, (uint16_t)header->flow_label);
        break;
    case 1:
        writer_u8(w, (uint8_t)((ecn_dscp & 0xc0) | header->flow_label >> 16));
        writer_u16(w, (uint16_t)header->flow_label);
        break;
    case 2:
        writer_u8(w, (uint8_t)ecn_dscp);
        break;
    default:
        break;
    }
}

static unsigned hop_limit_form(uint8_t hop_limit)
{
    return hop_limit == 1 ? 1 : hop_limit == 64 ? 2 : hop_limit == 255 ? 3 : 0;
}

/* The shortest mode that restores `address` under one context (NULL: stateless). */
static unsigned best_mode(const struct ipv6_address *address, const struct lowpan_context *context,
                          const struct link_address *link)
{
    for (unsigned mode = MODE_LINK; mode > MODE_FULL; mode--) {
        struct ipv6_address made;
        const uint8_t *octets = address->octets + 16 - iphc_unicast_inline[mode];
        if (iphc_unicast(context, mode, octets, link, &made) == MOTE_OK &&
            ipv6_equal(&made, address))
            return mode;
    }
    return MODE_FULL;
}

static void encode_unicast(struct encoded_address *encoded, const struct lowpan *lowpan,
                           const struct ipv6_address *address, const struct link_address *link)
{
    unsigned mode = best_mode(address, NULL, link);
    *encoded = (struct encoded_address){.bits = mode};
    for (unsigned id = 0; id < lowpan->context_count; id++) {
        const struct lowpan_context *context = lowpan_context(lowpan, id);
        unsigned with =
            context != NULL && context->compress ? best_mode(address, context, link) : MODE_FULL;
        if (with > mode) {
            mode = with;
            *encoded = (struct encoded_address){.bits = IPHC_DAC | mode, .context = id};
        }
    }
    encoded->count = iphc_unicast_inline[mode];
    memcpy(encoded->octets, address->octets + 16 - encoded->count, encoded->count);
}

static void encode_multicast(struct encoded_address *encoded, const struct ipv6_address *address)
{
    unsigned mode = MULTICAST_8;
    for (; mode > MULTICAST_FULL; mode--) {
        struct ipv6_address made;
        size_t count = iphc_multicast_inline[mode];
        size_t scope = mode == MULTICAST_8 ? 0 : 1;
        encoded->octets[0] = address->octets[1];
        memcpy(encoded->octets + scope, address->octets + 16 - (count - scope), count - scope);
        iphc_multicast(mode, encoded->octets, &made);
        if (ipv6_equal(&made, address))
            break;
    }
    if (mode == MULTICAST_FULL)
        memcpy(encoded->octets, address->octets, 16);
    encoded->bits = IPHC_M | mode;
    encoded->context = 0;
    encoded->count = iphc_multicast_inline[mode];
}

/* ffXX:XXLL:PPPP:PPPP:PPPP:PPPP:XXXX:XXXX (RFC 3306), L and P being a context's prefix. */
static void encode_multicast_prefix(struct encoded_address *encoded, const struct lowpan *lowpan,
                                    const struct ipv6_address *address)
{
    for (unsigned id = 0; id < lowpan->context_count && encoded->count > 6; id++) {
        const struct lowpan_context *context = lowpan_context(lowpan, id);
        struct ipv6_address made;
        uint8_t octets[6];
        memcpy(octets, address->octets + 1, 2);
        memcpy(octets + 2, address->octets + 12, 4);
        if (context != NULL && context->compress &&
            iphc_multicast_prefix(context, octets, &made) == MOTE_OK &&
            ipv6_equal(&made, address)) {
            *encoded =
                (struct encoded_address){.bits = IPHC_M | IPHC_DAC, .context = id, .count = 6};
            memcpy(encoded->octets, octets, 6);
        }
    }
}

static void encode_source(struct encoded_address *encoded, const struct lowpan *lowpan,
                          const struct ipv6_address *address, const struct link_address *link)
{
    if (ipv6_is_unspecified(address))
        *encoded = (struct encoded_address){.bits = IPHC_DAC};
    else
        encode_unicast(encoded, lowpan, address, link);
}

static void encode_destination(struct encoded_address *encoded, const struct lowpan *lowpan,
                               const struct ipv6_address *address, const struct link_address *link)
{
    if (ipv6_is_multicast(address)) {
        encode_multicast(encoded, address);
        encode_multicast_prefix(encoded, lowpan, address);
    } else {
        encode_unicast(encoded, lowpan, address, link);
    }
}

static void write_iphc(struct writer *w, const struct ipv6_header *header,
                       const struct encoded_address *src, const struct encoded_address *dst,
                       bool compressed_next)
{
    bool contexts = src->context != 0 || dst->context != 0;
    unsigned first = DISPATCH_IPHC | traffic_form(header) << IPHC_TF_SHIFT |
                     (compressed_next ? IPHC_NH : 0U) | hop_limit_form(header->hop_limit);
    unsigned bits = (contexts ? IPHC_CID : 0U) | src->bits << IPHC_SAM_SHIFT | dst->bits;
    writer_u8(w, (uint8_t)first);
    writer_u8(w, (uint8_t)bits);
    if (contexts)
        writer_u8(w, (uint8_t)(src->context << 4 | dst->context));
    write_traffic(w, header);
    if (!compressed_next)
        writer_u8(w, header->next_header);
    if (hop_limit_form(header->hop_limit) == 0)
        writer_u8(w, header->hop_limit);
    writer_bytes(w, src->octets, src->count);
    writer_bytes(w, dst->octets, dst->count);
}

/* Trailing padding is not elided: Contiki-NG miscalculates the size of a header without it. */
static void write_extension(struct writer *w, uint8_t protocol, struct reader r, size_t size,
                            bool more)
{
    unsigned eid = protocol == NEXT_HOP_BY_HOP ? 0
                   : protocol == NEXT_ROUTING  ? 1
                   : protocol == NEXT_FRAGMENT ? 2
                                               : 3;
    uint8_t next = reader_u8(&r);
    reader_u8(&r);
    writer_u8(w, (uint8_t)(NHC_EXTENSION | eid << 1 | (more ? NHC_NH : 0U)));
    if (!more)
        writer_u8(w, next);
    writer_u8(w, (uint8_t)(size - 2));
    writer_bytes(w, reader_take(&r, size - 2), size - 2);
}

static void write_chained(const struct lowpan *lowpan, struct writer *w,
                          const struct chained *chained, const uint8_t *packet, size_t len,
                          bool more)
{
    struct reader r;
    reader_init(&r, packet, len);
    reader_take(&r, chained->at);
    switch (chained->protocol) {
    case NEXT_UDP:
        udp_nhc_write(w, r);
        break;
    case NEXT_AH:
        lowpan->ah->write(r, more, w);
        break;
    case NEXT_ESP:
        lowpan->esp->write(r, more, w);
        break;
    default:
        write_extension(w, chained->protocol, r, chained->size, more);
        break;
    }
}

int lowpan_compress(const struct lowpan *lowpan, const uint8_t *packet, size_t len,
                    const struct link_address *src, const struct link_address *dst, bool ipsec,
                    uint8_t *out, size_t size, size_t *covered)
{
    struct ipv6_header header;
    struct encoded_address from;
    struct encoded_address to;
    struct chain chain;
    struct writer w;
    int error = ipv6_parse(&header, packet, len);
    if (error)
        return error;
    encode_source(&from, lowpan, &header.src, src);
    encode_destination(&to, lowpan, &header.dst, dst);
    find_chain(lowpan, &chain, header.next_header, packet, len, ipsec);
    size_t count = chain.count + 1;
    do {
        count--;
        *covered = IPV6_HEADER_SIZE;
        writer_init(&w, out, size);
        write_iphc(&w, &header, &from, &to, count > 0);
        for (size_t i = 0; i < count; i++) {
            write_chained(lowpan, &w, &chain.headers[i], packet, len, i + 1 < count);
            *covered += chain.headers[i].size;
        }
    } while (w.failed && count > 0);
    return w.failed ? MOTE_E_SPACE : (int)writer_len(&w);
}
