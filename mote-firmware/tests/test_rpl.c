#include "harness.h"
#include "mote/rpl.h"
#include "vectors.h"

static int roll(void *context, uint8_t *out, size_t len)
{
    dice_fill(context, out, len);
    return 0;
}

static struct dice dice = {20260101};
static const struct random chance = {roll, &dice};

static struct link_address node_link(uint8_t id)
{
    const uint8_t eui[8] = {0, id, 0, id, 0, id, 0, id}; /* as Cooja numbers its nodes */
    return link_extended(eui);
}

static struct ipv6_address node_address(uint8_t id)
{
    const uint8_t prefix[8] = {0xfd};
    struct link_address link = node_link(id);
    return ipv6_under_prefix(prefix, &link);
}

/* Code and body of an RPL packet, and the sender's rank of its hop-by-hop option. */
struct seen {
    struct icmpv6 icmp;
    struct ipv6_upper upper;
    unsigned rank;
};

static bool look(struct seen *seen, const uint8_t *packet, size_t len)
{
    if (ipv6_find_upper(&seen->upper, packet, len) != MOTE_OK ||
        icmpv6_parse(&seen->icmp, &seen->upper, packet) != MOTE_OK) {
        return false;
    }
    seen->rank = packet[6] == NEXT_HOP_BY_HOP ? (unsigned)packet[46] << 8 | packet[47] : 0;
    return seen->icmp.type == ICMPV6_RPL;
}

/* A DAO-ACK of the root to a node, through the parents in `path` (the node last). */
static size_t make_ack(uint8_t *out, uint8_t sequence, uint8_t status, const uint8_t *path,
                       size_t hops)
{
    struct writer w;
    const uint8_t body[4] = {0, 0, sequence, status};
    struct icmpv6 ack = {ICMPV6_RPL, RPL_DAO_ACK, body, sizeof body};
    struct ipv6_address root = node_address(1), end = node_address(path[hops - 1]);
    struct ipv6_header header = {.payload_len = (uint16_t)(8 + 8 * (hops - 1) + 8),
                                 .next_header = NEXT_ROUTING,
                                 .hop_limit = 64,
                                 .src = root,
                                 .dst = node_address(path[0])};
    writer_init(&w, out, 256);
    ipv6_write(&header, &w);
    writer_u8(&w, NEXT_ICMPV6);
    writer_u8(&w, (uint8_t)(hops - 1));
    writer_u8(&w, 3);
    writer_u8(&w, (uint8_t)(hops - 1));
    writer_u32(&w, 0x88000000);
    for (size_t i = 1; i < hops; i++) {
        writer_bytes(&w, node_address(path[i]).octets + 8, 8);
    }
    icmpv6_write(&ack, &root, &end, &w);
    return writer_len(&w);
}

/* --- Against the recordings: our node in the place of Contiki-NG's node 2. --- */

struct play {
    struct rpl_node node;
    uint8_t status; /* what the next DAO-ACK says */
    unsigned dis, dios, unicast_dios, daos, poisons;
    unsigned last_dio_rank;
    uint8_t last_dao_sequence;
    uint8_t dis_packet[256], dao_packet[256], dio_packet[256];
    size_t dis_len, dao_len, dio_len;
};

static void note(struct play *play, const uint8_t *packet, size_t len,
                 const struct link_address *to, uint32_t now)
{
    struct seen seen;
    REQUIRE(look(&seen, packet, len));
    if (seen.icmp.code == RPL_DIS) {
        play->dis++;
        memcpy(play->dis_packet, packet, play->dis_len = len);
    } else if (seen.icmp.code == RPL_DIO && !link_is_broadcast(to)) {
        play->unicast_dios++;
        rpl_transmitted(&play->node, to, 1, true, now);
    } else if (seen.icmp.code == RPL_DIO) {
        play->dios++;
        play->last_dio_rank = (unsigned)seen.icmp.body[2] << 8 | seen.icmp.body[3];
        play->poisons += play->last_dio_rank == RPL_RANK_INFINITE;
        memcpy(play->dio_packet, packet, play->dio_len = len);
    } else if (seen.icmp.code == RPL_DAO) {
        uint8_t ack[256];
        const uint8_t path[1] = {2};
        struct link_address root = node_link(1);
        play->daos++;
        play->last_dao_sequence = seen.icmp.body[3];
        memcpy(play->dao_packet, packet, play->dao_len = len);
        rpl_transmitted(&play->node, to, 1, true, now);
        if (play->status != 0xff) { /* else the root is silent */
            size_t n = make_ack(ack, play->last_dao_sequence, play->status, path, 1);
            CHECK_INT(rpl_receive(&play->node, ack, n, &root, now), MOTE_OK);
        }
    }
}

