#include "transform.h"

int ipsec_find_place(const uint8_t *packet, size_t len, struct ipsec_place *place)
{
    struct ipv6_header header;
    struct reader r;
    int error = ipv6_parse(&header, packet, len);
    if (error) {
        return error;
    }
    reader_init(&r, packet, len);
    reader_take(&r, IPV6_HEADER_SIZE);
    *place = (struct ipsec_place){IPV6_HEADER_SIZE, IPV6_NEXT_AT, header.next_header};
    while (place->protocol == NEXT_HOP_BY_HOP || place->protocol == NEXT_ROUTING ||
           place->protocol == NEXT_DESTINATION) {
        uint8_t next = reader_u8(&r);
        size_t rest = (reader_u8(&r) + 1U) * 8U - 2U;
        if (place->protocol == NEXT_DESTINATION && next != NEXT_ROUTING) {
            break; /* it goes before the routing header it belongs to, else with the payload */
        }
        if (reader_take(&r, rest) == NULL) {
            return MOTE_E_SHORT;
        }
        place->next_at = place->at;
        place->at = len - r.left;
        place->protocol = next;
    }
    return MOTE_OK;
}

void ipsec_set_payload_len(uint8_t *packet, size_t len)
{
    packet[IPV6_PAYLOAD_LEN_AT] = (uint8_t)((len - IPV6_HEADER_SIZE) >> 8);
    packet[IPV6_PAYLOAD_LEN_AT + 1] = (uint8_t)(len - IPV6_HEADER_SIZE);
}
