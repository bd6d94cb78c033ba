/*
 * Decompression of IPHC and NHC, field by field. `next_at` is the offset in the output of the last
 * next-header octet; `pending` is set while its value is unknown because an NHC follows.
 */
#include <string.h>

#include "iphc.h"
#include "mote/base.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/sixlowpan.h"
#include "mote/udp_nhc.h"
#include "nhc_ipsec.h"

struct decoder {
    const struct lowpan *lowpan;
    const struct link_address *src;
    const struct link_address *dst;
    struct reader in;
    struct writer out;
    size_t total;
    size_t next_at;
    struct lowpan_deferred deferred;
    bool pending;
};

static void read_traffic(struct reader *in, unsigned form, struct ipv6_header *header)
{
    uint8_t ecn_dscp = 0;
    header->flow_label = 0;
    if (form == 0 || form == 2) {
        ecn_dscp = reader_u8(in);
        if (form == 0) {
            header->flow_label = (reader_u8(in) & UINT32_C(0x0f)) << 16;
            header->flow_label |= reader_u16(in);
        }
    } else if (form == 1) {
        uint8_t first = reader_u8(in);
        ecn_dscp = first & 0xc0; /* DSCP elided */
        header->flow_label = (first & UINT32_C(0x0f)) << 16;
        header->flow_label |= reader_u16(in);
    }
    header->traffic_class = (uint8_t)(ecn_dscp << 2 | ecn_dscp >> 6);
}

static uint8_t read_hop_limit(struct reader *in, unsigned form)
{
    static const uint8_t limits[4] = {0, 1, 64, 255};
    return form == 0 ? reader_u8(in) : limits[form];
}

static int read_unicast(struct decoder *decoder, unsigned mode,
                        const struct lowpan_context *context, const struct link_address *link,
                        struct ipv6_address *address)
{
    const uint8_t *octets = reader_take(&decoder->in, iphc_unicast_inline[mode]);
    return octets == NULL ? MOTE_E_SHORT : iphc_unicast(context, mode, octets, link, address);
}

static int read_source(struct decoder *decoder, unsigned bits, unsigned context_id,
                       struct ipv6_address *address)
{
    const struct lowpan_context *context = NULL;
    unsigned mode = bits >> IPHC_SAM_SHIFT & 3;
    if ((bits & IPHC_SAC) != 0) {
        if (mode == MODE_FULL) { /* SAC = 1, SAM = 00: the unspecified address */
            memset(address->octets, 0, sizeof address->octets);
            return MOTE_OK;
        }
        context = lowpan_context(decoder->lowpan, context_id);
        if (context == NULL)
            return MOTE_E_UNSUPPORTED;
    }
    return read_unicast(decoder, mode, context, decoder->src, address);
}

static int read_multicast(struct decoder *decoder, unsigned bits, unsigned context_id,
                          struct ipv6_address *address)
{
    unsigned mode = bits & 3;
    if ((bits & IPHC_DAC) != 0) {
        const uint8_t *octets = reader_take(&decoder->in, 6);
        if (mode != 0 || octets == NULL)
            return mode != 0 ? MOTE_E_MALFORMED : MOTE_E_SHORT;
        return iphc_multicast_prefix(lowpan_context(decoder->lowpan, context_id), octets, address);
    }
    const uint8_t *octets = reader_take(&decoder->in, iphc_multicast_inline[mode]);
    if (octets == NULL)
        return MOTE_E_SHORT;
    iphc_multicast(mode, octets, address);
    return MOTE_OK;
}

static int read_destination(struct decoder *decoder, unsigned bits, unsigned context_id,
                            struct ipv6_address *address)
{
    const struct lowpan_context *context = NULL;
    unsigned mode = bits & 3;
    if ((bits & IPHC_M) != 0)
        return read_multicast(decoder, bits, context_id, address);
    if ((bits & IPHC_DAC) != 0) {
        if (mode == MODE_FULL)
            return MOTE_E_MALFORMED; /* reserved */
        context = lowpan_context(decoder->lowpan, context_id);
        if (context == NULL)
            return MOTE_E_UNSUPPORTED;
    }
    return read_unicast(decoder, mode, context, decoder->dst, address);
}

