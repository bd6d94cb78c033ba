/* A line 1-2-3-...: node 1 is a root made of the same codecs, the others are whole stacks. */
#include "support/rpl.h"
#include "support/station.h"

struct root {
    struct lowpan_receiver receiver;
    struct lowpan_slot slots[4];
    uint8_t datagrams_in[4][IPV6_MTU];
    uint8_t single[LOWPAN_SINGLE_MAX];
    struct ipsec_sa out, in; /* towards the last node */
    uint8_t parent[LAST + 1];
    struct frame_counter heard[LAST + 1];
    uint32_t counter;
    uint8_t seq;
    uint16_t tag;
    uint8_t got[1024];
    size_t got_len;
    unsigned datagrams;
};

struct world {
    struct station stations[LAST + 1];
    struct root root;
    uint32_t now, next_dio;
    unsigned quality; /* the number of frames that arrive, of 100 */
    uint8_t level;
    bool heard[LAST + 1]; /* the nodes that received the frame on the air */
};

static struct world world;

static void protect_last(void)
{
    struct station *last = &world.stations[LAST];
    last->out = world.root.in = make_sa(0x11000001, 1);
    last->in = world.root.out = make_sa(0x11000002, 2);
    last->peer = (struct net_peer){.address = node_address(1), .out = &last->out, .in = &last->in};
    last->net.crypto = &crypto;
    last->net.peers = &last->peer;
    last->net.peer_count = 1;
}

static void begin(uint8_t level, unsigned quality)
{
    memset(&world, 0, sizeof world);
    world.level = level;
    world.quality = quality;
    lowpan_receiver_init(&world.root.receiver, world.root.slots, 4, world.root.datagrams_in[0],
                         IPV6_MTU, world.root.single, sizeof world.root.single);
    for (uint8_t id = 2; id <= LAST; id++)
        set_up(&world.stations[id], id, level, true, world.now);
}

static void root_hears(const uint8_t *psdu, size_t len);

static void hand_over(uint8_t to, const uint8_t *psdu, size_t len)
{
    struct net_datagram datagram;
    struct station *station = &world.stations[to];
    if (to == 1) {
        root_hears(psdu, len);
        return;
    }
    net_receive(&station->net, psdu, len, world.now, &datagram);
    if (datagram.udp.payload != NULL) {
        station->datagrams++;
        memcpy(station->got, datagram.udp.payload, station->got_len = datagram.udp.payload_len);
    }
}

/* Sends one frame with its retries. Returns the number of transmissions, negative if it was not
 * acknowledged. */
static int on_air(uint8_t from, const uint8_t *psdu, size_t len)
{
    struct frame frame;
    CHECK_INT(frame_parse(&frame, psdu, len), MOTE_OK);
    for (int tries = 1; tries <= 5; tries++) {
        bool acknowledged = !frame.ack_request;
        for (uint8_t to = from > 1 ? from - 1 : 2; to <= from + 1 && to <= LAST; to++) {
            struct link_address link = node_link(to);
            if (to == from || dice_below(&dice, 100) >= world.quality)
                continue;
            hand_over(to, psdu, len);
            acknowledged = acknowledged || (link_equal(&link, &frame.dst) &&
                                            dice_below(&dice, 100) < world.quality);
        }
        if (acknowledged)
            return tries;
    }
    return -5;
}

