#include "harness.h"
#include "support/rpl.h"
#include "vectors.h"

static int roll(void *context, uint8_t *out, size_t len)
{
    dice_fill(context, out, len);
    return 0;
}

static struct dice dice = {20260101};
static const struct random chance = {roll, &dice};

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
            size_t n = make_ack(ack, 1, play->last_dao_sequence, play->status, path, 1);
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

static void tell(struct play *play, const struct rpl_dio *dio, uint8_t from, uint32_t now)
{
    uint8_t packet[256];
    struct link_address link = node_link(from);
    (void)rpl_receive(&play->node, packet, make_dio(packet, dio, from), &link, now);
}

static void join(struct play *play, const struct rpl_dio *dio, uint8_t status)
{
    memset(play, 0, sizeof *play);
    play->status = status;
    start(play, 0);
    tell(play, dio, 1, 0);
    CHECK_INT(play->node.state, RPL_JOINED);
}

TEST(believes_an_acknowledgement_of_the_root_alone)
{
    static struct play play;
    const uint8_t path[1] = {2};
    uint8_t packet[256];
    struct link_address root = node_link(1);
    struct rpl_dio dio = root_offer(node_address(1));
    uint32_t now = 0;
    join(&play, &dio, 0xff);
    run(&play, &now, 4000);
    REQUIRE(play.daos == 1);
    for (unsigned status = 0; status <= 128; status += 128) { /* some host behind the root */
        size_t n = make_ack(packet, 9, play.last_dao_sequence, (uint8_t)status, path, 1);
        CHECK_INT(rpl_receive(&play.node, packet, n, &root, now), MOTE_E_UNSUPPORTED);
        CHECK_INT(play.node.state, RPL_JOINED);
    }
    size_t n = make_ack(packet, 1, play.last_dao_sequence, 0, path, 1);
    CHECK_INT(rpl_receive(&play.node, packet, n, &root, now), MOTE_OK);
    CHECK_INT(play.node.state, RPL_REACHABLE);
}

TEST(sends_its_dao_however_often_it_is_asked_for_one)
{
    static struct play play;
    struct rpl_dio dio = root_offer(node_address(1));
    uint32_t now = 0;
    join(&play, &dio, 0);
    for (uint32_t ms = 500; ms <= 10000; ms += 500) {
        run(&play, &now, ms);
        dio.dtsn = rpl_sequence_next(dio.dtsn);
        tell(&play, &dio, 1, now);
    }
    CHECK(play.daos >= 3 && play.daos <= 10);
}

TEST(refreshes_its_route_calmly_in_a_dodag_whose_routes_hardly_live)
{
    static struct play play;
    struct rpl_dio dio = root_offer(node_address(1));
    uint32_t now = 0;
    dio.config.lifetime = 0;
    join(&play, &dio, 0);
    run(&play, &now, 10 * 60000);
    CHECK_INT(play.node.state, RPL_REACHABLE);
    CHECK(play.daos >= 10 && play.daos <= 40);
}

TEST(gives_a_full_table_to_better_neighbours_but_never_the_parents_place)
{
    static struct play play;
    struct rpl_dio dio = root_offer(node_address(1));
    uint32_t now = 0;
    dio.config.max_rank_increase = 0;
    dio.rank = 1000;
    join(&play, &dio, 0);
    for (uint8_t id = 10; id < 40; id++) {
        dio.rank = 1300;
        tell(&play, &dio, id, now);
    }
    struct link_address parent = node_link(1), best = node_link(50);
    CHECK(link_equal(&play.node.neighbours[play.node.parent].link, &parent));
    dio.rank = 128;
    tell(&play, &dio, 50, now); /* the root itself comes within reach */
    CHECK(link_equal(&play.node.neighbours[play.node.parent].link, &best));
    for (uint8_t id = 60; id < 70; id++) { /* no worse way takes the place of a better one */
        dio.rank = 1301;
        tell(&play, &dio, id, now);
    }
    bool kept = false;
    for (int i = 0; i < RPL_NEIGHBOURS; i++) {
        kept = kept || link_equal(&play.node.neighbours[i].link, &parent);
        CHECK(play.node.neighbours[i].rank != 1301);
    }
    CHECK(kept);
}

TEST(joins_nobody_who_cannot_be_its_parent)
{
    static struct play play;
    struct rpl_dio dio = root_offer(node_address(1));
    uint32_t now = 0;
    memset(&play, 0, sizeof play);
    start(&play, 0);
    for (uint32_t ms = 1000; ms <= 20000; ms += 1000) {
        dio.rank = 40000;
        tell(&play, &dio, 9, now);
        run(&play, &now, ms);
    }
    CHECK_INT(play.poisons, 0);
    CHECK_INT(play.node.state, RPL_SEARCHING);
    dio.rank = 128;
    tell(&play, &dio, 1, now);
    run(&play, &now, now + 10000);
    CHECK_INT(play.node.state, RPL_REACHABLE);
    dio.rank = 40000;
    dio.version = 241;
    tell(&play, &dio, 9, now);
    CHECK_INT(play.node.state, RPL_REACHABLE);
    CHECK_INT(play.node.dodag.version, 240);
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

    size_t len = make_ack(packet, 1, 1, 0, path, 3);
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), RPL_FORWARD);
    path[2] = 2; /* we would get it again */
    len = make_ack(packet, 1, 1, 0, path, 3);
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_REPLAY);
    path[2] = 4;
    len = make_ack(packet, 1, 1, 0, path, 3);
    packet[43] = 3; /* three segments left of two */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_MALFORMED);
    packet[43] = 2;
    packet[44] = 0x70; /* octets that make no whole number of addresses */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_MALFORMED);
    packet[44] = 0x88;
    packet[42] = 4; /* another type of routing header */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_UNSUPPORTED);
    len = make_ack(packet, 1, 1, 0, path, 3);
    packet[7] = 1; /* hop limit */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_UNSUPPORTED);

    len = make_ack(packet, 1, 1, 0, path, 3);
    packet[8] = 0xff; /* a group as source: whoever answered would answer all of it */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_MALFORMED);

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
    RUN(leaves_after_five_unanswered_daos_and_never_advertises_itself_before_one_is_answered);
    RUN(believes_an_acknowledgement_of_the_root_alone);
    RUN(sends_its_dao_however_often_it_is_asked_for_one);
    RUN(refreshes_its_route_calmly_in_a_dodag_whose_routes_hardly_live);
    RUN(gives_a_full_table_to_better_neighbours_but_never_the_parents_place);
    RUN(joins_nobody_who_cannot_be_its_parent);
    RUN(drops_loops_and_malformed_source_routes);
    RUN(orders_sequence_numbers_like_a_lollipop);
    RUN(keeps_trickle_within_rfc_6206);
    return harness_report();
}