static int read_iphc(struct decoder *decoder)
{
    struct ipv6_header header = {0};
    uint8_t first = reader_u8(&decoder->in);
    uint8_t bits = reader_u8(&decoder->in);
    uint8_t contexts = (bits & IPHC_CID) != 0 ? reader_u8(&decoder->in) : 0;
    read_traffic(&decoder->in, first >> IPHC_TF_SHIFT & 3, &header);
    decoder->pending = (first & IPHC_NH) != 0;
    header.next_header = decoder->pending ? 0 : reader_u8(&decoder->in);
    header.hop_limit = read_hop_limit(&decoder->in, first & 3);
    int error = read_source(decoder, bits, contexts >> 4, &header.src);
    if (!error)
        error = read_destination(decoder, bits, contexts & 15, &header.dst);
    if (error || decoder->in.failed)
        return error ? error : MOTE_E_SHORT;
    ipv6_write(&header, &decoder->out);
    decoder->next_at = 6;
    return MOTE_OK;
}

/* Writes the protocol of an NHC to the next-header octet of the header before it. */
static void set_next_header(struct decoder *decoder, uint8_t protocol)
{
    if (!decoder->out.failed)
        decoder->out.start[decoder->next_at] = protocol;
}

/* Restores elided trailing padding: Pad1, or PadN of the missing length. */
static void write_padding(struct writer *out, size_t missing)
{
    if (missing == 1) {
        writer_u8(out, 0);
    } else if (missing > 1) {
        writer_u8(out, 1);
        writer_u8(out, (uint8_t)(missing - 2));
        for (size_t i = 2; i < missing; i++)
            writer_u8(out, 0);
    }
}

static int read_extension(struct decoder *decoder, uint8_t nhc)
{
    static const uint8_t protocols[8] = {
        NEXT_HOP_BY_HOP, NEXT_ROUTING, NEXT_FRAGMENT, NEXT_DESTINATION,
        NEXT_MOBILITY,   0xff,         0xff,          0xff};
    uint8_t protocol = protocols[nhc >> 1 & 7];
    if (protocol == 0xff)
        return MOTE_E_UNSUPPORTED;
    decoder->pending = (nhc & NHC_NH) != 0;
    uint8_t next = decoder->pending ? 0 : reader_u8(&decoder->in);
    size_t inside = reader_u8(&decoder->in); /* octets after the first two of the header */
    const uint8_t *octets = reader_take(&decoder->in, inside);
    if (octets == NULL)
        return MOTE_E_SHORT;
    size_t size = (2 + inside + 7) / 8 * 8;
    bool options = protocol == NEXT_HOP_BY_HOP || protocol == NEXT_DESTINATION;
    bool fits = protocol == NEXT_FRAGMENT ? size == 8 : true;
    if (!fits || (!options && size != 2 + inside))
        return MOTE_E_MALFORMED;
    set_next_header(decoder, protocol);
    decoder->next_at = decoder->out.len;
    writer_u8(&decoder->out, next);
    /* The fragment header has a reserved octet of 0 instead of a length; size / 8 - 1 is 0 too. */
    writer_u8(&decoder->out, (uint8_t)(size / 8 - 1));
    writer_bytes(&decoder->out, octets, inside);
    write_padding(&decoder->out, size - 2 - inside);
    return MOTE_OK;
}

static int read_udp(struct decoder *decoder, uint8_t nhc)
{
    uint16_t src;
    uint16_t dst;
    size_t at = decoder->out.len;
    bool elided = (nhc & NHC_UDP_CHECKSUM_ELIDED) != 0;
    udp_nhc_read_ports(&decoder->in, nhc & 3, &src, &dst);
    uint16_t checksum = elided ? 0 : reader_u16(&decoder->in);
    size_t total = decoder->total > 0 ? decoder->total : at + UDP_HEADER_SIZE + decoder->in.left;
    if (decoder->in.failed)
        return MOTE_E_SHORT;
    if (total < at + UDP_HEADER_SIZE || total - at > UINT16_MAX)
        return MOTE_E_MALFORMED;
    set_next_header(decoder, NEXT_UDP);
    writer_u16(&decoder->out, src);
    writer_u16(&decoder->out, dst);
    writer_u16(&decoder->out, (uint16_t)(total - at));
    writer_u16(&decoder->out, checksum);
    decoder->deferred.checksum_at = elided ? at + 6 : 0;
    decoder->pending = false;
    return MOTE_OK;
}

