#include "packets.h"

enum { NEXT_AT = 6, ROUTING_LEFT_AT = 3 };

/* ---- headers ---- */

/* The end of the headers that a router processes, and whether the packet is in transit. */
struct chain {
    size_t next_at; /* offset of the last next-header octet */
    uint8_t protocol;
    bool routed_on;
};

static bool is_walked(uint8_t protocol)
{
    return protocol == NEXT_HOP_BY_HOP || protocol == NEXT_ROUTING || protocol == NEXT_DESTINATION;
}

static bool walk(const uint8_t *packet, size_t len, struct chain *chain)
{
    struct reader in;

    if (len < IPV6_HEADER_SIZE)
        return false;
    *chain = (struct chain){.next_at = NEXT_AT, .protocol = packet[NEXT_AT]};
    reader_init(&in, packet, len);
    reader_take(&in, IPV6_HEADER_SIZE);
    while (is_walked(chain->protocol)) {
        size_t at = len - in.left;
        bool routing = chain->protocol == NEXT_ROUTING;

        chain->next_at = at;
        chain->protocol = reader_u8(&in);
        size_t rest = (reader_u8(&in) + 1U) * 8U - 2;
        const uint8_t *body = reader_take(&in, rest);
        if (body == NULL)
            return false;
        if (routing && body[ROUTING_LEFT_AT - 2] > 0)
            chain->routed_on = true;
    }
    return true;
}

static bool is_ipsec(uint8_t protocol)
{
    return protocol == NEXT_AH || protocol == NEXT_ESP;
}

uint8_t packet_mask(uint8_t *packet, size_t len)
{
    struct chain chain;

    if (!walk(packet, len, &chain) || !is_ipsec(chain.protocol))
        return 0;
    packet[chain.next_at] = NEXT_UDP;
    return chain.protocol;
}

void packet_unmask(uint8_t *packet, size_t len, uint8_t protocol)
{
    struct chain chain;

    if (walk(packet, len, &chain) && chain.protocol == NEXT_UDP)
        packet[chain.next_at] = protocol;
}

bool packet_is_protected(const uint8_t *packet, size_t len)
{
    struct chain chain;

    return walk(packet, len, &chain) && is_ipsec(chain.protocol);
}

/* ---- policy ---- */

static const struct net_peer *find_peer(const struct packet_policy *policy,
                                        const struct ipv6_address *address)
{
    for (size_t i = 0; i < policy->count; i++)
        if (ipv6_equal(&policy->peers[i].address, address))
            return &policy->peers[i];
    return NULL;
}

enum packet_fate packet_leaving(const struct packet_policy *policy, const uint8_t *packet,
                                size_t len, bool own, const struct net_peer **peer)
{
    struct ipv6_upper upper;

    *peer = NULL;
    if (!own || ipv6_find_upper(&upper, packet, len) != MOTE_OK || upper.protocol != NEXT_UDP)
        return PACKET_PASS;
    *peer = find_peer(policy, &upper.dst);
    return *peer != NULL && (*peer)->out != NULL ? PACKET_PROTECT : PACKET_PASS;
}

bool packet_is_under(const struct ipsec_sa *sa, const uint8_t *packet, size_t len)
{
    uint8_t protocol;
    uint32_t spi;

    return ipsec_peek(packet, len, &protocol, &spi) == MOTE_OK &&
           protocol == ipsec_protocol_number(sa) && spi == sa->spi;
}

/* Decides about a protected packet at its destination. */
static enum packet_fate arrived(const struct packet_policy *policy, const uint8_t *packet,
                                size_t len, const struct net_peer **peer)
{
    struct ipv6_header header;
    const struct ipsec_sa *outermost;

    if (policy->count == 0)
        return PACKET_PASS; /* Contiki-NG reports the unknown protocol */
    if (ipv6_parse(&header, packet, len) != MOTE_OK)
        return PACKET_DROP;
    *peer = find_peer(policy, &header.src);
    if (*peer == NULL || (*peer)->in == NULL)
        return PACKET_DROP;
    outermost = (*peer)->ah_in != NULL ? (*peer)->ah_in : (*peer)->in;
    return packet_is_under(outermost, packet, len) ? PACKET_OPEN : PACKET_DROP;
}

enum packet_fate packet_arriving(const struct packet_policy *policy, const uint8_t *packet,
                                 size_t len, bool own, const struct net_peer **peer)
{
    struct ipv6_upper upper;
    struct chain chain;
    const struct net_peer *from;

    *peer = NULL;
    if (!walk(packet, len, &chain))
        return PACKET_PASS; /* Contiki-NG drops and counts it */
    if (is_ipsec(chain.protocol))
        return own && !chain.routed_on ? arrived(policy, packet, len, peer) : PACKET_MASK;
    if (!own || chain.routed_on || ipv6_find_upper(&upper, packet, len) != MOTE_OK ||
        upper.protocol != NEXT_UDP)
        return PACKET_PASS;
    from = find_peer(policy, &upper.src);
    return from != NULL && from->in != NULL ? PACKET_DROP : PACKET_PASS;
}

