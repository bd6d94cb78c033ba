/* Membership: the states of mote/rpl.h, what leads from one to the other, and what is sent. */
#include "clock.h"
#include "mote/rpl.h"
#include "neighbour.h"

#include <string.h>

enum {
    MODE_MASK = 0x38,
    MODE_NO_DOWNWARD = 0x00,
    MODE_NON_STORING = 0x08,
    OBJECTIVE_MRHOF = 1,
    PREFIX_AUTONOMOUS = 0x40,
    SEQUENCE_START = 240,
    LIFETIME_FOR_EVER = 0xff,
    ACK_REFUSED = 128,

    DIS_FIRST_MS = 1000,
    DIS_MIN_MS = 2000,
    DIS_MAX_MS = 60000,
    DAO_DELAY_MS = 2000,
    DAO_RETRY_MS = 5000,
    DAO_TRIES = 5,
    REFRESH_MIN_MS = 20000, /* however short a DODAG says that routes live */
    POISON_COUNT = 3,
    POISON_GAP_MS = 1000,
    PROBE_MS = 60000,
    INTERVAL_FLOOR = 8, /* 2^8 ms */
    MULTICAST = -1
};

static const struct ipv6_address all_rpl_nodes = {
    {0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1a}};

static void search(struct rpl_node *node, uint32_t now)
{
    node->state = RPL_SEARCHING;
    node->parent = -1;
    node->dodag.rank = RPL_RANK_INFINITE;
    node->lowest_rank = RPL_RANK_INFINITE;
    node->dao_pending = false;
    node->answer_to = -1;
    memset(node->address.octets, 0, sizeof node->address.octets);
    memset(node->neighbours, 0, sizeof node->neighbours);
    node->dis_interval = DIS_MIN_MS;
    node->dis_at = now + rpl_random_below(node->random, DIS_FIRST_MS);
}

void rpl_start(struct rpl_node *node, const struct link_address *link, const struct random *random,
               uint32_t now)
{
    bool leaf = node->leaf;
    *node = (struct rpl_node){.link = *link, .random = random, .leaf = leaf};
    node->dao_sequence = SEQUENCE_START;
    node->dodag.dtsn = SEQUENCE_START;
    search(node, now);
}

/* A route that the root does not confirm is no route: the DAO goes again until it is. */
static void schedule_dao(struct rpl_node *node, uint32_t now)
{
    if ((node->dodag.mode & MODE_MASK) == MODE_NO_DOWNWARD) {
        node->state = RPL_REACHABLE; /* there are no downward routes: joined is all there is */
        return;
    }
    if (node->dao_pending && node->dao_tries == 0) {
        return; /* it waits to go: whoever gives reasons faster than that must not put it off */
    }
    node->dao_sequence = rpl_sequence_next(node->dao_sequence);
    node->dao_pending = true;
    node->dao_tries = 0;
    node->dao_at = now + DAO_DELAY_MS / 2 + rpl_random_below(node->random, DAO_DELAY_MS);
}

static void poison(struct rpl_node *node, uint32_t now)
{
    node->state = RPL_POISONING;
    node->dodag.rank = RPL_RANK_INFINITE;
    node->parent = -1;
    node->dao_pending = false;
    node->answer_to = -1;
    node->poison_left = node->leaf ? 0 : POISON_COUNT;
    node->poison_at = now;
}

/* Takes the best parent; without one the DODAG is left. */
static void choose_parent(struct rpl_node *node, uint32_t now)
{
    int best = rpl_best_parent(node);
    if (best < 0) {
        poison(node, now);
        return;
    }
    uint16_t before = node->dodag.rank;
    bool changed = best != node->parent;
    node->parent = best;
    node->dodag.rank = rpl_rank_through(node, &node->neighbours[best]);
    if (node->dodag.rank < node->lowest_rank) {
        node->lowest_rank = node->dodag.rank;
    }
    uint16_t hop = node->dodag.config.min_hop_rank_increase;
    int moved = (int)before - (int)node->dodag.rank;
    if (changed || moved > hop || -moved > hop) {
        trickle_reset(&node->trickle, node->random, now);
    }
    if (changed) {
        schedule_dao(node, now);
    }
}

/* Whether its sender can be our parent: a DODAG joined for less would only be poisoned again. */
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