/* Everything the node does until `until`, in its own time. */
static void run(struct play *play, uint32_t *now, uint32_t until)
{
    uint8_t packet[256];
    struct link_address to;
    for (int guard = 0; guard < 100000; guard++) {
        int len;
        while ((len = rpl_next(&play->node, *now, packet, sizeof packet, &to)) > 0) {
            note(play, packet, (size_t)len, &to, *now);
        }
        REQUIRE(len == 0);
        uint32_t due = rpl_due(&play->node);
        if (due - *now > until - *now) {
            break;
        }
        *now = due;
    }
    *now = until;
}

static void start(struct play *play, uint32_t now)
{
    struct link_address link = node_link(2);
    rpl_start(&play->node, &link, &chance, now);
}

/* The recorded root's DIOs and DIS (not its acknowledgements: those answer Contiki-NG's DAOs). */
static void hear(struct play *play, const struct vector_line *line, uint32_t now)
{
    struct seen seen;
    struct link_address root = node_link(1);
    if (look(&seen, line->octets, line->len) && seen.icmp.code != RPL_DAO_ACK) {
        CHECK_INT(rpl_receive(&play->node, line->octets, line->len, &root, now), MOTE_OK);
    }
}

/* Finds the first recorded RPL message of node 2 with this code in forming.txt. */
static size_t recorded(uint8_t code, bool multicast, uint8_t *packet)
{
    FILE *file = vector_open("contiki-ng", "forming");
    struct vector_line line = {0};
    char from = 0;
    size_t len = 0;
    while (len == 0 && vector_next(file, &line)) {
        struct seen seen;
        if (line.kind != 'i') {
            from = line.kind;
        } else if (from == '<' && look(&seen, line.octets, line.len) && seen.icmp.code == code &&
                   ipv6_is_multicast(&seen.upper.dst) == multicast) {
            memcpy(packet, line.octets, len = line.len);
        }
    }
    fclose(file);
    return len;
}

/* Rank and checksum differ (our links are measured by us): everything else must be the same. */
static void mask_rank(uint8_t *packet)
{
    if (packet[6] == NEXT_HOP_BY_HOP) {
        packet[46] = packet[47] = 0;
    } else {
        packet[42] = packet[43] = packet[46] = packet[47] = 0;
    }
}

TEST(says_to_the_recorded_root_what_the_node_of_contiki_said)
{
    static struct play play;
    FILE *file = vector_open("contiki-ng", "forming");
    struct vector_line line = {0};
    uint8_t expected[256];
    uint32_t now = 0;
    char from = 0;
    size_t len;
    memset(&play, 0, sizeof play);
    start(&play, 0);
    while (vector_next(file, &line)) {
        if (line.kind == '>' || line.kind == '<') {
            from = line.kind;
            run(&play, &now, (uint32_t)line.time);
        } else if (line.kind == 'i' && from == '>') {
            hear(&play, &line, now);
        }
    }
    fclose(file);
    CHECK_INT(play.node.state, RPL_REACHABLE);
    struct ipv6_address address = node_address(2);
    CHECK(ipv6_equal(&play.node.address, &address));
    len = recorded(RPL_DIS, true, expected);
    CHECK_OCTETS(play.dis_packet, play.dis_len, expected, len);
    len = recorded(RPL_DAO, false, expected);
    mask_rank(expected);
    mask_rank(play.dao_packet);
    CHECK_OCTETS(play.dao_packet, play.dao_len, expected, len);
    CHECK_INT(play.daos, 1);
    len = recorded(RPL_DIO, true, expected);
    mask_rank(expected);
    mask_rank(play.dio_packet);
    CHECK_OCTETS(play.dio_packet, play.dio_len, expected, len);
    CHECK(play.last_dio_rank >= 256 && play.last_dio_rank <= 512);
}

