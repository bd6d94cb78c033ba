/*
 * Plain headers to IPHC and NHC. First the chain of headers that can be compressed is found, then
 * they are written; if that does not fit, again with one fewer, which then stays as it is.
 */
#include "iphc.h"
#include "nhc_ipsec.h"

#include <string.h>

enum { CHAIN_MAX = 6 };

/* One header behind the IPv6 header that has a compressed form. */
struct step {
    uint8_t protocol;
    size_t at;
    size_t size;
};

struct chain {
    struct step steps[CHAIN_MAX];
    size_t count;
};

struct address_code {
    unsigned bits; /* AC and AM, M for a destination, in the place of the destination's bits */
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

/* The octets of the header at `at` if it can be compressed, else 0. Mobility headers could be, but
 * Contiki-NG drops them. */
static size_t compressible(const struct lowpan *lowpan, uint8_t protocol, struct reader at,
                           bool ipsec)
{
    size_t left = at.left;
    switch (protocol) {
    case NEXT_UDP:
        reader_u32(&at);
        /* the length is not sent: it must be the packet's rest */
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
        if (size == 0) {
            break;
        }
        chain->steps[chain->count++] = (struct step){protocol, len - r.left, size};
        if (ends_chain(protocol)) {
            break;
        }
        protocol = reader_take(&r, size)[0];
    }
}

static unsigned traffic_form(const struct ipv6_header *header)
{
    bool dscp = header->traffic_class >> 2 != 0;
    if (header->flow_label != 0) {
        return dscp ? 0 : 1;
    }
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

/* The shortest mode that gives this very address back under one context (NULL: stateless). */
static unsigned best_mode(const struct ipv6_address *address, const struct lowpan_context *context,
                          const struct link_address *link)
{
    for (unsigned mode = MODE_LINK; mode > MODE_FULL; mode--) {
        struct ipv6_address made;
        const uint8_t *octets = address->octets + 16 - iphc_unicast_inline[mode];
        if (iphc_unicast(context, mode, octets, link, &made) == MOTE_OK &&
            ipv6_equal(&made, address)) {
            return mode;
        }
    }
    return MODE_FULL;
}

static void code_unicast(struct address_code *code, const struct lowpan *lowpan,
                         const struct ipv6_address *address, const struct link_address *link)
{
    unsigned mode = best_mode(address, NULL, link);
    *code = (struct address_code){.bits = mode};
    for (unsigned id = 0; id < lowpan->context_count; id++) {
        const struct lowpan_context *context = lowpan_context(lowpan, id);
        unsigned with =
            context != NULL && context->compress ? best_mode(address, context, link) : MODE_FULL;
        if (with > mode) {
            mode = with;
            *code = (struct address_code){.bits = IPHC_DAC | mode, .context = id};
        }
    }
    code->count = iphc_unicast_inline[mode];
    memcpy(code->octets, address->octets + 16 - code->count, code->count);
}

static void code_multicast(struct address_code *code, const struct ipv6_address *address)
{
    unsigned mode = MULTICAST_8;
    for (; mode > MULTICAST_FULL; mode--) {
        struct ipv6_address made;
        size_t count = iphc_multicast_inline[mode];
        size_t scope = mode == MULTICAST_8 ? 0 : 1;
        code->octets[0] = address->octets[1];
        memcpy(code->octets + scope, address->octets + 16 - (count - scope), count - scope);
        iphc_multicast(mode, code->octets, &made);
        if (ipv6_equal(&made, address)) {
            break;
        }
    }
    if (mode == MULTICAST_FULL) {
        memcpy(code->octets, address->octets, 16);
    }
    code->bits = IPHC_M | mode;
    code->context = 0;
    code->count = iphc_multicast_inline[mode];
}

/* ffXX:XXLL:PPPP:PPPP:PPPP:PPPP:XXXX:XXXX of RFC 3306, where a context knows L and P. */
static void code_multicast_prefix(struct address_code *code, const struct lowpan *lowpan,
                                  const struct ipv6_address *address)
{
    for (unsigned id = 0; id < lowpan->context_count && code->count > 6; id++) {
        const struct lowpan_context *context = lowpan_context(lowpan, id);
        struct ipv6_address made;
        uint8_t octets[6];
        memcpy(octets, address->octets + 1, 2);
        memcpy(octets + 2, address->octets + 12, 4);
        if (context != NULL && context->compress &&
            iphc_multicast_prefix(context, octets, &made) == MOTE_OK &&
            ipv6_equal(&made, address)) {
            *code = (struct address_code){.bits = IPHC_M | IPHC_DAC, .context = id, .count = 6};
            memcpy(code->octets, octets, 6);
        }
    }
}

static void code_source(struct address_code *code, const struct lowpan *lowpan,
                        const struct ipv6_address *address, const struct link_address *link)
{
    if (ipv6_is_unspecified(address)) {
        *code = (struct address_code){.bits = IPHC_DAC};
    } else {
        code_unicast(code, lowpan, address, link);
    }
}

static void code_destination(struct address_code *code, const struct lowpan *lowpan,
                             const struct ipv6_address *address, const struct link_address *link)
{
    if (ipv6_is_multicast(address)) {
        code_multicast(code, address);
        code_multicast_prefix(code, lowpan, address);
    } else {
        code_unicast(code, lowpan, address, link);
    }
}

static void write_iphc(struct writer *w, const struct ipv6_header *header,
                       const struct address_code *src, const struct address_code *dst,
                       bool compressed_next)
{
    bool contexts = src->context != 0 || dst->context != 0;
    unsigned first = DISPATCH_IPHC | traffic_form(header) << IPHC_TF_SHIFT |
                     (compressed_next ? IPHC_NH : 0U) | hop_limit_form(header->hop_limit);
    unsigned bits = (contexts ? IPHC_CID : 0U) | src->bits << IPHC_SAM_SHIFT | dst->bits;
    writer_u8(w, (uint8_t)first);
    writer_u8(w, (uint8_t)bits);
    if (contexts) {
        writer_u8(w, (uint8_t)(src->context << 4 | dst->context));
    }
    write_traffic(w, header);
    if (!compressed_next) {
        writer_u8(w, header->next_header);
    }
    if (hop_limit_form(header->hop_limit) == 0) {
        writer_u8(w, header->hop_limit);
    }
    writer_bytes(w, src->octets, src->count);
    writer_bytes(w, dst->octets, dst->count);
}

static void write_udp(struct writer *w, struct reader r)
{
    uint16_t src = reader_u16(&r);
    uint16_t dst = reader_u16(&r);
    reader_u16(&r);
    uint16_t checksum = reader_u16(&r);
    bool src_8 = (src & 0xff00) == UDP_PORT_8_BITS;
    bool dst_8 = (dst & 0xff00) == UDP_PORT_8_BITS;
    if ((src & 0xfff0) == UDP_PORT_4_BITS && (dst & 0xfff0) == UDP_PORT_4_BITS) {
        writer_u8(w, NHC_UDP | 3);
        writer_u8(w, (uint8_t)((src & 15) << 4 | (dst & 15)));
    } else if (src_8 && !dst_8) {
        writer_u8(w, NHC_UDP | 2);
        writer_u8(w, (uint8_t)src);
        writer_u16(w, dst);
    } else {
        writer_u8(w, (uint8_t)(NHC_UDP | (dst_8 ? 1U : 0U)));
        writer_u16(w, src);
        if (dst_8) {
            writer_u8(w, (uint8_t)dst);
        } else {
            writer_u16(w, dst);
        }
    }
    writer_u16(w, checksum);
}

/* Padding at the end stays: Contiki-NG reckons the size of a header without it wrongly. */
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
    if (!more) {
        writer_u8(w, next);
    }
    writer_u8(w, (uint8_t)(size - 2));
    writer_bytes(w, reader_take(&r, size - 2), size - 2);
}

static void write_step(const struct lowpan *lowpan, struct writer *w, const struct step *step,
                       const uint8_t *packet, size_t len, bool more)
{
    struct reader r;
    reader_init(&r, packet, len);
    reader_take(&r, step->at);
    switch (step->protocol) {
    case NEXT_UDP:
        write_udp(w, r);
        break;
    case NEXT_AH:
        lowpan->ah->write(r, more, w);
        break;
    case NEXT_ESP:
        lowpan->esp->write(r, more, w);
        break;
    default:
        write_extension(w, step->protocol, r, step->size, more);
        break;
    }
}

int lowpan_compress(const struct lowpan *lowpan, const uint8_t *packet, size_t len,
                    const struct link_address *src, const struct link_address *dst, bool ipsec,
                    uint8_t *out, size_t size, size_t *covered)
{
    struct ipv6_header header;
    struct address_code from;
    struct address_code to;
    struct chain chain;
    struct writer w;
    int error = ipv6_parse(&header, packet, len);
    if (error) {
        return error;
    }
    code_source(&from, lowpan, &header.src, src);
    code_destination(&to, lowpan, &header.dst, dst);
    find_chain(lowpan, &chain, header.next_header, packet, len, ipsec);
    size_t count = chain.count + 1;
    do {
        count--;
        *covered = IPV6_HEADER_SIZE;
        writer_init(&w, out, size);
        write_iphc(&w, &header, &from, &to, count > 0);
        for (size_t i = 0; i < count; i++) {
            write_step(lowpan, &w, &chain.steps[i], packet, len, i + 1 < count);
            *covered += chain.steps[i].size;
        }
    } while (w.failed && count > 0);
    return w.failed ? MOTE_E_SPACE : (int)writer_len(&w);
}
