/*
 * Mesh motes over real UDP sockets, in a line behind a root made of the same codecs. The test is
 * the ether and controls the time.
 */
#include <unistd.h>

#include "harness.h"
#include "mesh_link.h"
#include "mote/coap.h"
#include "support/rpl.h"
#include "support/udp_peer.h"

enum {
    MOTES = 2,
    ZEP_LENGTH = 31,
    ZEP_HEADER = 32,
    MIRROR_PORT = 5683,
    CLIENT_PORT = 4000,
    STEP_LIMIT = 20000
};

static struct dice dice = {77};

static int roll(void *context, uint8_t *out, size_t len)
{
    dice_fill(context, out, len);
    return MOTE_OK;
}

static const struct random CHANCE = {.fill = roll, .context = &dice};

struct station {
    struct udp_peer ether;
    struct mesh_link mesh;
    struct link link;
    uint8_t got[LINK_DATAGRAM_MAX];
    size_t got_len;
    unsigned datagrams;
    unsigned frames; /* sent by the station, without acknowledgements */
};

/* Station i is heard by i - 1 and i + 1; the root by station 0. */
struct bench {
    struct station station[MOTES];
    uint64_t now;
    uint64_t dio_at;
    struct lowpan_slot slots[2];
    uint8_t datagrams_in[2][IPV6_MTU];
    uint8_t single[LOWPAN_SINGLE_MAX];
    struct lowpan_receiver receiver;
    uint8_t seq;
    uint16_t tag;
    bool echo;        /* the root is a client of the echo */
    bool deaf[MOTES]; /* this station's frames are lost */
    int last_seq;     /* of the last frame that the root accepted; -1: none */
    uint8_t got[LINK_DATAGRAM_MAX];
    size_t got_len;
    unsigned datagrams;
    struct ipv6_address got_from;
};

static struct bench bench;

static struct link_address link_of(uint8_t id)
{
    const uint8_t eui[EUI64_SIZE] = {2, 0, 0, 0, 0, 0, 0, id};

    return link_extended(eui);
}

/* 0 is the root, i + 1 station i. */
static struct ipv6_address address_of(uint8_t id)
{
    struct link_address link = link_of(id);

    return ipv6_under_prefix(MESH_CONTEXT.prefix, &link);
}

static void begin(void)
{
    struct ipv6_address mirror = address_of(0);
    char problem[200];

    memset(&bench, 0, sizeof bench);
    bench.now = 1000;
    bench.last_seq = -1;
    lowpan_receiver_init(&bench.receiver, bench.slots, 2, bench.datagrams_in[0], IPV6_MTU,
                         bench.single, sizeof bench.single);
    for (uint8_t i = 0; i < MOTES; i++) {
        struct station *s = &bench.station[i];
        struct link_address link = link_of((uint8_t)(i + 1));

        udp_peer_open(&s->ether);
        if (mesh_link_open(&s->mesh, "127.0.0.1", s->ether.port, link.octets, &mirror, MIRROR_PORT,
                           NULL, &CHANCE, bench.now, &s->link, problem, sizeof problem) != 0)
            abort();
        s->ether.other = udp_peer_port_of(s->link.fd);
    }
}

static void end(void)
{
    for (size_t i = 0; i < MOTES; i++) {
        close(bench.station[i].link.fd);
        udp_peer_close(&bench.station[i].ether);
    }
}

/* ---- the ether ---- */

static void drain(struct station *s)
{
    uint8_t datagram[LINK_DATAGRAM_MAX];
    size_t len;

    while ((len = s->link.receive(s->link.context, datagram, sizeof datagram, bench.now)) > 0) {
        memcpy(s->got, datagram, len);
        s->got_len = len;
        s->datagrams++;
    }
}

/* ---- the root ---- */

static void root_sends(const uint8_t *packet, size_t len, const struct link_address *to)
{
    const struct lowpan lowpan = {.contexts = &MESH_CONTEXT, .context_count = 1};
    const struct link_address own = link_of(0);
    struct lowpan_sender sender;
    uint8_t payload[FRAME_MAX], psdu[FRAME_MAX];
    int n;

    REQUIRE(lowpan_send_start(&sender, &lowpan, packet, len, &own, to, false, 80, bench.tag++) ==
            MOTE_OK);
    while ((n = lowpan_send_next(&sender, payload, sizeof payload)) > 0) {
        struct frame frame;
        int size;

        frame_data(&frame, MAC_PAN, to, &own, bench.seq++);
        frame.payload = payload;
        frame.payload_len = (size_t)n;
        size = frame_write(&frame, psdu, sizeof psdu);
        REQUIRE(size > 0);
        udp_peer_say(&bench.station[0].ether, psdu, (size_t)size, true);
    }
}

