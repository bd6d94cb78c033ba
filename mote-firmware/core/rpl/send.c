/* Sent RPL messages and their timers. */
#include "clock.h"
#include "mote/base.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/rpl.h"
#include "node.h"

enum {
    DIS_MAX_MS = 60000,
    DAO_RETRY_MS = 5000,
    DAO_TRIES = 5,
    POISON_GAP_MS = 1000,
    MULTICAST = -1
};

static const struct ipv6_address all_rpl_nodes = {
    {0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a}};

/* Writes an RPL message as an IPv6 packet. */
static int packet(uint8_t code, const uint8_t *body, size_t body_len,
                  const struct ipv6_address *src, const struct ipv6_address *dst, uint8_t *out,
                  size_t size)
{
    struct writer w;
    struct icmpv6 icmp = {ICMPV6_RPL, code, body, body_len};
    struct ipv6_header header = {.payload_len = (uint16_t)(ICMPV6_HEADER_SIZE + body_len),
                                 .next_header = NEXT_ICMPV6,
                                 .hop_limit = 64,
                                 .src = *src,
                                 .dst = *dst};
    writer_init(&w, out, size);
    ipv6_write(&header, &w);
    icmpv6_write(&icmp, src, dst, &w);
    return w.failed ? MOTE_E_SPACE : (int)writer_len(&w);
}

static int send_link_local(const struct rpl_node *node, uint8_t code, const struct writer *body,
                           int neighbour, uint8_t *out, size_t size, struct link_address *to)
{
    struct ipv6_address src = ipv6_link_local(&node->link);
    struct ipv6_address dst = all_rpl_nodes;
    *to = link_short(0xffff);
    if (neighbour != MULTICAST) {
        *to = node->neighbours[neighbour].link;
        dst = ipv6_link_local(to);
    }
    return packet(code, body->start, body->len, &src, &dst, out, size);
}

static int send_dis(const struct rpl_node *node, uint8_t *out, size_t size, struct link_address *to)
{
    uint8_t zeros[2] = {0, 0};
    struct writer body;
    writer_init(&body, zeros, sizeof zeros);
    writer_u16(&body, 0);
    return send_link_local(node, RPL_DIS, &body, MULTICAST, out, size, to);
}

static int send_dio(const struct rpl_node *node, int neighbour, uint8_t *out, size_t size,
                    struct link_address *to)
{
    uint8_t octets[96];
    struct writer body;
    struct rpl_dio dio = node->dodag;
    if (node->leaf || node->state == RPL_JOINED)
        dio.rank = RPL_RANK_INFINITE; /* a leaf, or not reachable yet: no parent for others */
    writer_init(&body, octets, sizeof octets);
    rpl_dio_write(&dio, &body);
    return send_link_local(node, RPL_DIO, &body, neighbour, out, size, to);
}

static int send_dao(const struct rpl_node *node, uint8_t *out, size_t size, struct link_address *to)
{
    uint8_t octets[48];
    uint8_t plain[RPL_MESSAGE_MAX];
    struct writer body;
    struct ipv6_address parent =
        ipv6_under_prefix(node->dodag.prefix.prefix.octets, &node->neighbours[node->parent].link);
    writer_init(&body, octets, sizeof octets);
    writer_u8(&body, node->dodag.instance);
    writer_u8(&body, 0x80); /* K: acknowledge */
    writer_u8(&body, 0);
    writer_u8(&body, node->dao_sequence);
    writer_u32(&body, 0x05120080); /* target, a whole address */
    writer_bytes(&body, node->address.octets, 16);
    writer_u32(&body, 0x06140000); /* transit information, no path control */
    writer_u8(&body, 0);
    writer_u8(&body, node->dodag.config.lifetime);
    writer_bytes(&body, parent.octets, 16);
    int len = packet(RPL_DAO, octets, writer_len(&body), &node->address, &node->dodag.dodag, plain,
                     sizeof plain);
    return len < 0 ? len : rpl_originate(node, plain, (size_t)len, out, size, to);
}