/* The steps of rejoin.txt, each with what must have happened when the next one begins. */
static void check_step(struct play *play, int step)
{
    switch (step) {
    case 1: /* formation */
        CHECK_INT(play->node.state, RPL_REACHABLE);
        CHECK_INT(play->last_dao_sequence, 241);
        break;
    case 2: /* multicast DIS: Trickle starts again; its DIO may come in the next step */
        return;
    case 3: /* unicast DIS: a unicast DIO */
        CHECK(play->dios >= 1);
        CHECK(play->unicast_dios >= 1);
        break;
    case 4: /* DTSN: a new DAO, and our own DTSN moves on */
        CHECK_INT(play->last_dao_sequence, 242);
        CHECK_INT(play->node.dodag.dtsn, 241);
        break;
    case 7: /* our restart */
        CHECK_INT(play->node.state, RPL_REACHABLE);
        CHECK_INT(play->last_dao_sequence, 241);
        break;
    case 9: /* a refused DAO: the sub-DODAG is poisoned */
        CHECK_INT(play->poisons, 3);
        CHECK(play->dis >= 1);
        CHECK(ipv6_is_unspecified(&play->node.address));
        break;
    case 10: /* the root comes back with the next version */
        CHECK_INT(play->node.state, RPL_REACHABLE);
        CHECK_INT(play->node.dodag.version, 241);
        break;
    default:
        break;
    }
    play->dios = play->unicast_dios = play->poisons = play->dis = 0;
}

TEST(lives_through_the_recorded_rejoins)
{
    static struct play play;
    FILE *file = vector_open("contiki-ng", "rejoin");
    struct vector_line line = {0};
    uint32_t now = 0;
    char from = 0;
    int step = 0;
    memset(&play, 0, sizeof play);
    start(&play, 0);
    while (vector_next(file, &line)) {
        if (line.kind == '#') {
            check_step(&play, step++);
            play.status = step == 9 ? 128 : 0;
            if (step == 7) {
                start(&play, now);
            }
        } else if (line.kind == '>' || line.kind == '<') {
            from = line.kind;
            /* the new host's clock is the same: time never goes back */
            run(&play, &now, (uint32_t)line.time > now ? (uint32_t)line.time : now);
        } else if (line.kind == 'i' && from == '>') {
            struct seen seen;
            bool ours = play.node.state != RPL_POISONING;
            if (look(&seen, line.octets, line.len) && ours) {
                hear(&play, &line, now);
            }
        }
    }
    fclose(file);
    check_step(&play, step);
    CHECK_INT(step, 11);
}

