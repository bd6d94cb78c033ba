/* Networks of nodes over a simulated radio, with a minimal root. */
#include "harness.h"
#include "support/rpl.h"

static int roll(void *context, uint8_t *out, size_t len)
{
    dice_fill(context, out, len);
    return 0;
}

static struct dice dice = {20260101};
static const struct random chance = {roll, &dice};

enum { NODES = 12, ROOT = 1 };

struct network {
    struct rpl_node nodes[NODES + 1]; /* by id; the root's is not used */
    bool alive[NODES + 1];
    uint8_t quality[NODES + 1][NODES + 1]; /* the number of frames that arrive, of 100 */
    uint8_t parent_at_root[NODES + 1];
    uint8_t version;
    uint32_t now, next_dio;
    unsigned loops, delivered[NODES + 1];
    size_t dios;
};

static bool arrives(struct network *net, uint8_t from, uint8_t to)
{
    return net->alive[to] && dice_below(&dice, 100) < net->quality[from][to];
}

static void transmit(struct network *net, uint8_t from, const struct link_address *to,
                     const uint8_t *packet, size_t len, int depth);

static void root_answers(struct network *net, const uint8_t *packet, size_t len, int depth)
{
    struct seen seen;
    uint8_t path[NODES], ack[256];
    size_t hops = 0;
    if (!look(&seen, packet, len) || seen.icmp.code != RPL_DAO)
        return;
    uint8_t target = seen.icmp.body[4 + 4 + 15], parent = seen.icmp.body[4 + 20 + 6 + 15];
    net->parent_at_root[target] = parent;
    for (uint8_t at = target; at != ROOT && hops < NODES; at = net->parent_at_root[at]) {
        if (at == 0)
            return; /* a part of the route is not known yet */
        path[hops++] = at;
    }
    for (size_t i = 0; i < hops / 2; i++) {
        uint8_t swap = path[i];
        path[i] = path[hops - 1 - i];
        path[hops - 1 - i] = swap;
    }
    if (hops < NODES) {
        size_t n = make_ack(ack, ROOT, seen.icmp.body[3], 0, path, hops);
        struct link_address first = node_link(path[0]);
        transmit(net, ROOT, &first, ack, n, depth);
    }
}

static void arrive(struct network *net, uint8_t from, uint8_t id, const uint8_t *packet, size_t len,
                   int depth)
{
    uint8_t copy[256];
    struct link_address sender = node_link(from), to;
    memcpy(copy, packet, len);
    if (id == ROOT) {
        root_answers(net, packet, len, depth);
        return;
    }
    int verdict = rpl_route(&net->nodes[id], copy, len, &to, net->now);
    if (verdict == RPL_DELIVER) {
        net->delivered[id]++;
        rpl_receive(&net->nodes[id], copy, len, &sender, net->now);
    } else if (verdict == RPL_FORWARD) {
        transmit(net, id, &to, copy, len, depth + 1);
    } else if (verdict == MOTE_E_REPLAY) {
        net->loops++;
    }
}

static void transmit(struct network *net, uint8_t from, const struct link_address *to,
                     const uint8_t *packet, size_t len, int depth)
{
    if (depth > 40) {
        net->loops += 1000; /* hop limit 64 would end it: an undetected loop */
        return;
    }
    if (link_is_broadcast(to)) {
        for (uint8_t id = 1; id <= NODES; id++)
            if (id != from && arrives(net, from, id))
                arrive(net, from, id, packet, len, depth);
        return;
    }
    uint8_t id = to->octets[1];
    unsigned tries = 0;
    bool acknowledged = false, delivered = false;
    while (tries < 8 && !acknowledged) {
        tries++;
        bool heard = arrives(net, from, id);
        delivered = delivered || heard;
        acknowledged = heard && arrives(net, id, from);
    }
    if (from != ROOT)
        rpl_transmitted(&net->nodes[from], to, tries, acknowledged, net->now);
    if (delivered)
        arrive(net, from, id, packet, len, depth);
}

static void root_dio(struct network *net)
{
    uint8_t packet[256];
    struct link_address everybody = link_short(0xffff);
    struct rpl_dio dio = {.version = net->version,
                          .rank = 128,
                          .mode = 0x08,
                          .dtsn = 240,
                          .dodag = node_address(ROOT),
                          .has_config = true,
                          .has_prefix = true,
                          .config = {0, 8, 12, 0, 1024, 128, 1, 30, 60},
                          .prefix = {64, 0x40, UINT32_MAX, UINT32_MAX, {{0xfd}}}};
    transmit(net, ROOT, &everybody, packet, make_dio(packet, &dio, ROOT), 0);
}

static void live(struct network *net, uint32_t ms)
{
    for (uint32_t end = net->now + ms; net->now != end; net->now += 100) {
        if (net->alive[ROOT] && (int32_t)(net->now - net->next_dio) >= 0) {
            net->next_dio = net->now + 8000;
            root_dio(net);
        }
        for (uint8_t id = 2; id <= NODES; id++) {
            uint8_t packet[256];
            struct link_address to;
            int len;
            while (net->alive[id] && (len = rpl_next_message(&net->nodes[id], net->now, packet,
                                                             sizeof packet, &to)) > 0) {
                struct seen seen;
                net->dios += look(&seen, packet, (size_t)len) && seen.icmp.code == RPL_DIO;
                transmit(net, id, &to, packet, (size_t)len, 0);
            }
        }
    }
}