static void join(struct rpl_node *node, const struct rpl_dio *dio, uint32_t now)
{
    uint8_t dtsn = node->dodag.dtsn;
    search(node, now);
    node->dodag = *dio;
    node->dodag.dtsn = dtsn;
    node->dodag.rank = RPL_RANK_INFINITE;
    node->state = RPL_JOINED;
    node->address = ipv6_under_prefix(dio->prefix.prefix.octets, &node->link);
    node->probe_at = now + PROBE_MS + rpl_random_below(node->random, PROBE_MS);
    /* however fast a network wants to be, one DIO in a quarter of a second is enough */
    uint8_t interval =
        dio->config.min_interval > INTERVAL_FLOOR ? dio->config.min_interval : INTERVAL_FLOOR;
    trickle_start(&node->trickle, 1U << interval, dio->config.doublings, dio->config.redundancy,
                  node->random, now);
}

/* Whether this DIO is of the DODAG we are in, after joining it if we should. */
static bool in_dodag(struct rpl_node *node, const struct rpl_dio *dio, uint32_t now)
{
    bool member = node->state == RPL_JOINED || node->state == RPL_REACHABLE;
    bool same = member && dio->instance == node->dodag.instance &&
                ipv6_equal(&dio->dodag, &node->dodag.dodag);
    if (same && dio->version == node->dodag.version) {
        return true;
    }
    bool newer = same && rpl_sequence_newer(dio->version, node->dodag.version);
    if (same && !newer) {
        trickle_reset(&node->trickle, node->random, now); /* somebody lives in the past */
    }
    if ((newer || node->state == RPL_SEARCHING) && usable(dio)) {
        join(node, dio, now);
        return true;
    }
    return false;
}

static void follow_dtsn(struct rpl_node *node, uint8_t before, uint8_t after, uint32_t now)
{
    /* RFC 6550 section 9.6, non-storing: the whole sub-DODAG is asked for DAOs. */
    if (rpl_sequence_newer(after, before)) {
        node->dodag.dtsn = rpl_sequence_next(node->dodag.dtsn);
        trickle_reset(&node->trickle, node->random, now);
        schedule_dao(node, now);
    }
}

static int receive_dio(struct rpl_node *node, const uint8_t *body, size_t len,
                       const struct link_address *from, uint32_t now)
{
    struct rpl_dio dio;
    int error = rpl_dio_parse(&dio, body, len);
    if (error) {
        return error;
    }
    if (!in_dodag(node, &dio, now)) {
        return MOTE_E_UNSUPPORTED;
    }
    int at = rpl_neighbour_add(node, from, dio.rank, now);
    if (at < 0) {
        return MOTE_E_SPACE;
    }
    struct rpl_neighbour *neighbour = &node->neighbours[at];
    uint16_t rank_before = neighbour->rank;
    uint8_t dtsn_before = neighbour->dtsn;
    neighbour->rank = dio.rank;
    neighbour->dtsn = dio.dtsn;
    if (rank_before == dio.rank) {
        trickle_hear(&node->trickle);
    }
    bool was_parent = at == node->parent;
    choose_parent(node, now);
    if (was_parent && at == node->parent) {
        follow_dtsn(node, dtsn_before, dio.dtsn, now);
    }
    return MOTE_OK;
}

static int receive_dis(struct rpl_node *node, const struct ipv6_upper *upper,
                       const struct link_address *from, uint32_t now)
{
    if (node->state != RPL_REACHABLE || node->leaf) {
        return MOTE_E_STATE;
    }
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
    /* early rather than late, so that a network that started together does not refresh so */
    return delay - rpl_random_below(node->random, delay / 4);
}