TEST(forwards_every_packet_of_the_air_recording_as_contikis_nodes_did)
{
    static struct {
        uint8_t from[8], to[8], packet[256];
        size_t len;
    } hops[64];
    size_t count = 0, forwarded = 0;
    FILE *file = vector_open("contiki-ng", "air");
    struct vector_line line = {0};
    struct frame frame = {0};
    while (vector_next(file, &line)) {
        size_t len;
        uint8_t *psdu = vector_psdu(&line, &len);
        if (psdu != NULL) {
            CHECK_INT(frame_parse(&frame, psdu, len), MOTE_OK);
        } else if (line.kind == 'i' && frame.dst.size == LINK_EXTENDED) {
            memcpy(hops[count].from, frame.src.octets, 8);
            memcpy(hops[count].to, frame.dst.octets, 8);
            memcpy(hops[count].packet, line.octets, hops[count].len = line.len);
            count++;
        }
    }
    fclose(file);
    for (size_t i = 0; i < count; i++) {
        struct rpl_node node = {.parent = 0, .state = RPL_REACHABLE};
        struct link_address to;
        bool found = false;
        uint8_t id = hops[i].to[1];
        if (id == 1) {
            continue; /* the root */
        }
        node.link = node_link(id);
        node.address = node_address(id);
        node.random = &chance;
        node.neighbours[0] = (struct rpl_neighbour){.used = true, .link = node_link(id - 1)};
        for (size_t j = i + 1; j < count && !found; j++) {
            uint8_t packet[256];
            memcpy(packet, hops[i].packet, hops[i].len);
            bool up = packet[6] == NEXT_HOP_BY_HOP;
            node.dodag.rank = (uint16_t)(hops[j].packet[46] << 8 | hops[j].packet[47]);
            if (memcmp(hops[j].from, hops[i].to, 8) != 0 || hops[j].len != hops[i].len ||
                (up != (hops[j].packet[6] == NEXT_HOP_BY_HOP)) ||
                rpl_route(&node, packet, hops[i].len, &to, 0) != RPL_FORWARD) {
                continue;
            }
            found = memcmp(packet, hops[j].packet, hops[j].len) == 0 &&
                    memcmp(to.octets, hops[j].to, 8) == 0;
        }
        uint8_t packet[256];
        memcpy(packet, hops[i].packet, hops[i].len);
        node.dodag.rank = 0x80;
        int verdict = rpl_route(&node, packet, hops[i].len, &to, 0);
        CHECK_INT(found, verdict == RPL_FORWARD);
        forwarded += found;
    }
    CHECK_INT(forwarded, 6); /* the DAO of node 3 once, of 4 twice; the answers likewise */
}

/* --- A network of our own nodes over a fake radio, with a small root. --- */

enum { NODES = 12, ROOT = 1 };

