#include "transform.h"

#include "mote/base.h"
#include "mote/ipv6.h"

int ipsec_find_position(const uint8_t *packet, size_t len, struct ipsec_position *position)
{
    struct ipv6_header header;
    struct reader r;
    size_t next_at = IPV6_NEXT_AT;
    bool options = false; /* the header before is destination options */
    int error = ipv6_parse(&header, packet, len);
    if (error)
        return error;
    reader_init(&r, packet + IPV6_HEADER_SIZE, len - IPV6_HEADER_SIZE);
    for (;;) {
        size_t at = len - r.left;
        uint8_t protocol = packet[next_at];
        bool destination = protocol == NEXT_DESTINATION;
        bool on_path = protocol == NEXT_HOP_BY_HOP || protocol == NEXT_ROUTING;
        bool ipsec = (protocol | 1) == NEXT_AH; /* ESP is 50, AH 51 */
        if (!options || on_path || ipsec)
            *position = (struct ipsec_position){at, next_at, protocol};
        if (!on_path && !destination)
            return MOTE_OK;
        options = destination;
        next_at = at;
        const uint8_t *octets = reader_take(&r, 8);
        if (octets == NULL || reader_take(&r, octets[1] * 8U) == NULL)
            return MOTE_E_SHORT;
    }
}

void ipsec_set_payload_len(uint8_t *packet, size_t len)
{
    packet[IPV6_PAYLOAD_LEN_AT] = (uint8_t)((len - IPV6_HEADER_SIZE) >> 8);
    packet[IPV6_PAYLOAD_LEN_AT + 1] = (uint8_t)(len - IPV6_HEADER_SIZE);
}
