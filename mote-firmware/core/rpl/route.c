/*
 * Packet routing: upwards with the hop-by-hop option and the sender's rank (RFC 6553), downwards
 * with the source routing header (RFC 6554).
 */
#include <string.h>

#include "clock.h"
#include "mote/base.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/rpl.h"
#include "neighbour.h"

enum {
    OPTION_RPL = 0x63,
    OPTION_RPL_2019 = 0x23, /* RFC 9008 */
    FLAG_DOWN = 0x80,
    FLAG_RANK_ERROR = 0x40,
    FLAG_FORWARD_ERROR = 0x20,
    ROUTING_TYPE_SOURCE = 3,
    HOP_LIMIT_AT = 7,
    DESTINATION_AT = 24
};

static const uint8_t short_identifier[6] = {0, 0, 0, 0xff, 0xfe, 0};

static struct link_address link_address_of(const struct ipv6_address *address)
{
    if (memcmp(address->octets + 8, short_identifier, sizeof short_identifier) == 0)
        return link_short((uint16_t)(address->octets[14] << 8 | address->octets[15]));
    return ipv6_link_of(address);
}

static bool is_routed(const struct ipv6_address *dst)
{
    return !ipv6_is_multicast(dst) && !ipv6_is_link_local(dst);
}

int rpl_originate(const struct rpl_node *node, const uint8_t *packet, size_t len, uint8_t *out,
                  size_t size, struct link_address *to)
{
    struct ipv6_header header;
    struct writer w;
    int error = ipv6_parse(&header, packet, len);
    if (error)
        return error;
    writer_init(&w, out, size);
    if (!is_routed(&header.dst)) {
        *to = ipv6_is_multicast(&header.dst) ? link_short(0xffff) : link_address_of(&header.dst);
        writer_bytes(&w, packet, len);
        return w.failed ? MOTE_E_SPACE : (int)writer_len(&w);
    }
    if (node->parent < 0)
        return MOTE_E_STATE;
    *to = node->neighbours[node->parent].link;
    uint8_t next = header.next_header;
    header.next_header = NEXT_HOP_BY_HOP;
    header.payload_len = (uint16_t)(header.payload_len + RPL_HOP_BY_HOP_SIZE);
    ipv6_write(&header, &w);
    writer_u8(&w, next);
    writer_u8(&w, 0);
    writer_u16(&w, OPTION_RPL << 8 | 4);
    writer_u8(&w, 0);
    writer_u8(&w, node->dodag.instance);
    writer_u16(&w, node->dodag.rank);
    writer_bytes(&w, packet + IPV6_HEADER_SIZE, len - IPV6_HEADER_SIZE);
    return w.failed ? MOTE_E_SPACE : (int)writer_len(&w);
}

static int decrement_hop_limit(uint8_t *packet)
{
    if (packet[HOP_LIMIT_AT] <= 1)
        return MOTE_E_UNSUPPORTED;
    packet[HOP_LIMIT_AT]--;
    return MOTE_OK;
}

/* The offset of the RPL option's data in the hop-by-hop header; 0 if there is none. */
static size_t find_option(const uint8_t *packet, size_t len)
{
    struct reader r;
    reader_init(&r, packet, len);
    reader_take(&r, IPV6_HEADER_SIZE);
    reader_u8(&r);
    size_t size = (reader_u8(&r) + 1U) * 8U - 2;
    const uint8_t *options = reader_take(&r, size);
    if (options == NULL || packet[6] != NEXT_HOP_BY_HOP)
        return 0;
    reader_init(&r, options, size);
    while (r.left > 0) {
        uint8_t type = reader_u8(&r);
        uint8_t option_len = type == 0 ? 0 : reader_u8(&r);
        size_t at = (size_t)(r.at - packet);
        if ((type == OPTION_RPL || type == OPTION_RPL_2019) && option_len >= 4 && r.left >= 4)
            return at;
        if (reader_take(&r, option_len) == NULL)
            return 0;
    }
    return 0;
}

/*
 * RFC 6550 section 11.2: an upward packet must come from a node of higher rank. The first violation
 * sets the rank-error flag; the second one means a loop.
 */
static int check_rank(struct rpl_node *node, uint8_t *option, uint32_t now)
{
    uint16_t sender = (uint16_t)(option[2] << 8 | option[3]);
    if (option[1] != node->dodag.instance || (option[0] & (FLAG_DOWN | FLAG_FORWARD_ERROR)) != 0)
        return MOTE_E_UNSUPPORTED;
    if (sender <= node->dodag.rank) {
        trickle_reset(&node->trickle, node->random, now);
        if ((option[0] & FLAG_RANK_ERROR) != 0) {
            node->dropped_loops++;
            return MOTE_E_REPLAY;
        }
        option[0] = (uint8_t)(option[0] | FLAG_RANK_ERROR);
    }
    option[2] = (uint8_t)(node->dodag.rank >> 8);
    option[3] = (uint8_t)node->dodag.rank;
    return MOTE_OK;
}

