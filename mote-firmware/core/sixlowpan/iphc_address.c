#include <string.h>

#include "iphc.h"
#include "mote/base.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/sixlowpan.h"

const uint8_t iphc_unicast_inline[4] = {16, 8, 2, 0};
const uint8_t iphc_multicast_inline[4] = {16, 6, 4, 1};

const struct lowpan_context *lowpan_context(const struct lowpan *lowpan, unsigned id)
{
    if (id >= lowpan->context_count || lowpan->contexts[id].prefix_len == 0)
        return NULL;
    return &lowpan->contexts[id];
}

/* A context's prefix bits override all others (RFC 6282 section 3.1.1). */
static void overlay_prefix(const struct lowpan_context *context, struct ipv6_address *address)
{
    size_t whole = context->prefix_len / 8U;
    unsigned rest = context->prefix_len % 8U;
    memcpy(address->octets, context->prefix, whole);
    if (rest > 0) {
        unsigned mask = 0xff00U >> rest & 0xffU;
        address->octets[whole] =
            (uint8_t)((context->prefix[whole] & mask) | (address->octets[whole] & ~mask));
    }
}

int iphc_unicast(const struct lowpan_context *context, unsigned mode, const uint8_t *inline_octets,
                 const struct link_address *link, struct ipv6_address *address)
{
    static const uint8_t short_identifier[6] = {0, 0, 0, 0xff, 0xfe, 0};
    struct ipv6_address result = {{0}};
    if (context == NULL) {
        result.octets[0] = 0xfe;
        result.octets[1] = 0x80;
    }
    switch (mode) {
    case MODE_FULL:
        memcpy(result.octets, inline_octets, 16);
        break;
    case MODE_64:
        memcpy(result.octets + 8, inline_octets, 8);
        break;
    case MODE_16:
        memcpy(result.octets + 8, short_identifier, 6);
        memcpy(result.octets + 14, inline_octets, 2);
        break;
    default:
        if (link->size == LINK_NONE)
            return MOTE_E_MALFORMED;
        result = ipv6_under_prefix(result.octets, link);
        break;
    }
    if (context != NULL)
        overlay_prefix(context, &result);
    *address = result;
    return MOTE_OK;
}

/* Flags and scope first, then the last octets; the one-octet mode stands for ff02::00XX. */
void iphc_multicast(unsigned mode, const uint8_t *inline_octets, struct ipv6_address *address)
{
    size_t count = iphc_multicast_inline[mode];
    if (mode == MULTICAST_FULL) {
        memcpy(address->octets, inline_octets, 16);
        return;
    }
    memset(address->octets, 0, 16);
    address->octets[0] = 0xff;
    address->octets[1] = 0x02;
    if (mode != MULTICAST_8) {
        address->octets[1] = inline_octets[0];
        inline_octets++;
        count--;
    }
    memcpy(address->octets + 16 - count, inline_octets, count);
}

int iphc_multicast_prefix(const struct lowpan_context *context, const uint8_t inline_octets[6],
                          struct ipv6_address *address)
{
    struct ipv6_address prefix = {{0}};
    if (context == NULL || context->prefix_len > 64)
        return MOTE_E_MALFORMED;
    overlay_prefix(context, &prefix);
    address->octets[0] = 0xff;
    memcpy(address->octets + 1, inline_octets, 2);
    address->octets[3] = context->prefix_len;
    memcpy(address->octets + 4, prefix.octets, 8);
    memcpy(address->octets + 12, inline_octets + 2, 4);
    return MOTE_OK;
}
