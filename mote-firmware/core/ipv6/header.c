#include "mote/ipv6.h"

#include <string.h>

int ipv6_parse(struct ipv6_header *header, const uint8_t *packet, size_t len)
{
    struct reader r;
    reader_init(&r, packet, len);
    uint32_t first = reader_u32(&r);
    header->traffic_class = (uint8_t)(first >> 20);
    header->flow_label = first & 0xfffff;
    header->payload_len = reader_u16(&r);
    header->next_header = reader_u8(&r);
    header->hop_limit = reader_u8(&r);
    reader_copy(&r, header->src.octets, sizeof header->src.octets);
    reader_copy(&r, header->dst.octets, sizeof header->dst.octets);
    if (r.failed || r.left < header->payload_len)
        return MOTE_E_SHORT;
    return first >> 28 == 6 && r.left == header->payload_len ? MOTE_OK : MOTE_E_MALFORMED;
}

void ipv6_write(const struct ipv6_header *header, struct writer *w)
{
    writer_u32(w, UINT32_C(6) << 28 | (uint32_t)header->traffic_class << 20 | header->flow_label);
    writer_u16(w, header->payload_len);
    writer_u8(w, header->next_header);
    writer_u8(w, header->hop_limit);
    writer_bytes(w, header->src.octets, sizeof header->src.octets);
    writer_bytes(w, header->dst.octets, sizeof header->dst.octets);
}

/* Sets `dst` to the last address of an RFC 6554 header with segments left. Other types leave it
 * unchanged. */
static int final_destination(const uint8_t *header, size_t len, struct ipv6_address *dst)
{
    struct reader r;
    reader_init(&r, header, len);
    reader_u16(&r);
    uint8_t type = reader_u8(&r);
    uint8_t segments_left = reader_u8(&r);
    uint8_t elided = reader_u8(&r);
    uint8_t pad = reader_u8(&r);
    size_t last = 16U - (elided & 15U); /* CmprE: octets that the last address shares with `dst` */
    if (r.failed || type != 3 || segments_left == 0)
        return MOTE_OK;
    if (len < 8U + last + (pad >> 4))
        return MOTE_E_MALFORMED;
    memcpy(dst->octets + 16 - last, header + len - (pad >> 4) - last, last);
    return MOTE_OK;
}

static size_t extension_size(uint8_t protocol, uint8_t length)
{
    switch (protocol) {
    case NEXT_FRAGMENT:
        return 8;
    case NEXT_AH:
        return (length + 2U) * 4;
    default:
        return (length + 1U) * 8;
    }
}

static bool is_extension(uint8_t protocol)
{
    return protocol == NEXT_HOP_BY_HOP || protocol == NEXT_ROUTING || protocol == NEXT_FRAGMENT ||
           protocol == NEXT_AH || protocol == NEXT_DESTINATION || protocol == NEXT_MOBILITY;
}

int ipv6_find_upper(struct ipv6_upper *upper, const uint8_t *packet, size_t len)
{
    struct ipv6_header header;
    struct reader r;
    int error = ipv6_parse(&header, packet, len);
    if (error)
        return error;
    reader_init(&r, packet, len);
    reader_take(&r, IPV6_HEADER_SIZE);
    *upper = (struct ipv6_upper){
        .protocol = header.next_header, .next_at = 6, .src = header.src, .dst = header.dst};
    while (is_extension(upper->protocol) && !upper->fragment) {
        struct reader peek = r;
        size_t at = len - r.left;
        uint8_t next = reader_u8(&peek);
        size_t size = extension_size(upper->protocol, reader_u8(&peek));
        const uint8_t *extension = reader_take(&r, size);
        if (extension == NULL)
            return MOTE_E_SHORT;
        if (upper->protocol == NEXT_ROUTING)
            error = final_destination(extension, size, &upper->dst);
        if (upper->protocol == NEXT_AH && upper->ah_next_at == 0)
            upper->ah_next_at = upper->next_at;
        if (upper->protocol == NEXT_FRAGMENT)
            upper->fragment = (extension[2] | (extension[3] & 0xf9)) != 0;
        if (error)
            return error;
        upper->protocol = next;
        upper->next_at = at;
    }
    upper->at = len - r.left;
    upper->len = r.left;
    return MOTE_OK;
}

/* The caller folds the carries at the end; 2^16 octets cannot overflow 32 bits. `odd` is set while
 * the previous piece ended inside a 16-bit word. */
static uint32_t add_octets(uint32_t sum, bool *odd, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        sum += *odd ? data[i] : (uint32_t)data[i] << 8;
        *odd = !*odd;
    }
    return sum;
}

uint16_t ipv6_checksum(const struct ipv6_address *src, const struct ipv6_address *dst,
                       uint8_t protocol, const struct piece *pieces, size_t count)
{
    uint32_t sum = protocol;
    bool odd = false;
    sum = add_octets(sum, &odd, src->octets, sizeof src->octets);
    sum = add_octets(sum, &odd, dst->octets, sizeof dst->octets);
    for (size_t i = 0; i < count; i++) {
        sum += (uint32_t)pieces[i].len;
        sum = add_octets(sum, &odd, pieces[i].data, pieces[i].len);
    }
    while (sum >> 16 != 0)
        sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}