/* Sends to station 0, or through it to station 1 with a source routing header (RFC 6554). */
static void root_routes(const uint8_t *packet, size_t len, uint8_t id)
{
    uint8_t out[IPV6_MTU];
    struct link_address first = link_of(1);
    struct writer w;

    if (id == 1) {
        root_sends(packet, len, &first);
        return;
    }
    writer_init(&w, out, sizeof out);
    writer_bytes(&w, packet, IPV6_HEADER_SIZE);
    writer_u8(&w, packet[6]);
    writer_u8(&w, 1);
    writer_u16(&w, 0x0301);
    writer_u32(&w, 0x88000000);
    writer_bytes(&w, address_of(id).octets + 8, 8);
    writer_bytes(&w, packet + IPV6_HEADER_SIZE, len - IPV6_HEADER_SIZE);
    out[6] = NEXT_ROUTING;
    out[4] = (uint8_t)((writer_len(&w) - IPV6_HEADER_SIZE) >> 8);
    out[5] = (uint8_t)(writer_len(&w) - IPV6_HEADER_SIZE);
    memcpy(out + 24, address_of(1).octets, 16);
    root_sends(out, writer_len(&w), &first);
}

static size_t icmp_packet(uint8_t code, const uint8_t *body, size_t len, uint8_t to, uint8_t *out,
                          size_t size)
{
    const struct link_address own = link_of(0);
    struct ipv6_address src = to > 0 ? address_of(0) : ipv6_link_local(&own);
    struct ipv6_address dst =
        to > 0 ? address_of(to) : (struct ipv6_address){{0xff, 2, [15] = 0x1a}};
    struct ipv6_header header = {.payload_len = (uint16_t)(ICMPV6_HEADER_SIZE + len),
                                 .next_header = NEXT_ICMPV6,
                                 .hop_limit = 64,
                                 .src = src,
                                 .dst = dst};
    struct icmpv6 icmp = {ICMPV6_RPL, code, body, len};
    struct writer w;

    writer_init(&w, out, size);
    ipv6_write(&header, &w);
    icmpv6_write(&icmp, &src, &dst, &w);
    return writer_len(&w);
}

static void root_dio(void)
{
    const struct rpl_dio dio = root_offer(address_of(0));
    const struct link_address everybody = link_short(0xffff);
    uint8_t body[96], packet[256];
    struct writer w;

    writer_init(&w, body, sizeof body);
    rpl_dio_write(&dio, &w);
    root_sends(packet, icmp_packet(RPL_DIO, body, writer_len(&w), 0, packet, sizeof packet),
               &everybody);
}

static void root_takes(const uint8_t *packet, size_t len)
{
    struct ipv6_upper upper;
    struct icmpv6 icmp;
    struct udp udp;
    uint8_t answer[256];

    REQUIRE(ipv6_find_upper(&upper, packet, len) == MOTE_OK);
    if (upper.protocol == NEXT_UDP) {
        REQUIRE(udp_parse(&udp, &upper, packet) == MOTE_OK);
        CHECK_INT(udp.src_port, bench.echo ? MESH_ECHO_PORT : MESH_UDP_PORT);
        CHECK_INT(udp.dst_port, bench.echo ? CLIENT_PORT : MIRROR_PORT);
        memcpy(bench.got, udp.payload, udp.payload_len);
        bench.got_len = udp.payload_len;
        bench.got_from = upper.src;
        bench.datagrams++;
        return;
    }
    REQUIRE(icmpv6_parse(&icmp, &upper, packet) == MOTE_OK);
    if (icmp.type == ICMPV6_RPL && icmp.code == RPL_DAO) {
        const uint8_t body[4] = {0, 0, icmp.body[3], 0};
        uint8_t node = upper.src.octets[15];

        root_routes(answer, icmp_packet(RPL_DAO_ACK, body, 4, node, answer, sizeof answer), node);
    }
}

static void root_hears(const uint8_t *psdu, size_t len)
{
    const struct lowpan lowpan = {.contexts = &MESH_CONTEXT, .context_count = 1};
    const struct link_address own = link_of(0);
    struct lowpan_packet packet = {.data = NULL};
    uint8_t ack[FRAME_ACK_SIZE], whole[IPV6_MTU];
    struct frame frame;

    REQUIRE(frame_parse(&frame, psdu, len) == MOTE_OK);
    if (frame.type != FRAME_DATA || !link_equal(&frame.dst, &own))
        return;
    CHECK(frame.ack_request);
    frame_ack(frame.seq, ack);
    udp_peer_say(&bench.station[0].ether, ack, sizeof ack, true);
    if (frame.seq == bench.last_seq)
        return;
    bench.last_seq = frame.seq;
    REQUIRE(lowpan_receive(&bench.receiver, &lowpan, frame.payload, frame.payload_len, &frame.src,
                           &frame.dst, (uint32_t)bench.now, &packet) == MOTE_OK);
    if (packet.data == NULL)
        return;
    memcpy(whole, packet.data, packet.len);
    root_takes(whole, packet.len);
}