static int read_ipsec(struct decoder *decoder)
{
    struct nhc_ipsec_next next;
    uint8_t nhc = reader_u8(&decoder->in);
    const struct lowpan_nhc *known = nhc_ipsec_find(decoder->lowpan, nhc);
    if (decoder->in.failed)
        return MOTE_E_SHORT;
    if (known == NULL)
        return MOTE_E_UNSUPPORTED;
    int error = known->read(&decoder->in, nhc, &decoder->out, &next);
    if (!error) {
        set_next_header(decoder, known->protocol);
        decoder->pending = next.pending;
        decoder->next_at = next.next_at;
        decoder->deferred.ipsec_nhc |= LOWPAN_IPSEC_NHC | next.low;
    }
    return error;
}

static int read_nhc(struct decoder *decoder)
{
    uint8_t nhc = reader_u8(&decoder->in);
    if (decoder->in.failed)
        return MOTE_E_SHORT;
    if (nhc == NHC_IPSEC_AH || nhc == NHC_IPSEC_ESP)
        return read_ipsec(decoder);
    if ((nhc & 0xf0) == NHC_EXTENSION)
        return read_extension(decoder, nhc);
    if ((nhc & 0xf8) == NHC_UDP)
        return read_udp(decoder, nhc);
    return MOTE_E_UNSUPPORTED;
}

static int read_headers(struct decoder *decoder)
{
    int error = read_iphc(decoder);
    while (!error && decoder->pending) /* each iteration consumes an octet */
        error = read_nhc(decoder);
    return error;
}

/* Appends the payload and sets the payload length, which is known only now. */
static int finish(struct decoder *decoder)
{
    size_t rest = decoder->in.left;
    writer_bytes(&decoder->out, decoder->in.at, rest);
    if (decoder->out.failed)
        return MOTE_E_SPACE;
    size_t total = decoder->total > 0 ? decoder->total : decoder->out.len;
    if (total < decoder->out.len || total - IPV6_HEADER_SIZE > UINT16_MAX)
        return MOTE_E_MALFORMED;
    decoder->out.start[4] = (uint8_t)((total - IPV6_HEADER_SIZE) >> 8);
    decoder->out.start[5] = (uint8_t)(total - IPV6_HEADER_SIZE);
    return (int)decoder->out.len;
}

static int copy_uncompressed(struct reader *in, size_t total, uint8_t *out, size_t size)
{
    struct reader peek = *in;
    reader_u32(&peek);
    size_t stated = IPV6_HEADER_SIZE + (size_t)reader_u16(&peek);
    size_t len = in->left;
    if (len < IPV6_HEADER_SIZE)
        return MOTE_E_SHORT;
    if (stated != (total > 0 ? total : len) || len > stated || in->at[0] >> 4 != 6)
        return MOTE_E_MALFORMED;
    if (len > size)
        return MOTE_E_SPACE;
    memcpy(out, in->at, len);
    return (int)len;
}

int lowpan_decompress(const struct lowpan *lowpan, const uint8_t *data, size_t len,
                      const struct link_address *src, const struct link_address *dst, size_t total,
                      uint8_t *out, size_t size, struct lowpan_deferred *deferred)
{
    struct decoder decoder = {.lowpan = lowpan, .src = src, .dst = dst, .total = total};
    *deferred = (struct lowpan_deferred){0};
    reader_init(&decoder.in, data, len);
    writer_init(&decoder.out, out, size);
    if (len == 0)
        return MOTE_E_SHORT;
    if (data[0] == DISPATCH_IPV6) {
        reader_u8(&decoder.in);
        return copy_uncompressed(&decoder.in, total, out, size);
    }
    if ((data[0] & 0xe0) != DISPATCH_IPHC)
        return MOTE_E_UNSUPPORTED;
    int error = read_headers(&decoder);
    if (error)
        return error;
    *deferred = decoder.deferred;
    return finish(&decoder);
}

int lowpan_fill_checksum(uint8_t *packet, size_t len, size_t checksum_at)
{
    struct ipv6_upper upper;
    int error = ipv6_find_upper(&upper, packet, len);
    if (error)
        return error;
    if (upper.protocol != NEXT_UDP || upper.at + 6 != checksum_at)
        return MOTE_E_MALFORMED; /* e.g. after a fragment header, where the checksum cannot be
                                    computed */
    struct piece whole = {packet + upper.at, upper.len};
    uint16_t checksum = ipv6_checksum(&upper.src, &upper.dst, NEXT_UDP, &whole, 1);
    checksum = checksum == 0 ? 0xffff : checksum;
    packet[checksum_at] = (uint8_t)(checksum >> 8);
    packet[checksum_at + 1] = (uint8_t)checksum;
    return MOTE_OK;
}