static void begin(struct network *net, uint32_t now)
{
    memset(net, 0, sizeof *net);
    net->version = 240;
    net->now = net->next_dio = now;
    for (uint8_t id = 1; id <= NODES; id++) {
        struct link_address link = node_link(id);
        rpl_start(&net->nodes[id], &link, &chance, now);
        net->alive[id] = true;
    }
}

static void connect(struct network *net, uint8_t a, uint8_t b, uint8_t quality)
{
    net->quality[a][b] = net->quality[b][a] = quality;
}

/* True if every node is reachable, every parent is nearer to the root, and there is no loop. */
static bool formed(const struct network *net)
{
    for (uint8_t id = 2; id <= NODES; id++) {
        uint8_t at = id;
        for (int hops = 0; net->alive[id] && at != ROOT; hops++) {
            const struct rpl_node *node = &net->nodes[at];
            if (!net->alive[at] || node->state != RPL_REACHABLE || hops > NODES)
                return false;
            at = node->neighbours[node->parent].link.octets[1];
        }
    }
    return true;
}

static void line(struct network *net, uint8_t quality)
{
    for (uint8_t id = 1; id < NODES; id++)
        connect(net, id, id + 1, quality);
}

TEST(forms_a_line_of_eleven_hops_and_calms_down)
{
    static struct network net;
    begin(&net, 0);
    line(&net, 100);
    live(&net, 300000);
    CHECK(formed(&net));
    CHECK_INT(net.loops, 0);
    for (uint8_t id = 3; id <= NODES; id++) {
        CHECK(net.nodes[id].dodag.rank > net.nodes[id - 1].dodag.rank);
        CHECK_INT(net.parent_at_root[id], id - 1);
    }
    net.dios = 0;
    live(&net, 3600000); /* Trickle: at most an interval of 17 minutes each, and the probes */
    CHECK(formed(&net));
    CHECK(net.dios < 11 * (2 * 4 + 60 + 5));
}

TEST(forms_over_links_that_lose_a_third_of_all_frames)
{
    static struct network net;
    begin(&net, UINT32_MAX - 60000);
    line(&net, 67);
    live(&net, 900000);
    int whole = 0;
    for (int i = 0; i < 360; i++) { /* an hour: in a line each loss of a parent cuts off the rest */
        live(&net, 10000);
        whole += formed(&net);
    }
    CHECK(whole > 270);
    CHECK(net.loops < 100);
}

TEST(finds_another_route_when_a_router_dies_or_poisons)
{
    static struct network net;
    begin(&net, 0);
    /* 1-2-4-6.. and 1-3-5-7..: a ladder with rungs */
    for (uint8_t id = 1; id + 2 <= NODES; id++) {
        connect(&net, id, id + 2, 95);
        connect(&net, id, id + 1, 95);
    }
    live(&net, 300000);
    REQUIRE(formed(&net));
    uint8_t dead = net.nodes[6].neighbours[net.nodes[6].parent].link.octets[1];
    net.alive[dead] = false;
    live(&net, 1200000);
    CHECK(formed(&net));
    CHECK(net.loops < 50);

    net.alive[2] = net.alive[3] = false; /* now only nodes in the root's range are left */
    live(&net, 3600000);
    for (uint8_t id = 4; id <= NODES; id++)
        CHECK(!net.alive[id] || net.nodes[id].state != RPL_REACHABLE);
    net.alive[2] = net.alive[3] = true;
    struct link_address two = node_link(2), three = node_link(3);
    rpl_start(&net.nodes[2], &two, &chance, net.now);
    rpl_start(&net.nodes[3], &three, &chance, net.now);
    live(&net, 600000);
    CHECK(formed(&net));
}

TEST(follows_a_new_version_of_the_root_and_not_an_old_one)
{
    static struct network net;
    begin(&net, 0);
    line(&net, 100);
    live(&net, 300000);
    REQUIRE(formed(&net));
    net.version = 241;
    memset(net.parent_at_root, 0, sizeof net.parent_at_root);
    live(&net, 600000);
    CHECK(formed(&net));
    for (uint8_t id = 2; id <= NODES; id++) {
        CHECK_INT(net.nodes[id].dodag.version, 241);
        CHECK_INT(net.parent_at_root[id], id - 1);
    }
    net.version = 240;
    live(&net, 60000);
    CHECK_INT(net.nodes[2].dodag.version, 241);
}

int main(void)
{
    RUN(forms_a_line_of_eleven_hops_and_calms_down);
    RUN(forms_over_links_that_lose_a_third_of_all_frames);
    RUN(finds_another_route_when_a_router_dies_or_poisons);
    RUN(follows_a_new_version_of_the_root_and_not_an_old_one);
    return harness_report();
}
