/* Received RPL messages. */
#include "clock.h"
#include "mote/base.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/rpl.h"
#include "neighbour.h"
#include "node.h"

enum {
    OBJECTIVE_MRHOF = 1,
    PREFIX_AUTONOMOUS = 0x40,
    LIFETIME_FOR_EVER = 0xff,
    ACK_REFUSED = 128,
    REFRESH_MIN_MS = 20000 /* between DAOs, however short the lifetime of routes */
};

/* True if the sender of this DIO can be a parent; otherwise joining would only lead to POISONING.
 */
static bool usable(const struct rpl_dio *dio)
{
    uint8_t mode = dio->mode & MODE_MASK;
    return dio->has_config && dio->has_prefix && dio->prefix.len == 64 &&
           (dio->prefix.flags & PREFIX_AUTONOMOUS) != 0 &&
           dio->config.objective <= OBJECTIVE_MRHOF && dio->config.min_hop_rank_increase > 0 &&
           dio->config.min_interval < 24 &&
           (mode == MODE_NO_DOWNWARD || mode == MODE_NON_STORING) &&
           rpl_rank_offered(dio) != RPL_RANK_INFINITE;
}

/* Joins the DODAG of a DIO if the DIO is usable and is the first, or newer than the present DODAG.
 * Returns true if the node is a member of that DODAG version. */
static bool join_if_newer(struct rpl_node *node, const struct rpl_dio *dio, uint32_t now)
{
    bool member = node->state == RPL_JOINED || node->state == RPL_REACHABLE;
    bool same = member && dio->instance == node->dodag.instance &&
                ipv6_equal(&dio->dodag, &node->dodag.dodag);
    if (same && dio->version == node->dodag.version)
        return true;
    bool newer = same && rpl_sequence_newer(dio->version, node->dodag.version);
    if (same && !newer)
        trickle_reset(&node->trickle, node->random,
                      now); /* the sender has an outdated version (section 8.2.2.3) */
    if ((newer || node->state == RPL_SEARCHING) && usable(dio)) {
        rpl_join(node, dio, now);
        return true;
    }
    return false;
}

static void follow_dtsn(struct rpl_node *node, uint8_t before, uint8_t after, uint32_t now)
{
    /* RFC 6550 section 9.6, non-storing: the whole sub-DODAG must send DAOs. */
    if (rpl_sequence_newer(after, before)) {
        node->dodag.dtsn = rpl_sequence_next(node->dodag.dtsn);
        trickle_reset(&node->trickle, node->random, now);
        rpl_schedule_dao(node, now);
    }
}

static int receive_dio(struct rpl_node *node, const uint8_t *body, size_t len,
                       const struct link_address *from, uint32_t now)
{
    struct rpl_dio dio;
    int error = rpl_dio_parse(&dio, body, len);
    if (error)
        return error;
    if (!join_if_newer(node, &dio, now))
        return MOTE_E_UNSUPPORTED;
    int at = rpl_neighbour_add(node, from, dio.rank, now);
    if (at < 0)
        return MOTE_E_SPACE;
    struct rpl_neighbour *neighbour = &node->neighbours[at];
    uint16_t rank_before = neighbour->rank;
    uint8_t dtsn_before = neighbour->dtsn;
    neighbour->rank = dio.rank;
    neighbour->dtsn = dio.dtsn;
    if (rank_before == dio.rank)
        trickle_consistent(&node->trickle);
    bool was_parent = at == node->parent;
    rpl_choose_parent(node, now);
    if (was_parent && at == node->parent)
        follow_dtsn(node, dtsn_before, dio.dtsn, now);
    return MOTE_OK;
}

static int receive_dis(struct rpl_node *node, const struct ipv6_upper *upper,
                       const struct link_address *from, uint32_t now)
{
    if (node->state != RPL_REACHABLE || node->leaf)
        return MOTE_E_STATE;
    if (ipv6_is_multicast(&upper->dst)) {
        trickle_reset(&node->trickle, node->random, now);
        return MOTE_OK;
    }
    node->answer_to = rpl_neighbour_add(node, from, RPL_RANK_INFINITE, now);
    return node->answer_to < 0 ? MOTE_E_SPACE : MOTE_OK;
}

static uint32_t refresh_after(const struct rpl_node *node)
{
    const struct rpl_config *config = &node->dodag.config;
    uint64_t half = (uint64_t)config->lifetime * config->lifetime_unit * 1000 / 2;
    bool longest = config->lifetime == LIFETIME_FOR_EVER || half > CLOCK_HORIZON;
    uint32_t delay = longest ? CLOCK_HORIZON : (uint32_t)half;
    delay = delay < REFRESH_MIN_MS ? REFRESH_MIN_MS : delay;
    /* Up to a quarter earlier, so that nodes that started together do not refresh together. */
    return delay - rpl_random_below(node->random, delay / 4);
}

/* Accepts a DAO-ACK only from the root's address, because any Internet host can send one. */
static int receive_ack(struct rpl_node *node, const struct ipv6_address *src, const uint8_t *body,
                       size_t len, uint32_t now)
{
    struct reader r;
    reader_init(&r, body, len);
    uint8_t instance = reader_u8(&r);
    reader_u8(&r);
    uint8_t sequence = reader_u8(&r);
    uint8_t status = reader_u8(&r);
    if (r.failed)
        return MOTE_E_SHORT;
    if (!node->dao_pending || node->dao_tries == 0 || sequence != node->dao_sequence ||
        instance != node->dodag.instance || !ipv6_equal(src, &node->dodag.dodag))
        return MOTE_E_UNSUPPORTED;
    if (status >= ACK_REFUSED) {
        rpl_poison(node, now);
        return MOTE_OK;
    }
    node->dao_pending = false;
    node->refresh_at = now + refresh_after(node);
    if (node->state == RPL_JOINED) {
        node->state = RPL_REACHABLE;
        trickle_start(&node->trickle, node->trickle.min, node->dodag.config.doublings,
                      node->dodag.config.redundancy, node->random, now);
    }
    return MOTE_OK;
}

int rpl_receive(struct rpl_node *node, const uint8_t *packet, size_t len,
                const struct link_address *from, uint32_t now)
{
    struct ipv6_upper upper;
    struct icmpv6 icmp;
    int error = ipv6_find_upper(&upper, packet, len);
    if (!error)
        error = icmpv6_parse(&icmp, &upper, packet);
    if (error)
        return error;
    bool local = ipv6_is_link_local(&upper.src); /* RFC 6550 section 6: DIS and DIO are */
    if (icmp.type != ICMPV6_RPL || (icmp.code != RPL_DAO_ACK && !local))
        return MOTE_E_UNSUPPORTED;
    switch (icmp.code) {
    case RPL_DIS:
        return receive_dis(node, &upper, from, now);
    case RPL_DIO:
        return receive_dio(node, icmp.body, icmp.body_len, from, now);
    case RPL_DAO_ACK:
        return receive_ack(node, &upper.src, icmp.body, icmp.body_len, now);
    default:
        return MOTE_E_UNSUPPORTED;
    }
}