struct network {
    struct rpl_node nodes[NODES + 1]; /* by id; the root's is not used */
    bool alive[NODES + 1];
    uint8_t quality[NODES + 1][NODES + 1]; /* of 100 frames, how many arrive */
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
    if (!look(&seen, packet, len) || seen.icmp.code != RPL_DAO) {
        return;
    }
    uint8_t target = seen.icmp.body[4 + 4 + 15], parent = seen.icmp.body[4 + 20 + 6 + 15];
    net->parent_at_root[target] = parent;
    for (uint8_t at = target; at != ROOT && hops < NODES; at = net->parent_at_root[at]) {
        if (at == 0) {
            return; /* a part of the way is not known yet */
        }
        path[hops++] = at;
    }
    for (size_t i = 0; i < hops / 2; i++) {
        uint8_t swap = path[i];
        path[i] = path[hops - 1 - i];
        path[hops - 1 - i] = swap;
    }
    if (hops < NODES) {
        size_t n = make_ack(ack, seen.icmp.body[3], 0, path, hops);
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
        net->loops += 1000; /* hop limit 64 would end it: a loop that nobody noticed */
        return;
    }
    if (link_is_broadcast(to)) {
        for (uint8_t id = 1; id <= NODES; id++) {
            if (id != from && arrives(net, from, id)) {
                arrive(net, from, id, packet, len, depth);
            }
        }
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
    if (from != ROOT) {
        rpl_transmitted(&net->nodes[from], to, tries, acknowledged, net->now);
    }
    if (delivered) {
        arrive(net, from, id, packet, len, depth);
    }
}

static void root_dio(struct network *net)
{
    uint8_t body[96], packet[256];
    struct writer w, b;
    struct link_address everybody = link_short(0xffff), link = node_link(ROOT);
    struct ipv6_address dst = {{0xff, 2, [15] = 0x1a}}, src = ipv6_link_local(&link);
    struct rpl_dio dio = {.version = net->version,
                          .rank = 128,
                          .mode = 0x08,
                          .dtsn = 240,
                          .dodag = node_address(ROOT),
                          .has_config = true,
                          .has_prefix = true,
                          .config = {0, 8, 12, 0, 1024, 128, 1, 30, 60},
                          .prefix = {64, 0x40, UINT32_MAX, UINT32_MAX, {{0xfd}}}};
    writer_init(&b, body, sizeof body);
    rpl_dio_write(&dio, &b);
    struct ipv6_header header = {.payload_len = (uint16_t)(4 + b.len),
                                 .next_header = NEXT_ICMPV6,
                                 .hop_limit = 64,
                                 .src = src,
                                 .dst = dst};
    struct icmpv6 icmp = {ICMPV6_RPL, RPL_DIO, body, b.len};
    writer_init(&w, packet, sizeof packet);
    ipv6_write(&header, &w);
    icmpv6_write(&icmp, &src, &dst, &w);
    transmit(net, ROOT, &everybody, packet, w.len, 0);
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
            while (net->alive[id] &&
                   (len = rpl_next(&net->nodes[id], net->now, packet, sizeof packet, &to)) > 0) {
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

/* Everybody reachable, every parent strictly nearer to the root, no way in circles. */
static bool formed(const struct network *net)
{
    for (uint8_t id = 2; id <= NODES; id++) {
        uint8_t at = id;
        for (int hops = 0; net->alive[id] && at != ROOT; hops++) {
            const struct rpl_node *node = &net->nodes[at];
            if (!net->alive[at] || node->state != RPL_REACHABLE || hops > NODES) {
                return false;
            }
            at = node->neighbours[node->parent].link.octets[1];
        }
    }
    return true;
}

static void line(struct network *net, uint8_t quality)
{
    for (uint8_t id = 1; id < NODES; id++) {
        connect(net, id, id + 1, quality);
    }
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

TEST(forms_over_links_that_lose_a_third_of_all_frames_when_the_clock_wraps)
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

TEST(finds_another_way_when_a_router_dies_and_poisons_what_has_none)
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

    net.alive[2] = net.alive[3] = false; /* now nobody but the root's own reach is left */
    live(&net, 3600000);
    for (uint8_t id = 4; id <= NODES; id++) {
        CHECK(!net.alive[id] || net.nodes[id].state != RPL_REACHABLE);
    }
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

TEST(leaves_after_five_unanswered_daos_and_never_advertises_itself_before_one_is_answered)
{
    static struct play play;
    struct link_address root = node_link(1);
    FILE *file = vector_open("contiki-ng", "forming");
    struct vector_line line_ = {0};
    uint32_t now = 0;
    memset(&play, 0, sizeof play);
    play.status = 0xff; /* a root that never answers */
    start(&play, 0);
    while (vector_next(file, &line_)) {
        struct seen seen;
        if (line_.kind == 'i' && look(&seen, line_.octets, line_.len) &&
            seen.icmp.code == RPL_DIO) {
            CHECK_INT(rpl_receive(&play.node, line_.octets, line_.len, &root, now), MOTE_OK);
            break;
        }
    }
    fclose(file);
    run(&play, &now, 20000);
    CHECK_INT(play.node.state, RPL_JOINED);
    CHECK_INT(play.dios, 0);
    run(&play, &now, 60000);
    CHECK_INT(play.daos, 5);
    CHECK_INT(play.poisons, 3);
    CHECK_INT(play.dios, 3);
    CHECK_INT(play.node.state, RPL_SEARCHING);
}

TEST(drops_loops_and_malformed_source_routes)
{
    struct rpl_node node = {.parent = 0, .state = RPL_REACHABLE, .random = &chance};
    struct link_address to;
    uint8_t packet[256], path[3] = {2, 3, 4};
    node.link = node_link(2);
    node.address = node_address(2);
    node.dodag.rank = 300;
    node.neighbours[0] = (struct rpl_neighbour){.used = true, .link = node_link(1)};

    size_t len = make_ack(packet, 1, 0, path, 3);
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), RPL_FORWARD);
    path[2] = 2; /* we would get it again */
    len = make_ack(packet, 1, 0, path, 3);
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_REPLAY);
    path[2] = 4;
    len = make_ack(packet, 1, 0, path, 3);
    packet[43] = 3; /* three segments left of two */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_MALFORMED);
    packet[43] = 2;
    packet[44] = 0x70; /* octets that make no whole number of addresses */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_MALFORMED);
    packet[44] = 0x88;
    packet[42] = 4; /* another type of routing header */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_UNSUPPORTED);
    len = make_ack(packet, 1, 0, path, 3);
    packet[7] = 1; /* hop limit */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_UNSUPPORTED);

    /* upwards from a node that is not deeper: marked once, dropped the second time */
    struct rpl_node child = node;
    struct ipv6_address src = node_address(3), dst = node_address(1);
    struct udp udp = {1, 2, path, 3};
    uint8_t plain[128];
    child.dodag.rank = 300;
    child.address = src;
    int n = ipv6_udp_packet(&udp, &src, &dst, plain, sizeof plain);
    n = rpl_originate(&child, plain, (size_t)n, packet, sizeof packet, &to);
    REQUIRE(n == 40 + 8 + 8 + 3);
    CHECK_INT(rpl_route(&node, packet, (size_t)n, &to, 0), RPL_FORWARD);
    CHECK_INT(packet[44], 0x40);
    CHECK_INT(rpl_route(&node, packet, (size_t)n, &to, 0), MOTE_E_REPLAY);
    CHECK_INT(node.dropped_loops, 2);
}