static void root_sends(const uint8_t *packet, size_t len, const struct link_address *to)
{
    struct lowpan_sender sender;
    const struct lowpan lowpan = {&mesh_context, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
    struct link_address own = node_link(1);
    uint8_t payload[FRAME_MAX], psdu[FRAME_MAX];
    int n;
    REQUIRE(lowpan_send_start(&sender, &lowpan, packet, len, &own, to, true, 80,
                              world.root.tag++) == MOTE_OK);
    while ((n = lowpan_send_next(&sender, payload, sizeof payload)) > 0) {
        struct frame frame;
        frame_data(&frame, PAN, to, &own, world.root.seq++);
        frame.payload = payload;
        frame.payload_len = (size_t)n;
        int size;
        if (world.level > 0) {
            frame.secured = true;
            frame.security.level = world.level;
            frame.security.counter = world.root.counter++;
            aes.set_key(aes.context, network_key);
            size = frame_seal(&frame, &aes, own.octets, psdu, sizeof psdu);
        } else {
            size = frame_write(&frame, psdu, sizeof psdu);
        }
        REQUIRE(size > 0);
        on_air(1, psdu, (size_t)size);
    }
}

/* Inserts the source routing header for `id` after the IPv6 header, and sends. */
static void root_routes(const uint8_t *packet, size_t len, uint8_t id)
{
    struct ipv6_address path[LAST], *start = path + LAST;
    uint8_t out[IPV6_MTU], nearest = id;
    struct writer w;
    for (uint8_t at = id; at != 1; at = world.root.parent[at]) {
        REQUIRE(at != 0 && start > path);
        *--start = node_address(at);
        nearest = at;
    }
    writer_init(&w, out, sizeof out);
    writer_bytes(&w, packet, 40);
    write_source_route(&w, packet[6], start, (size_t)(path + LAST - start));
    writer_bytes(&w, packet + 40, len - 40);
    out[6] = NEXT_ROUTING;
    out[4] = (uint8_t)((w.len - 40) >> 8);
    out[5] = (uint8_t)(w.len - 40);
    memcpy(out + 24, start->octets, 16);
    struct link_address first = node_link(nearest);
    root_sends(out, w.len, &first);
}

static void root_icmp(uint8_t code, const uint8_t *body, size_t len, uint8_t to)
{
    uint8_t packet[256];
    struct writer w;
    struct link_address own = node_link(1), everybody = link_short(0xffff);
    struct ipv6_address src = to > 0 ? node_address(1) : ipv6_link_local(&own);
    struct ipv6_address dst =
        to > 0 ? node_address(to) : (struct ipv6_address){{0xff, 2, [15] = 0x1a}};
    struct ipv6_header header = {.payload_len = (uint16_t)(4 + len),
                                 .next_header = NEXT_ICMPV6,
                                 .hop_limit = 64,
                                 .src = src,
                                 .dst = dst};
    struct icmpv6 icmp = {ICMPV6_RPL, code, body, len};
    writer_init(&w, packet, sizeof packet);
    ipv6_write(&header, &w);
    icmpv6_write(&icmp, &src, &dst, &w);
    if (to > 0)
        root_routes(packet, w.len, to);
    else
        root_sends(packet, w.len, &everybody);
}

static void root_dio(void)
{
    uint8_t body[96];
    struct writer b;
    struct rpl_dio dio = root_offer(node_address(1));
    writer_init(&b, body, sizeof body);
    rpl_dio_write(&dio, &b);
    root_icmp(RPL_DIO, body, b.len, 0);
}

static void root_takes(const uint8_t *packet, size_t len)
{
    struct ipv6_upper upper;
    struct icmpv6 icmp;
    struct udp udp;
    uint8_t opened[IPV6_MTU];
    if (ipv6_find_upper(&upper, packet, len) == MOTE_OK && upper.protocol == NEXT_ESP) {
        int n = ipsec_open(&world.root.in, &crypto, packet, len, opened, sizeof opened);
        REQUIRE(n > 0);
        packet = opened;
        len = (size_t)n;
    }
    REQUIRE(ipv6_find_upper(&upper, packet, len) == MOTE_OK);
    if (icmpv6_parse(&icmp, &upper, packet) == MOTE_OK && icmp.code == RPL_DAO &&
        icmp.type == ICMPV6_RPL) {
        uint8_t target = icmp.body[23];
        const uint8_t ack[4] = {0, 0, icmp.body[3], 0};
        world.root.parent[target] = icmp.body[45];
        root_icmp(RPL_DAO_ACK, ack, 4, target);
    } else if (udp_parse(&udp, &upper, packet) == MOTE_OK) {
        world.root.datagrams++;
        memcpy(world.root.got, udp.payload, world.root.got_len = udp.payload_len);
    }
}

static void root_hears(const uint8_t *psdu, size_t len)
{
    const struct lowpan lowpan = {&mesh_context, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
    struct link_address own = node_link(1);
    struct frame frame;
    struct lowpan_packet packet;
    uint8_t copy[FRAME_MAX], whole[IPV6_MTU];
    memcpy(copy, psdu, len);
    REQUIRE(frame_parse(&frame, copy, len) == MOTE_OK);
    if (!link_equal(&frame.dst, &own))
        return;
    if (frame.secured) {
        aes.set_key(aes.context, network_key);
        REQUIRE(frame_open(&frame, copy, &aes, frame.src.octets) == MOTE_OK);
        struct frame_counters heard = {world.root.heard, LAST + 1};
        if (frame_replay_update(&heard, frame.src.octets, 0, frame.security.counter) != MOTE_OK)
            return; /* a retransmission, because the acknowledgement was lost */
    }
    if (lowpan_receive(&world.root.receiver, &lowpan, frame.payload, frame.payload_len, &frame.src,
                       &frame.dst, world.now, &packet) == MOTE_OK &&
        packet.data != NULL) {
        memcpy(whole, packet.data, packet.len);
        root_takes(whole, packet.len);
    }
}

static void live(uint32_t ms)
{
    for (uint32_t end = world.now + ms; world.now != end; world.now += 50) {
        if ((int32_t)(world.now - world.next_dio) >= 0) {
            world.next_dio = world.now + 8000;
            root_dio();
        }
        for (uint8_t id = 2; id <= LAST; id++) {
            uint8_t psdu[FRAME_MAX];
            int n;
            while ((n = net_next_frame(&world.stations[id].net, world.now, psdu, sizeof psdu)) >
                   0) {
                CHECK(n <= FRAME_MAX - FRAME_FCS_SIZE);
                int tries = on_air(id, psdu, (size_t)n);
                net_transmitted(&world.stations[id].net, (unsigned)abs(tries), tries > 0,
                                world.now);
            }
            CHECK_INT(n, 0);
        }
    }
}

static bool formed(void)
{
    for (uint8_t id = 2; id <= LAST; id++)
        if (!net_ready(&world.stations[id].net) || world.root.parent[id] != id - 1)
            return false;
    return true;
}

static void no_entry_leaks(void)
{
    for (uint8_t id = 2; id <= LAST; id++) {
        for (int i = 0; i < QUEUE; i++) {
            bool out = world.stations[id].net.delivered == i;
            CHECK_INT(world.stations[id].queue[i].used, out);
        }
    }
}

static void talk_both_ways(size_t len)
{
    uint8_t payload[1024], packet[IPV6_MTU], sealed[IPV6_MTU];
    struct ipv6_address root = node_address(1), last = node_address(LAST);
    struct udp up = {61616, 5683, payload, len}, down = {5683, 61616, payload, len};
    dice_fill(&dice, payload, len);
    CHECK_INT(net_send(&world.stations[LAST].net, &root, &up), MOTE_OK);
    live(2000);
    CHECK_INT(world.root.datagrams, 1);
    CHECK_OCTETS(world.root.got, world.root.got_len, payload, len);

    payload[0] ^= 0x80;
    int n = ipv6_udp_packet(&down, &root, &last, packet, sizeof packet);
    if (world.stations[LAST].net.peer_count > 0) {
        n = ipsec_seal(&world.root.out, &crypto, packet, (size_t)n, sealed, sizeof sealed);
        REQUIRE(n > 0);
        memcpy(packet, sealed, (size_t)n);
    }
    root_routes(packet, (size_t)n, LAST);
    live(2000);
    CHECK_INT(world.stations[LAST].datagrams, 1);
    CHECK_OCTETS(world.stations[LAST].got, world.stations[LAST].got_len, payload, len);
    no_entry_leaks();
}

TEST(carries_fragmented_datagrams_over_five_hops_both_ways)
{
    begin(0, 100);
    live(120000);
    REQUIRE(formed());
    talk_both_ways(600);
    for (uint8_t id = 2; id < LAST; id++) {
        CHECK(world.stations[id].net.counts.forwarded >= 2);
        CHECK_INT(world.stations[id].datagrams, 0);
    }
}

TEST(carries_them_with_link_security_and_esp_too)
{
    begin(5, 100);
    protect_last();
    live(120000);
    REQUIRE(formed());
    talk_both_ways(400);
    CHECK_INT(world.stations[LAST].in.packets, 1);
    CHECK_INT(world.root.in.packets, 1);
    for (uint8_t id = 2; id <= LAST; id++)
        CHECK_INT(world.stations[id].net.counts.bad_mic, 0);
}

TEST(forms_over_lossy_links_and_delivers_each_datagram_once)
{
    begin(5, 80);
    for (int i = 0; i < 60 && !formed(); i++)
        live(10000);
    REQUIRE(formed());
    uint8_t payload[40] = {0};
    struct ipv6_address root = node_address(1);
    struct udp udp = {61616, 5683, payload, sizeof payload};
    unsigned queued = 0;
    for (int i = 0; i < 50; i++) {
        queued += net_send(&world.stations[LAST].net, &root, &udp) == MOTE_OK;
        live(2000);
    }
    CHECK(world.root.datagrams <= queued);
    CHECK(world.root.datagrams * 10 >= queued * 8);
    live(10000);
    no_entry_leaks();
}

TEST(accepts_nothing_unprotected_from_a_peer_with_keys)
{
    begin(0, 100);
    protect_last();
    live(120000);
    REQUIRE(formed());
    uint8_t payload[20] = {0}, packet[IPV6_MTU];
    struct ipv6_address root = node_address(1), last = node_address(LAST);
    struct udp down = {5683, 61616, payload, sizeof payload};
    int n = ipv6_udp_packet(&down, &root, &last, packet, sizeof packet);
    root_routes(packet, (size_t)n, LAST);
    live(1000);
    CHECK_INT(world.stations[LAST].datagrams, 0);
    CHECK_INT(world.stations[LAST].net.counts.unprotected, 1);
    no_entry_leaks();
}

int main(void)
{
    stations_init();
    RUN(carries_fragmented_datagrams_over_five_hops_both_ways);
    RUN(carries_them_with_link_security_and_esp_too);
    RUN(forms_over_lossy_links_and_delivers_each_datagram_once);
    RUN(accepts_nothing_unprotected_from_a_peer_with_keys);
    return harness_report();
}