/* ---- time ---- */

/* Delivers a frame of station i to its neighbours; false if there is none. */
static bool carry(size_t i)
{
    struct station *s = &bench.station[i];
    uint8_t packet[256];
    size_t len = udp_peer_receive(&s->ether, packet, sizeof packet);
    size_t psdu_len = len > ZEP_HEADER ? packet[ZEP_LENGTH] - (size_t)FRAME_FCS_SIZE : 0;
    const uint8_t *psdu = packet + ZEP_HEADER;

    if (len == 0)
        return false;
    if (packet[3] != 1)
        return true; /* a hello */
    s->frames += psdu_len > FRAME_ACK_SIZE;
    if (bench.deaf[i])
        return true;
    if (i > 0)
        udp_peer_say(&bench.station[i - 1].ether, psdu, psdu_len, true);
    else
        root_hears(psdu, psdu_len);
    if (i + 1 < MOTES)
        udp_peer_say(&bench.station[i + 1].ether, psdu, psdu_len, true);
    return true;
}

/* Lets `ms` pass, from deadline to deadline. */
static void live(uint64_t ms)
{
    uint64_t until = bench.now + ms;

    for (unsigned steps = 0; bench.now < until; steps++) {
        uint64_t next = until;
        bool moved = false;

        REQUIRE(steps < STEP_LIMIT);
        if (bench.now >= bench.dio_at) {
            bench.dio_at = bench.now + 8000;
            root_dio();
        }
        for (size_t i = 0; i < MOTES; i++) {
            struct station *s = &bench.station[i];
            uint64_t at;

            drain(s);
            at = s->link.tick(s->link.context, bench.now);
            next = at < next ? at : next;
            while (carry(i))
                moved = true;
        }
        next = bench.dio_at < next ? bench.dio_at : next;
        if (!moved && next > bench.now)
            bench.now = next;
    }
}

static bool ready(size_t i)
{
    return bench.station[i].link.ready(bench.station[i].link.context);
}

static void form(void)
{
    for (int i = 0; i < 30 && !(ready(0) && ready(1)); i++)
        live(2000);
    REQUIRE(ready(0) && ready(1));
    live(1000);
}

static int send_from(size_t i, const uint8_t *octets, size_t len)
{
    return bench.station[i].link.wire.send(bench.station[i].link.wire.context, octets, len);
}

/* Sends a datagram from `port` of the root or of another node of the mesh. */
static void send_down_to(uint16_t to_port, uint8_t id, struct ipv6_address from, uint16_t port,
                         const uint8_t *octets, size_t len)
{
    const struct udp udp = {port, to_port, octets, len};
    const struct ipv6_address to = address_of(id);
    uint8_t packet[IPV6_MTU];
    int n = ipv6_udp_packet(&udp, &from, &to, packet, sizeof packet);

    REQUIRE(n > 0);
    root_routes(packet, (size_t)n, id);
    live(1000);
}

static void send_down(uint8_t id, struct ipv6_address from, uint16_t port, const uint8_t *octets,
                      size_t len)
{
    send_down_to(MESH_UDP_PORT, id, from, port, octets, len);
}

/* ---- tests ---- */

TEST(has_no_route_until_the_root_has_acknowledged_it)
{
    begin();
    CHECK(!ready(0) && bench.station[0].link.awake);
    CHECK_INT(send_from(0, (const uint8_t *)"x", 1), MOTE_E_IO);
    form();
    CHECK_OCTETS(net_address(&bench.station[1].mesh.net).octets, 16, address_of(2).octets, 16);
    CHECK_INT(bench.datagrams, 0);
    end();
}

TEST(sends_over_two_hops_and_receives_the_answer)
{
    uint8_t up[300], down[500];

    begin();
    form();
    dice_fill(&dice, up, sizeof up);
    dice_fill(&dice, down, sizeof down);
    CHECK_INT(send_from(1, up, sizeof up), MOTE_OK);
    CHECK(bench.station[1].link.busy(bench.station[1].link.context));
    live(1000);
    CHECK(!bench.station[1].link.busy(bench.station[1].link.context));
    REQUIRE(bench.datagrams == 1);
    CHECK_OCTETS(bench.got, bench.got_len, up, sizeof up);
    CHECK_OCTETS(bench.got_from.octets, 16, address_of(2).octets, 16);
    CHECK(bench.station[0].mesh.net.counts.forwarded >= 1);

    send_down(2, address_of(0), MIRROR_PORT, down, sizeof down);
    REQUIRE(bench.station[1].datagrams == 1);
    CHECK_OCTETS(bench.station[1].got, bench.station[1].got_len, down, sizeof down);
    CHECK_INT(bench.station[0].datagrams, 0);
    end();
}

