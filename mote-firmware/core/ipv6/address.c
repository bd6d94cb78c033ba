#include "mote/ipv6.h"

#include <string.h>

enum { UNIVERSAL_BIT = 0x02 };

static void interface_identifier(const struct link_address *link, uint8_t iid[8])
{
    static const uint8_t short_address[8] = {0, 0, 0, 0xff, 0xfe, 0, 0, 0};
    if (link->size == LINK_EXTENDED) {
        memcpy(iid, link->octets, 8);
        iid[0] ^= UNIVERSAL_BIT;
    } else {
        memcpy(iid, short_address, 8);
        memcpy(iid + 6, link->octets, 2);
    }
}

struct ipv6_address ipv6_under_prefix(const uint8_t prefix[8], const struct link_address *link)
{
    struct ipv6_address address;
    memcpy(address.octets, prefix, 8);
    interface_identifier(link, address.octets + 8);
    return address;
}

struct ipv6_address ipv6_link_local(const struct link_address *link)
{
    static const uint8_t prefix[8] = {0xfe, 0x80, 0, 0, 0, 0, 0, 0};
    return ipv6_under_prefix(prefix, link);
}

struct link_address ipv6_link_of(const struct ipv6_address *address)
{
    struct link_address link = link_extended(address->octets + 8);
    link.octets[0] ^= UNIVERSAL_BIT;
    return link;
}

bool ipv6_equal(const struct ipv6_address *a, const struct ipv6_address *b)
{
    return memcmp(a->octets, b->octets, sizeof a->octets) == 0;
}

bool ipv6_is_multicast(const struct ipv6_address *address)
{
    return address->octets[0] == 0xff;
}

bool ipv6_is_link_local(const struct ipv6_address *address)
{
    return address->octets[0] == 0xfe && (address->octets[1] & 0xc0) == 0x80;
}

bool ipv6_is_unspecified(const struct ipv6_address *address)
{
    static const struct ipv6_address unspecified = {{0}};
    return ipv6_equal(address, &unspecified);
}