static int route_up(struct rpl_node *node, uint8_t *packet, size_t len, struct link_address *to,
                    uint32_t now)
{
    if (node->parent < 0 || node->leaf)
        return MOTE_E_STATE;
    size_t option = find_option(packet, len);
    int error = option > 0 ? check_rank(node, packet + option, now) : MOTE_OK;
    if (!error)
        error = decrement_hop_limit(packet);
    *to = node->neighbours[node->parent].link;
    return error ? error : RPL_FORWARD;
}

/* The fields of a source routing header (RFC 6554). */
struct source_route {
    uint8_t *header;
    uint8_t left;    /* segments */
    size_t count;    /* addresses */
    size_t shared_i; /* CmprI: octets elided from all addresses but the last */
    size_t shared_e; /* CmprE: octets elided from the last address */
};

/* Finds the header after hop-by-hop and destination headers; `route->header` NULL: there is none.
 */
static int find_source_route(uint8_t *packet, size_t len, struct source_route *route)
{
    struct reader r;
    reader_init(&r, packet, len);
    uint8_t protocol = packet[6];
    reader_take(&r, IPV6_HEADER_SIZE);
    route->header = NULL;
    while (protocol == NEXT_HOP_BY_HOP || protocol == NEXT_DESTINATION ||
           protocol == NEXT_ROUTING) {
        struct reader peek = r;
        uint8_t next = reader_u8(&peek);
        size_t size = (reader_u8(&peek) + 1U) * 8U;
        size_t at = len - r.left;
        if (reader_take(&r, size) == NULL)
            return MOTE_E_SHORT;
        if (protocol == NEXT_ROUTING) {
            uint8_t *header = packet + at;
            size_t pad = header[5] >> 4;
            route->header = header;
            route->left = header[3];
            route->shared_i = header[4] >> 4;
            route->shared_e = header[4] & 15U;
            size_t last = 16 - route->shared_e;
            size_t octets = size - 8;
            if (header[2] != ROUTING_TYPE_SOURCE)
                return MOTE_E_UNSUPPORTED;
            bool empty = octets < pad + last;
            if ((empty && route->left > 0) ||
                (!empty && (octets - pad - last) % (16 - route->shared_i) != 0))
                return MOTE_E_MALFORMED;
            route->count = empty ? 0 : (octets - pad - last) / (16 - route->shared_i) + 1;
            return route->left > route->count ? MOTE_E_MALFORMED : MOTE_OK;
        }
        protocol = next;
    }
    return MOTE_OK;
}

static void segment(const struct source_route *route, size_t i, uint8_t **octets, size_t *shared)
{
    *octets = route->header + 8 + i * (16 - route->shared_i);
    *shared = i + 1 == route->count ? route->shared_e : route->shared_i;
}

/* True if a remaining address is this node's: a loop (RFC 6554 section 4.2). */
static bool has_loop(const struct rpl_node *node, const struct source_route *route,
                     const struct ipv6_address *dst)
{
    for (size_t i = route->count - route->left; i < route->count; i++) {
        struct ipv6_address address = *dst;
        uint8_t *octets;
        size_t shared;
        segment(route, i, &octets, &shared);
        memcpy(address.octets + shared, octets, 16 - shared);
        if (ipv6_equal(&address, &node->address))
            return true;
    }
    return false;
}

static int route_down(struct rpl_node *node, uint8_t *packet, struct source_route *route,
                      struct link_address *to)
{
    struct ipv6_address dst;
    uint8_t *octets;
    size_t shared;
    uint8_t swap[16];
    memcpy(dst.octets, packet + DESTINATION_AT, 16);
    if (has_loop(node, route, &dst)) {
        node->dropped_loops++;
        return MOTE_E_REPLAY;
    }
    segment(route, route->count - route->left, &octets, &shared);
    memcpy(swap, octets, 16 - shared);
    memcpy(octets, dst.octets + shared, 16 - shared);
    memcpy(dst.octets + shared, swap, 16 - shared);
    if (ipv6_is_multicast(&dst))
        return MOTE_E_MALFORMED;
    int error = decrement_hop_limit(packet);
    if (error)
        return error;
    route->header[3]--;
    memcpy(packet + DESTINATION_AT, dst.octets, 16);
    *to = link_address_of(&dst);
    return RPL_FORWARD;
}

int rpl_route(struct rpl_node *node, uint8_t *packet, size_t len, struct link_address *to,
              uint32_t now)
{
    struct ipv6_header header;
    struct source_route route;
    int error = ipv6_parse(&header, packet, len);
    if (error)
        return error;
    if (ipv6_is_multicast(&header.src))
        return MOTE_E_MALFORMED; /* RFC 4291 section 2.7 */
    if (ipv6_is_multicast(&header.dst))
        return RPL_DELIVER;
    struct ipv6_address local = ipv6_link_local(&node->link);
    bool ours = ipv6_equal(&header.dst, &local) ||
                (!ipv6_is_unspecified(&header.dst) && ipv6_equal(&header.dst, &node->address));
    if (!ours) {
        return is_routed(&header.dst) && is_routed(&header.src)
                   ? route_up(node, packet, len, to, now)
                   : MOTE_E_UNSUPPORTED;
    }
    error = find_source_route(packet, len, &route);
    if (error)
        return error;
    if (route.header != NULL && route.left > 0)
        return node->leaf ? MOTE_E_STATE : route_down(node, packet, &route, to);
    return RPL_DELIVER;
}
