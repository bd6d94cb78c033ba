#include "number.h"

#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "peer.h"

enum { WHOLE_EVERY = 16 };

/* The association of the packet's outermost header, if it starts here and ends at the neighbour;
 * else NULL. */
static const struct ipsec_sa *ends_at_neighbour(const struct net *net,
                                                const struct net_packet *packet)
{
    struct ipv6_header header;
    if (ipv6_parse(&header, packet->octets, packet->len) != MOTE_OK)
        return NULL;
    struct link_address end = ipv6_link_of(&header.dst);
    struct ipv6_address own =
        ipv6_is_link_local(&header.src) ? ipv6_link_local(&net->link) : net_address(net);
    const struct net_peer *peer = net_peer_find(net, &header.dst);
    if (peer == NULL || !link_equal(&end, &packet->to) || !ipv6_equal(&header.src, &own))
        return NULL;
    return peer->ah_out != NULL ? peer->ah_out : peer->out;
}

void net_number_elide(struct net *net, const struct net_packet *packet, struct lowpan *lowpan)
{
    uint32_t sequence;
    size_t low = net->number_octets;
    net->number_whole = false;
    const struct ipsec_sa *sa = low > 0 ? ends_at_neighbour(net, packet) : NULL;
    if (sa == NULL || ipsec_sequence(sa, packet->octets, packet->len, &sequence) != MOTE_OK)
        return;
    /* Up to 2^16 - 1 the whole form has only two octets, so eliding would save nothing. */
    bool whole = sequence % WHOLE_EVERY == 0 || (low == 2 && sequence <= UINT16_MAX) ||
                 !link_equal(&net->number_known, &packet->to);
    net->number_whole = whole;
    low = whole ? 0 : low;
    bool ah = ipsec_protocol_number(sa) == NEXT_AH;
    lowpan_elide(lowpan, ah ? low : 0, ah ? 0 : low);
}

void net_number_arrived(struct net *net, const struct link_address *to)
{
    if (net->number_whole)
        net->number_known = *to;
}

void net_number_lost(struct net *net, const struct link_address *to)
{
    if (link_equal(&net->number_known, to))
        net->number_known.size = LINK_NONE;
}

static size_t low_octets(const struct lowpan_packet *packet)
{
    if ((packet->ipsec_nhc & LOWPAN_LOW_1) != 0)
        return 1;
    return (packet->ipsec_nhc & LOWPAN_LOW_2) != 0 ? 2 : 0;
}

bool net_number_elided(const struct lowpan_packet *packet)
{
    return low_octets(packet) > 0;
}

int net_number_restore(struct net *net, uint8_t *octets, const struct lowpan_packet *packet)
{
    struct ipv6_header header;
    int error = ipv6_parse(&header, octets, packet->len);
    const struct net_peer *peer = error ? NULL : net_peer_find(net, &header.src);
    const struct ipsec_sa *sa = NULL;
    if (peer != NULL)
        sa = peer->ah_in != NULL ? peer->ah_in : peer->in;
    if (!error)
        error = sa == NULL ? MOTE_E_STATE
                           : ipsec_restore_sequence(sa, octets, packet->len, low_octets(packet));
    net->counts.bad_ipsec += error != MOTE_OK;
    return error;
}