TEST(delivers_only_datagrams_from_the_mirror_and_its_port)
{
    begin();
    form();
    send_down(1, address_of(9), MIRROR_PORT, (const uint8_t *)"a", 1);
    send_down(1, address_of(0), MIRROR_PORT + 1, (const uint8_t *)"b", 1);
    CHECK_INT(bench.station[0].datagrams, 0);
    send_down(1, address_of(0), MIRROR_PORT, (const uint8_t *)"c", 1);
    CHECK_INT(bench.station[0].datagrams, 1);
    end();
}

TEST(retransmits_then_drops_and_reports_the_loss_to_rpl)
{
    begin();
    form();
    bench.deaf[1] = true;
    bench.station[1].frames = 0;
    CHECK_INT(send_from(1, (const uint8_t *)"x", 1), MOTE_OK);
    live(800);
    CHECK_INT(bench.station[1].frames, MAC_TRANSMISSIONS);
    CHECK_INT(bench.station[1].mesh.net.counts.unacknowledged, 1);
    CHECK_INT(bench.datagrams, 0);
    bench.deaf[1] = false;
    CHECK_INT(send_from(1, (const uint8_t *)"y", 1), MOTE_OK);
    live(800);
    CHECK_INT(bench.datagrams, 1);
    end();
}

TEST(finds_another_route_when_its_parent_is_gone)
{
    begin();
    form();
    bench.deaf[0] = true; /* neither acknowledgements nor DIOs of the first station */
    for (int i = 0; i < 10 && ready(1); i++) {
        (void)send_from(1, (const uint8_t *)"x", 1);
        live(2000);
    }
    CHECK(!ready(1));
    bench.deaf[0] = false;
    for (int i = 0; i < 60 && !ready(1); i++)
        live(2000);
    CHECK(ready(1));
    end();
}

static int say_42(void *context, struct writer *out)
{
    (void)context;
    writer_str(out, "42");
    return MOTE_OK;
}

TEST(answers_requests_for_its_resources_over_two_hops)
{
    static const struct coap_resource answers[] = {
        {"answer", NULL, COAP_FORMAT_TEXT, say_42, NULL, NULL}};
    static uint8_t body[64];
    static const struct coap_server server = {answers, 1, 2, body, sizeof body};
    static const uint8_t get[] = {0x41, COAP_GET, 0x12, 0x34, 0x77, 0xb6,
                                  'a',  'n',      's',  'w',  'e',  'r'};
    static const uint8_t expected[] = {0x61, COAP_CONTENT, 0x12, 0x34, 0x77, 0xc0, 0xff, '4', '2'};

    begin();
    form();
    send_down(2, address_of(0), MIRROR_PORT, get, sizeof get);
    CHECK_INT(bench.station[1].datagrams, 1); /* without a server, the client must refuse it */
    bench.station[1].mesh.server = &server;
    send_down(2, address_of(0), MIRROR_PORT, get, sizeof get);
    live(1000);
    CHECK_INT(bench.station[1].datagrams, 1);
    REQUIRE(bench.datagrams == 1);
    CHECK_OCTETS(bench.got, bench.got_len, expected, sizeof expected);
    CHECK_OCTETS(bench.got_from.octets, 16, address_of(2).octets, 16);
    end();
}

TEST(echoes_datagrams_but_not_those_of_another_echo)
{
    uint8_t octets[512];

    memset(octets, 0x5a, sizeof octets);
    begin();
    form();
    bench.echo = true;
    send_down_to(MESH_ECHO_PORT, 2, address_of(0), CLIENT_PORT, octets, 8);
    CHECK_INT(bench.datagrams, 0); /* echoes are off by default */
    bench.station[1].mesh.echo = true;
    send_down_to(MESH_ECHO_PORT, 2, address_of(0), MESH_ECHO_PORT, octets, 8);
    CHECK_INT(bench.datagrams, 0);
    send_down_to(MESH_ECHO_PORT, 2, address_of(0), CLIENT_PORT, octets, sizeof octets);
    live(1000);
    CHECK_INT(bench.datagrams, 1);
    CHECK_OCTETS(bench.got, bench.got_len, octets, sizeof octets);
    end();
}

int main(void)
{
    RUN(has_no_route_until_the_root_has_acknowledged_it);
    RUN(sends_over_two_hops_and_receives_the_answer);
    RUN(delivers_only_datagrams_from_the_mirror_and_its_port);
    RUN(retransmits_then_drops_and_reports_the_loss_to_rpl);
    RUN(finds_another_route_when_its_parent_is_gone);
    RUN(answers_requests_for_its_resources_over_two_hops);
    RUN(echoes_datagrams_but_not_those_of_another_echo);
    return harness_report();
}