TEST(orders_sequence_numbers_like_a_lollipop)
{
    /* RFC 6550 section 7.2: the examples */
    CHECK(rpl_sequence_newer(240, 5) && !rpl_sequence_newer(5, 240));
    CHECK(rpl_sequence_newer(5, 250));
    CHECK(!rpl_sequence_newer(250, 5));
    CHECK(rpl_sequence_newer(241, 240) && !rpl_sequence_newer(240, 241));
    CHECK(rpl_sequence_newer(0, 127) && !rpl_sequence_newer(127, 0));
    CHECK(!rpl_sequence_newer(100, 100) && !rpl_sequence_newer(200, 200));
    CHECK_INT(rpl_sequence_next(255), 0);
    CHECK_INT(rpl_sequence_next(127), 0);
    CHECK_INT(rpl_sequence_next(126), 127);
}

TEST(keeps_trickle_within_rfc_6206)
{
    struct trickle t;
    uint32_t now = 5000, fired = 0;
    trickle_start(&t, 1000, 4, 2, &chance, now);
    for (int interval = 0; interval < 8; interval++) {
        uint32_t expected = 1000U << (interval < 4 ? interval : 4);
        CHECK_INT(t.interval, expected);
        CHECK(t.at >= expected / 2 && t.at < expected);
        uint32_t end = t.begin + t.interval;
        if (interval == 2) { /* heard enough: silent */
            trickle_hear(&t);
            trickle_hear(&t);
        }
        unsigned sends = 0;
        for (; now != end; now++) {
            sends += trickle_poll(&t, &chance, now);
        }
        CHECK_INT(sends, interval == 2 ? 0 : 1);
        fired += sends;
        CHECK(!trickle_poll(&t, &chance, now));
    }
    trickle_reset(&t, &chance, now);
    CHECK_INT(t.interval, 1000);
    CHECK_INT(fired, 7);
}

int main(void)
{
    RUN(says_to_the_recorded_root_what_the_node_of_contiki_said);
    RUN(lives_through_the_recorded_rejoins);
    RUN(forwards_every_packet_of_the_air_recording_as_contikis_nodes_did);
    RUN(forms_a_line_of_eleven_hops_and_calms_down);
    RUN(forms_over_links_that_lose_a_third_of_all_frames_when_the_clock_wraps);
    RUN(finds_another_way_when_a_router_dies_and_poisons_what_has_none);
    RUN(follows_a_new_version_of_the_root_and_not_an_old_one);
    RUN(leaves_after_five_unanswered_daos_and_never_advertises_itself_before_one_is_answered);
    RUN(drops_loops_and_malformed_source_routes);
    RUN(orders_sequence_numbers_like_a_lollipop);
    RUN(keeps_trickle_within_rfc_6206);
    return harness_report();
}
