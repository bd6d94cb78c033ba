#include "transform.h"

#include "mote/base.h"
#include "mote/ipv6.h"

int ipsec_find_position(const uint8_t *packet, size_t len, struct ipsec_position *position)
{
    struct ipv6_header header;
    struct reader r;
    int error = ipv6_parse(&header, packet, len);
    if (error)
        return error;
    reader_init(&r, packet, len);
    reader_take(&r, IPV6_HEADER_SIZE);
    *position = (struct ipsec_position){IPV6_HEADER_SIZE, IPV6_NEXT_AT, header.next_header};
    while (position->protocol == NEXT_HOP_BY_HOP || position->protocol == NEXT_ROUTING ||
           position->protocol == NEXT_DESTINATION) {
        uint8_t next = reader_u8(&r);
        size_t rest = (reader_u8(&r) + 1U) * 8U - 2U;
        if (position->protocol == NEXT_DESTINATION && next != NEXT_ROUTING)
            break; /* destination options not followed by a routing header belong to the payload */
        if (reader_take(&r, rest) == NULL)
            return MOTE_E_SHORT;
        position->next_at = position->at;
        position->at = len - r.left;
        position->protocol = next;
    }
    return MOTE_OK;
}

void ipsec_set_payload_len(uint8_t *packet, size_t len)
{
    packet[IPV6_PAYLOAD_LEN_AT] = (uint8_t)((len - IPV6_HEADER_SIZE) >> 8);
    packet[IPV6_PAYLOAD_LEN_AT + 1] = (uint8_t)(len - IPV6_HEADER_SIZE);
}