/* From the root alone, which is known by its address: anybody on the Internet can send us one. */
static int receive_ack(struct rpl_node *node, const struct ipv6_address *src, const uint8_t *body,
                       size_t len, uint32_t now)
{
    struct reader r;
    reader_init(&r, body, len);
    uint8_t instance = reader_u8(&r);
    reader_u8(&r);
    uint8_t sequence = reader_u8(&r);
    uint8_t status = reader_u8(&r);
    if (r.failed) {
        return MOTE_E_SHORT;
    }
    if (!node->dao_pending || node->dao_tries == 0 || sequence != node->dao_sequence ||
        instance != node->dodag.instance || !ipv6_equal(src, &node->dodag.dodag)) {
        return MOTE_E_UNSUPPORTED;
    }
    if (status >= ACK_REFUSED) {
        poison(node, now);
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
    if (!error) {
        error = icmpv6_parse(&icmp, &upper, packet);
    }
    if (error) {
        return error;
    }
    bool local = ipv6_is_link_local(&upper.src); /* RFC 6550 section 6: DIS and DIO are */
    if (icmp.type != ICMPV6_RPL || (icmp.code != RPL_DAO_ACK && !local)) {
        return MOTE_E_UNSUPPORTED;
    }
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

/* One RPL message as an IPv6 packet, link-local unless `src` says otherwise. */
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
    if (node->leaf || node->state == RPL_JOINED) {
        dio.rank = RPL_RANK_INFINITE; /* a leaf, or not yet known to the root: nobody's parent */
    }
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
    if (!clock_reached(now, node->dis_at)) {
        return 0;
    }
    node->dis_at =
        now + node->dis_interval / 2 + rpl_random_below(node->random, node->dis_interval / 2);
    uint32_t next = node->dis_interval * 2;
    node->dis_interval = next < DIS_MAX_MS ? next : DIS_MAX_MS;
    return send_dis(node, out, size, to);
}

static int poll_poisoning(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
                          struct link_address *to)
{
    if (!clock_reached(now, node->poison_at)) {
        return 0;
    }
    if (node->poison_left == 0) {
        search(node, now);
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
            (node->dodag.mode & MODE_MASK) != MODE_NO_DOWNWARD) {
            schedule_dao(node, now);
        }
        return 0;
    }
    if (!clock_reached(now, node->dao_at)) {
        return 0;
    }
    if (node->dao_tries == DAO_TRIES) {
        poison(node, now);
        return 0;
    }
    node->dao_tries++;
    node->dao_at = now + DAO_RETRY_MS + rpl_random_below(node->random, DAO_RETRY_MS / 4);
    return send_dao(node, out, size, to);
}

/* A unicast DIO to the neighbour tried longest ago: only its acknowledgement matters, it keeps
 * the ETX of those that are not used true. */
static int poll_probe(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
                      struct link_address *to)
{
    int oldest = -1;
    if (!clock_reached(now, node->probe_at)) {
        return 0;
    }
    node->probe_at = now + PROBE_MS + rpl_random_below(node->random, PROBE_MS);
    for (int i = 0; i < RPL_NEIGHBOURS; i++) {
        const struct rpl_neighbour *neighbour = &node->neighbours[i];
        bool candidate = neighbour->used && neighbour->rank < node->dodag.rank;
        if (candidate &&
            (oldest < 0 || now - neighbour->tried > now - node->neighbours[oldest].tried)) {
            oldest = i;
        }
    }
    if (oldest < 0) {
        return 0;
    }
    node->neighbours[oldest].tried = now;
    return send_dio(node, oldest, out, size, to);
}

static int poll_member(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
                       struct link_address *to)
{
    choose_parent(node, now); /* transmissions may have changed the links */
    if (node->state == RPL_POISONING) {
        return poll_poisoning(node, now, out, size, to);
    }
    int len = poll_dao(node, now, out, size, to);
    if (len != 0 || node->state == RPL_POISONING) {
        return len;
    }
    if (node->answer_to >= 0) {
        int neighbour = node->answer_to;
        node->answer_to = -1;
        return send_dio(node, neighbour, out, size, to);
    }
    bool fired = trickle_poll(&node->trickle, node->random, now);
    if (fired && node->state == RPL_REACHABLE && !node->leaf) {
        return send_dio(node, MULTICAST, out, size, to);
    }
    return poll_probe(node, now, out, size, to);
}

int rpl_next(struct rpl_node *node, uint32_t now, uint8_t *out, size_t size,
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
    if (node->state == RPL_SEARCHING) {
        return node->dis_at;
    }
    if (node->state == RPL_POISONING) {
        return node->poison_at;
    }
    uint32_t due = clock_earlier(trickle_due(&node->trickle), node->probe_at);
    if (node->dao_pending) {
        return clock_earlier(due, node->dao_at);
    }
    bool refreshes = (node->dodag.mode & MODE_MASK) != MODE_NO_DOWNWARD;
    return refreshes ? clock_earlier(due, node->refresh_at) : due;
}