/* ---- 6LoWPAN ---- */

enum {
    DISPATCH_MASK = 0xe0,
    DISPATCH_IPHC = 0x60,
    FRAGMENT_MASK = 0xf8,
    FRAGMENT_FIRST = 0xc0,
    FRAGMENT_NEXT = 0xe0,
    IPHC_NEXT = 0x04,
    IPHC_HOPS = 0x03,
    IPHC_CONTEXTS = 0x80,
    IPHC_SOURCE_CONTEXT = 0x40,
    IPHC_MULTICAST = 0x08,
    IPHC_DESTINATION_CONTEXT = 0x04,
    NHC_EXTENSION_MASK = 0xf0,
    NHC_EXTENSION = 0xe0,
    NHC_NEXT = 0x01,
    EID_DESTINATION = 3,
    EID_AH = 5,
    EID_ESP = 6
};

static size_t source_size(uint8_t modes)
{
    static const uint8_t stateless[] = {16, 8, 2, 0};
    static const uint8_t stateful[] = {0, 8, 2, 0}; /* the first is the unspecified address */
    unsigned mode = modes >> 4 & 3U;

    return (modes & IPHC_SOURCE_CONTEXT) != 0 ? stateful[mode] : stateless[mode];
}

static size_t destination_size(uint8_t modes)
{
    static const uint8_t unicast[] = {16, 8, 2, 0};
    static const uint8_t multicast[] = {16, 6, 4, 1};
    unsigned mode = modes & 3U;

    if ((modes & IPHC_MULTICAST) == 0)
        return unicast[mode];
    return (modes & IPHC_DESTINATION_CONTEXT) != 0 ? 6 : multicast[mode];
}

/* Skips IPHC and its inline fields; false unless an NHC follows. */
static bool skip_iphc(struct reader *in)
{
    static const uint8_t traffic[] = {4, 3, 1, 0};
    uint8_t base = reader_u8(in);
    uint8_t modes = reader_u8(in);
    bool limited = (base & IPHC_HOPS) == 0; /* the hop limit is inline */

    if ((base & DISPATCH_MASK) != DISPATCH_IPHC || (base & IPHC_NEXT) == 0)
        return false;
    reader_take(in, (modes & IPHC_CONTEXTS) != 0 ? 1 : 0);
    reader_take(in, traffic[base >> 3 & 3U] + (limited ? 1U : 0U));
    reader_take(in, source_size(modes) + destination_size(modes));
    return !in->failed;
}

/* Skips compressed extension headers; true if NHC_EH with the identifier of AH or ESP follows. */
static bool names_ipsec(struct reader *in)
{
    for (;;) {
        uint8_t nhc = reader_u8(in);
        unsigned id = nhc >> 1 & 7U;

        if (in->failed || (nhc & NHC_EXTENSION_MASK) != NHC_EXTENSION)
            return false;
        if (id == EID_AH || id == EID_ESP)
            return (nhc & NHC_NEXT) != 0;
        if (id > EID_DESTINATION || (nhc & NHC_NEXT) == 0)
            return false;
        reader_take(in, reader_u8(in));
    }
}

/* True if the core reassembles the datagram of a following fragment. */
static bool is_begun(const struct lowpan_receiver *receiver, uint16_t size, uint16_t tag,
                     const struct link_address *src)
{
    for (size_t i = 0; i < receiver->slot_count; i++) {
        const struct lowpan_slot *slot = &receiver->slots[i];

        if (slot->used && slot->tag == tag && slot->size == size && link_equal(&slot->src, src))
            return true;
    }
    return false;
}

enum payload_owner payload_peek(const struct lowpan_receiver *receiver, const uint8_t *payload,
                                size_t len, const struct link_address *src)
{
    uint8_t fragment = len > 0 ? payload[0] & FRAGMENT_MASK : 0;
    uint16_t size;
    uint16_t tag;
    struct reader in;
    bool own;

    reader_init(&in, payload, len);
    if (fragment == FRAGMENT_FIRST || fragment == FRAGMENT_NEXT) {
        size = reader_u16(&in) & 0x7ff;
        tag = reader_u16(&in);
    } else {
        size = tag = 0;
    }
    own = fragment == FRAGMENT_NEXT ? is_begun(receiver, size, tag, src)
                                    : skip_iphc(&in) && names_ipsec(&in);
    return own && !in.failed ? PAYLOAD_CORE : PAYLOAD_CONTIKI;
}
