#include "mote/link_address.h"

#include <string.h>

bool link_is_broadcast(const struct link_address *address)
{
    return address->size == LINK_SHORT && address->octets[0] == 0xff && address->octets[1] == 0xff;
}

bool link_equal(const struct link_address *a, const struct link_address *b)
{
    return a->size == b->size && memcmp(a->octets, b->octets, a->size) == 0;
}

struct link_address link_extended(const uint8_t eui[EUI64_SIZE])
{
    struct link_address address = {.size = LINK_EXTENDED};
    memcpy(address.octets, eui, EUI64_SIZE);
    return address;
}

struct link_address link_short(uint16_t value)
{
    struct link_address address = {.size = LINK_SHORT};
    address.octets[0] = (uint8_t)(value >> 8);
    address.octets[1] = (uint8_t)value;
    return address;
}
