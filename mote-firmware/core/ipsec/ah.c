/*
 * AH (RFC 4302). The ICV covers the packet in the form that the far host sees (mote/ipsec.h). That
 * form, the ICV input, is composed in the caller's output buffer, and the result overwrites it.
 */
#include <string.h>

#include "mote/base.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "transform.h"

enum {
    AH_FIXED_SIZE = 12,
    OPTION_PAD1 = 0x00,
    OPTION_PADN = 0x01,
    OPTION_RPL = 0x63,
    OPTION_RPL_2019 = 0x23,
    OPTION_MUTABLE = 0x20,
    ROUTING_TYPE_SOURCE = 3
};

/* The size of AH: fixed part, ICV, and padding to a multiple of eight octets (RFC 4302
 * section 2.6). */
static size_t ah_size(const struct ipsec_sa *sa)
{
    return (AH_FIXED_SIZE + ipsec_icv_size(sa) + 7) / 8 * 8;
}

/* True if a hop-by-hop header holds only the RPL option and padding: the RPL root adds and removes
 * such headers. */
static bool only_rpl(const uint8_t *header, size_t size)
{
    struct reader r;
    bool rpl = false;
    reader_init(&r, header, size);
    reader_u16(&r);
    while (r.left > 0) {
        uint8_t type = reader_u8(&r);
        if (type == OPTION_PAD1)
            continue;
        reader_take(&r, reader_u8(&r));
        if (type == OPTION_RPL || type == OPTION_RPL_2019)
            rpl = true;
        else if (type != OPTION_PADN)
            return false;
    }
    return rpl && !r.failed;
}

/* Zeroes the data of mutable options (RFC 4302 section 3.3.3.1.2.2). */
static int zero_mutable(uint8_t *header, size_t size)
{
    struct reader r;
    reader_init(&r, header, size);
    reader_u16(&r);
    while (r.left > 0) {
        uint8_t type = reader_u8(&r);
        if (type == OPTION_PAD1)
            continue;
        uint8_t len = reader_u8(&r);
        size_t at = size - r.left;
        if (reader_take(&r, len) == NULL)
            return MOTE_E_MALFORMED;
        if ((type & OPTION_MUTABLE) != 0)
            memset(header + at, 0, len);
    }
    return MOTE_OK;
}

/* Writes the headers before AH without RPL headers; `next_at` is the offset of the last next-header
 * octet written. */
static int write_headers(struct writer *w, const uint8_t *packet, size_t ah_at, size_t *next_at)
{
    struct reader r;
    reader_init(&r, packet, ah_at);
    writer_bytes(w, reader_take(&r, IPV6_HEADER_SIZE), IPV6_HEADER_SIZE);
    uint8_t protocol = packet[IPV6_NEXT_AT];
    *next_at = IPV6_NEXT_AT;
    while (r.left > 0) {
        uint8_t next = r.at[0];
        struct reader peek = r;
        reader_u8(&peek);
        size_t size = (reader_u8(&peek) + 1U) * 8U;
        const uint8_t *header = reader_take(&r, size);
        if (header == NULL)
            return MOTE_E_SHORT;
        bool source_route = protocol == NEXT_ROUTING && header[2] == ROUTING_TYPE_SOURCE;
        bool left_out = source_route || (protocol == NEXT_HOP_BY_HOP && only_rpl(header, size));
        if (protocol == NEXT_ROUTING && !source_route)
            return MOTE_E_UNSUPPORTED;
        if (!left_out) {
            size_t at = w->len;
            writer_bytes(w, header, size);
            if (w->failed || zero_mutable(w->start + at, size))
                return w->failed ? MOTE_E_SPACE : MOTE_E_MALFORMED;
            w->start[*next_at] = protocol;
            *next_at = at;
        }
        protocol = next;
    }
    return w->failed ? MOTE_E_SPACE : MOTE_OK;
}

/* Writes the ICV input: headers, AH with a zero ICV, and the rest. Mutable fields of the IPv6
 * header are zero. */
