/* The RPL node: accepted messages and the choice of parents. */
#include "rpl_play.h"
#include "vectors.h"

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

TEST(accepts_an_acknowledgement_only_from_the_root)
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
    for (unsigned status = 0; status <= 128; status += 128) { /* a host behind the root */
        size_t n = make_ack(packet, 9, play.last_dao_sequence, (uint8_t)status, path, 1);
        CHECK_INT(rpl_receive(&play.node, packet, n, &root, now), MOTE_E_UNSUPPORTED);
        CHECK_INT(play.node.state, RPL_JOINED);
    }
    size_t n = make_ack(packet, 1, play.last_dao_sequence, 0, path, 1);
    CHECK_INT(rpl_receive(&play.node, packet, n, &root, now), MOTE_OK);
    CHECK_INT(play.node.state, RPL_REACHABLE);
}

TEST(frequent_requests_do_not_postpone_its_dao)
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

TEST(refreshes_short_lived_routes_at_a_bounded_rate)
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

TEST(replaces_worse_neighbours_but_never_the_parent)
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
    for (uint8_t id = 60; id < 70; id++) { /* no worse route replaces a better one */
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

TEST(joins_no_sender_that_cannot_be_its_parent)
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
    path[2] = 2; /* the packet would return to this node */
    len = make_ack(packet, 1, 1, 0, path, 3);
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_REPLAY);
    path[2] = 4;
    len = make_ack(packet, 1, 1, 0, path, 3);
    packet[43] = 3; /* three segments left, but only two addresses */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_MALFORMED);
    packet[43] = 2;
    packet[44] = 0x70; /* octets that are not a whole number of addresses */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_MALFORMED);
    packet[44] = 0x99;
    packet[42] = 4; /* another type of routing header */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_UNSUPPORTED);
    len = make_ack(packet, 1, 1, 0, path, 3);
    packet[7] = 1; /* hop limit */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_UNSUPPORTED);

    len = make_ack(packet, 1, 1, 0, path, 3);
    packet[8] = 0xff; /* a group as source: an answer would go to the whole group */
    CHECK_INT(rpl_route(&node, packet, len, &to, 0), MOTE_E_MALFORMED);

    /* upwards from a node that is not deeper: marked the first time, dropped the second time */
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

/* Each router's packet must be the next one of the file; the last one is delivered. */
TEST(follows_source_routes_that_elide_all_shared_octets)
{
    FILE *file = vector_open("rpl", "source-routes");
    struct vector_line line = {0};
    struct rpl_node node = {.parent = 0, .state = RPL_REACHABLE, .random = &chance};
    struct link_address to;
    uint8_t packet[256] = {0};
    unsigned routes = 0, hops = 0;
    while (vector_next(file, &line)) {
        if (line.octets[7] == 64) {
            routes++;
        } else {
            CHECK_INT(rpl_route(&node, packet, line.len, &to, 0), RPL_FORWARD);
            CHECK_OCTETS(packet, line.len, line.octets, line.len);
            hops++;
        }
        REQUIRE(line.len <= sizeof packet);
        memcpy(packet, line.octets, line.len);
        memcpy(node.address.octets, packet + 24, 16);
        CHECK_INT(rpl_route(&node, line.octets, line.len, &to, 0),
                  packet[43] > 0 ? RPL_FORWARD : RPL_DELIVER);
    }
    fclose(file);
    CHECK_INT(routes, 8);
    CHECK_INT(hops, 16);
}

TEST(compares_lollipop_sequence_numbers)
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
            trickle_consistent(&t);
            trickle_consistent(&t);
        }
        unsigned sends = 0;
        for (; now != end; now++)
            sends += trickle_poll(&t, &chance, now);
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
    RUN(accepts_an_acknowledgement_only_from_the_root);
    RUN(frequent_requests_do_not_postpone_its_dao);
    RUN(refreshes_short_lived_routes_at_a_bounded_rate);
    RUN(replaces_worse_neighbours_but_never_the_parent);
    RUN(joins_no_sender_that_cannot_be_its_parent);
    RUN(drops_loops_and_malformed_source_routes);
    RUN(follows_source_routes_that_elide_all_shared_octets);
    RUN(compares_lollipop_sequence_numbers);
    RUN(keeps_trickle_within_rfc_6206);
    return harness_report();
}