static int poll_searching(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
                          struct link_address *to)
{
    if (!clock_reached(now, node->dis_at))
        return 0;
    node->dis_at =
        now + node->dis_interval / 2 + rpl_random_below(node->random, node->dis_interval / 2);
    uint32_t next = node->dis_interval * 2;
    node->dis_interval = next < DIS_MAX_MS ? next : DIS_MAX_MS;
    return send_dis(node, out, size, to);
}

static int poll_poisoning(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
                          struct link_address *to)
{
    if (!clock_reached(now, node->poison_at))
        return 0;
    if (node->poison_left == 0) {
        rpl_search(node, now);
        return 0;
    }
    node->poison_left--;
    node->poison_at = now + POISON_GAP_MS;
    return send_dio(node, MULTICAST, out, size, to);
}

static int poll_dao(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
                    struct link_address *to)
{
    if (!node->dao_pending) {
        if (node->state == RPL_REACHABLE && clock_reached(now, node->refresh_at) &&
            rpl_has_routes_down(node))
            rpl_schedule_dao(node, now);
        return 0;
    }
    if (!clock_reached(now, node->dao_at))
        return 0;
    if (node->dao_tries == DAO_TRIES) {
        rpl_poison(node, now);
        return 0;
    }
    node->dao_tries++;
    node->dao_at = now + DAO_RETRY_MS + rpl_random_below(node->random, DAO_RETRY_MS / 4);
    return send_dao(node, out, size, to);
}

/* Probes the neighbour with the oldest last unicast by a unicast DIO. Its acknowledgement, or the
 * lack of it, keeps the ETX of unused neighbours up to date. */
static int poll_probe(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
                      struct link_address *to)
{
    int oldest = -1;
    if (!clock_reached(now, node->probe_at))
        return 0;
    node->probe_at = now + PROBE_MS + rpl_random_below(node->random, PROBE_MS);
    for (int i = 0; i < RPL_NEIGHBOURS; i++) {
        const struct rpl_neighbour *neighbour = &node->neighbours[i];
        bool candidate = neighbour->used && neighbour->rank < node->dodag.rank;
        if (candidate &&
            (oldest < 0 || now - neighbour->tried > now - node->neighbours[oldest].tried))
            oldest = i;
    }
    if (oldest < 0)
        return 0;
    node->neighbours[oldest].tried = now;
    return send_dio(node, oldest, out, size, to);
}

static int poll_member(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
                       struct link_address *to)
{
    rpl_choose_parent(node, now); /* transmissions may have changed the links */
    if (node->state == RPL_POISONING)
        return poll_poisoning(node, now, out, size, to);
    int len = poll_dao(node, now, out, size, to);
    if (len != 0 || node->state == RPL_POISONING)
        return len;
    if (node->answer_to >= 0) {
        int neighbour = node->answer_to;
        node->answer_to = -1;
        return send_dio(node, neighbour, out, size, to);
    }
    bool fired = trickle_poll(&node->trickle, node->random, now);
    if (fired && node->state == RPL_REACHABLE && !node->leaf)
        return send_dio(node, MULTICAST, out, size, to);
    return poll_probe(node, now, out, size, to);
}

int rpl_next_message(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
                     struct link_address *to)
{
    switch (node->state) {
    case RPL_SEARCHING:
        return poll_searching(node, now, out, size, to);
    case RPL_POISONING:
        return poll_poisoning(node, now, out, size, to);
    default:
        return poll_member(node, now, out, size, to);
    }
}

uint32_t rpl_due(const struct rpl_node *node)
{
    if (node->state == RPL_SEARCHING)
        return node->dis_at;
    if (node->state == RPL_POISONING)
        return node->poison_at;
    uint32_t due = clock_earlier(trickle_due(&node->trickle), node->probe_at);
    if (node->dao_pending)
        return clock_earlier(due, node->dao_at);
    return rpl_has_routes_down(node) ? clock_earlier(due, node->refresh_at) : due;
}