static int icv_input(const uint8_t *packet, size_t ah_at, const uint8_t *ah, size_t ah_len,
                     size_t icv_len, const uint8_t *rest, size_t rest_len, struct writer *w)
{
    struct ipv6_upper upper;
    size_t next_at;
    int error = write_headers(w, packet, ah_at, &next_at);
    if (error)
        return error;
    writer_bytes(w, ah, AH_FIXED_SIZE);
    uint8_t *icv = writer_take(w, icv_len);
    size_t fill = ah_len - AH_FIXED_SIZE - icv_len;
    writer_bytes(w, ah + AH_FIXED_SIZE + icv_len, fill);
    writer_bytes(w, rest, rest_len);
    if (w->failed)
        return MOTE_E_SPACE;
    memset(icv, 0, icv_len);
    w->start[next_at] = NEXT_AH;
    /* Traffic class, flow label and hop limit are mutable. */
    w->start[0] = 0x60;
    w->start[1] = w->start[2] = w->start[3] = 0;
    w->start[7] = 0;
    ipsec_set_payload_len(w->start, w->len);
    size_t len = IPV6_HEADER_SIZE + (size_t)(packet[4] << 8 | packet[5]);
    error = ipv6_find_upper(&upper, packet, len);
    if (!error)
        memcpy(w->start + 24, upper.dst.octets, 16);
    return error;
}

static int ah_seal(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                   const struct ipsec_position *position, const uint8_t *packet, size_t len,
                   uint32_t sequence, const uint8_t *iv, uint8_t *out, size_t size)
{
    struct writer w;
    uint8_t ah[IPSEC_AH_OVERHEAD_MAX] = {0};
    size_t ah_len = ah_size(sa);
    (void)iv;
    writer_init(&w, ah, sizeof ah);
    writer_u8(&w, position->protocol);
    writer_u8(&w, (uint8_t)(ah_len / 4 - 2));
    writer_u16(&w, 0);
    writer_u32(&w, sa->spi);
    writer_u32(&w, sequence);
    writer_init(&w, out, size);
    int error = icv_input(packet, position->at, ah, ah_len, ipsec_icv_size(sa),
                          packet + position->at, len - position->at, &w);
    if (error)
        return error;
    struct piece whole = {w.start, w.len};
    ipsec_compute_icv(sa, crypto, &whole, ah + AH_FIXED_SIZE);
    writer_init(&w, out, size);
    writer_bytes(&w, packet, position->at);
    writer_bytes(&w, ah, ah_len);
    writer_bytes(&w, packet + position->at, len - position->at);
    if (w.failed)
        return MOTE_E_SPACE;
    out[position->next_at] = NEXT_AH;
    ipsec_set_payload_len(out, w.len);
    return (int)w.len;
}

static int ah_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                   const struct ipsec_position *position, const uint8_t *packet, size_t len,
                   uint8_t *out, size_t size)
{
    struct reader r;
    struct writer w;
    size_t icv_len = ipsec_icv_size(sa);
    reader_init(&r, packet, len);
    reader_take(&r, position->at);
    struct reader fields = r;
    uint8_t next = reader_u8(&fields);
    size_t ah_len = (reader_u8(&fields) + 2U) * 4U;
    reader_u16(&fields);
    uint32_t spi = reader_u32(&fields);
    uint32_t sequence = reader_u32(&fields);
    const uint8_t *ah = reader_take(&r, ah_len);
    if (ah == NULL || fields.failed)
        return MOTE_E_SHORT;
    if (ah_len < AH_FIXED_SIZE + icv_len || ah_len > AH_FIXED_SIZE + icv_len + 7)
        return MOTE_E_MALFORMED;
    int error = spi == sa->spi ? ipsec_replay_check(sa, sequence) : MOTE_E_STATE;
    if (error)
        return error;
    writer_init(&w, out, size);
    error = icv_input(packet, position->at, ah, ah_len, icv_len, r.at, r.left, &w);
    if (error)
        return error;
    struct piece whole = {w.start, w.len};
    error = ipsec_verify_icv(sa, crypto, &whole, ah + AH_FIXED_SIZE);
    if (error)
        return error;
    writer_init(&w, out, size);
    writer_bytes(&w, packet, position->at);
    writer_bytes(&w, r.at, r.left);
    if (w.failed) /* the ICV input had no RPL headers and was shorter */
        return MOTE_E_SPACE;
    ipsec_replay_update(sa, sequence);
    out[position->next_at] = next;
    ipsec_set_payload_len(out, w.len);
    return (int)w.len;
}

const struct ipsec_protocol ipsec_ah = {NEXT_AH, ah_seal, ah_open};
