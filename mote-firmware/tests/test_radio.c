/* ZEP and the MAC over a UDP socket; the test is the ether. */
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness.h"
#include "mac.h"
#include "port.h"
#include "radio_link.h"
#include "support/udp_peer.h"

static const uint8_t EUI64[EUI64_SIZE] = {2, 0, 0, 0, 0, 0, 0, 0x42};
static const uint8_t BORDER[EUI64_SIZE] = {2, 0, 0, 0, 0, 0, 0, 1};

static int no_backoff(void *context, uint8_t *out, size_t len)
{
    (void)context;
    memset(out, 0, len);
    return MOTE_OK;
}

static const struct random QUIET = {.fill = no_backoff};

struct bench {
    struct udp_peer ether;
    struct zep zep;
    struct mac mac;
    struct link_address border;
    uint8_t heard[256];
    size_t heard_len;
};

static void bench_init(struct bench *b)
{
    char problem[200];

    udp_peer_open(&b->ether);
    if (zep_open(&b->zep, "127.0.0.1", b->ether.port, EUI64, problem, sizeof problem) != 0)
        abort();
    b->ether.other = udp_peer_port_of(b->zep.fd);
    mac_init(&b->mac, &b->zep, &QUIET);
    b->border = link_extended(BORDER);
}

static void bench_close(struct bench *b)
{
    close(b->zep.fd);
    udp_peer_close(&b->ether);
}

/* Receives the next packet at the ether. Returns 0 if there is none. */
static size_t hear(struct bench *b)
{
    b->heard_len = udp_peer_receive(&b->ether, b->heard, sizeof b->heard);
    return b->heard_len;
}

/* Lets the mote receive all packets at `now`. Returns the number of new payloads. */
static unsigned take_all_at(struct bench *b, uint64_t now)
{
    uint8_t psdu[FRAME_MAX];
    struct frame frame;
    unsigned payloads = 0;
    size_t len;

    while ((len = zep_receive(&b->zep, psdu)) > 0)
        payloads += mac_receive(&b->mac, psdu, len, &frame, now);
    return payloads;
}

static unsigned take_all(struct bench *b)
{
    return take_all_at(b, 0);
}

static void say_ack(struct bench *b, uint8_t seq)
{
    uint8_t ack[FRAME_ACK_SIZE];

    frame_ack(seq, ack);
    udp_peer_say(&b->ether, ack, sizeof ack, true);
}

static void say_frame(struct bench *b, const uint8_t *dst, uint8_t seq, bool secured, bool good_fcs)
{
    uint8_t psdu[FRAME_MAX];
    struct link_address to = link_extended(dst);
    struct frame frame;
    int len;

    frame_data(&frame, MAC_PAN, &to, &b->border, seq);
    frame.secured = secured;
    frame.security.level = secured ? 4 : 0; /* without a MIC, which the MAC does not check */
    frame.payload = (const uint8_t *)"hello";
    frame.payload_len = 5;
    len = frame_write(&frame, psdu, sizeof psdu);
    if (len < 0)
        abort();
    udp_peer_say(&b->ether, psdu, (size_t)len, good_fcs);
}

static void say_data(struct bench *b, const uint8_t *dst, uint8_t seq, bool good_fcs)
{
    say_frame(b, dst, seq, false, good_fcs);
}

TEST(sends_riots_hello_at_once_and_every_ten_seconds)
{
    static const uint8_t start[] = {'E', 'X', 2, 255};
    struct bench b;

    bench_init(&b);
    CHECK_INT(zep_tick(&b.zep, 1000), 11000);
    REQUIRE(hear(&b) == 40);
    CHECK_OCTETS(b.heard, 4, start, sizeof start);
    CHECK_OCTETS(b.heard + 21, 5, "HELLO", 5);
    CHECK_INT(b.heard[31], EUI64_SIZE);
    CHECK_OCTETS(b.heard + 32, 8, EUI64, sizeof EUI64);
    CHECK_INT(zep_tick(&b.zep, 10999), 11000);
    CHECK_INT(zep_tick(&b.zep, 11000), 21000);
    CHECK(hear(&b) == 40 && hear(&b) == 0);
    bench_close(&b);
}

TEST(sends_a_frame_until_its_own_acknowledgement_comes)
{
    struct bench b;

    bench_init(&b);
    REQUIRE(mac_send(&b.mac, &b.border, (const uint8_t *)"x", 1, 0) == MOTE_OK);
    CHECK_INT(mac_send(&b.mac, &b.border, (const uint8_t *)"x", 1, 0), MOTE_E_STATE);
    CHECK_INT(mac_tick(&b.mac, 0), MAC_ACK_WAIT_MS);
    REQUIRE(hear(&b) == 32 + 21 + 1 + 2);
    CHECK_INT(b.heard[3], 1);
    CHECK_INT(b.heard[31], 24);
    CHECK(frame_fcs_good(b.heard + 32, 24));
    say_ack(&b, (uint8_t)(b.mac.seq + 1)); /* a neighbour's */
    CHECK_INT(take_all(&b), 0);
    CHECK_INT(b.mac.state, MAC_WAIT_ACK);
    say_ack(&b, b.mac.seq);
    CHECK_INT(take_all(&b), 0);
    CHECK_INT(b.mac.state, MAC_DONE);
    bench_close(&b);
}

TEST(sends_a_prepared_frame_under_its_own_number)
{
    struct bench b;
    uint8_t psdu[FRAME_MAX] = {0};
    struct frame frame;
    int len;

    bench_init(&b);
    frame_data(&frame, MAC_PAN, &b.border, &b.mac.own, 200);
    frame.payload = (const uint8_t *)"hi";
    frame.payload_len = 2;
    len = frame_write(&frame, psdu, sizeof psdu);
    REQUIRE(len > 0);
    CHECK_INT(mac_send_psdu(&b.mac, psdu, FRAME_MAX - FRAME_FCS_SIZE + 1, 0), MOTE_E_SPACE);
    CHECK_INT(mac_send_psdu(&b.mac, psdu, 1, 0), MOTE_E_SHORT);
    REQUIRE(mac_send_psdu(&b.mac, psdu, (size_t)len, 0) == MOTE_OK);
    CHECK_INT(mac_send_psdu(&b.mac, psdu, (size_t)len, 0), MOTE_E_STATE);
    mac_tick(&b.mac, 0);
    REQUIRE(hear(&b) == 32 + (size_t)len + FRAME_FCS_SIZE);
    CHECK_OCTETS(b.heard + 32, (size_t)len, psdu, (size_t)len);
    say_ack(&b, 200);
    take_all(&b);
    CHECK_INT(b.mac.state, MAC_DONE);

    mac_idle(&b.mac);
    frame_data(&frame, MAC_PAN, &(struct link_address){LINK_SHORT, {0xff, 0xff}}, &b.mac.own, 201);
    frame.payload = (const uint8_t *)"all";
    frame.payload_len = 3;
    len = frame_write(&frame, psdu, sizeof psdu);
    REQUIRE(len > 0 && mac_send_psdu(&b.mac, psdu, (size_t)len, 0) == MOTE_OK);
    mac_tick(&b.mac, 0);
    CHECK_INT(b.mac.state, MAC_DONE); /* nobody acknowledges a broadcast */
    bench_close(&b);
}

TEST(repeats_a_frame_three_times_unchanged_and_gives_up)
{
    struct bench b;
    uint8_t first[FRAME_MAX];
    uint64_t now = 0;

    bench_init(&b);
    REQUIRE(mac_send(&b.mac, &b.border, (const uint8_t *)"x", 1, 0) == MOTE_OK);
    for (int i = 0; i < 4; i++) {
        now = mac_tick(&b.mac, now);
        REQUIRE(hear(&b) == 56);
        if (i == 0)
            memcpy(first, b.heard + 32, 24);
        CHECK_OCTETS(b.heard + 32, 24, first, 24);
    }
    CHECK(mac_tick(&b.mac, now) == UINT64_MAX);
    CHECK_INT(b.mac.state, MAC_FAILED);
    CHECK_INT(hear(&b), 0);
    bench_close(&b);
}

TEST(acknowledges_every_frame_for_it_and_delivers_each_once)
{
    static const uint8_t other[EUI64_SIZE] = {2, 0, 0, 0, 0, 0, 0, 0x43};
    struct bench b;

    bench_init(&b);
    say_data(&b, EUI64, 9, true);
    say_data(&b, EUI64, 9, true); /* a retransmission: our acknowledgement was lost */
    say_data(&b, EUI64, 10, true);
    CHECK_INT(take_all(&b), 2);
    for (uint8_t seq = 0; seq < 3; seq++) {
        REQUIRE(hear(&b) == 32 + 5);
        CHECK_INT(b.heard[34], seq < 2 ? 9 : 10);
    }
    say_data(&b, other, 11, true);
    say_data(&b, EUI64, 12, false);
    CHECK_INT(take_all(&b), 0);
    CHECK_INT(hear(&b), 0);
    bench_close(&b);
}

TEST(accepts_a_repeated_number_later_as_another_frame)
{
    struct bench b;

    bench_init(&b);
    say_data(&b, EUI64, 9, true);
    CHECK_INT(take_all_at(&b, 1000), 1);
    say_data(&b, EUI64, 9, true);
    CHECK_INT(take_all_at(&b, 1000 + MAC_REPETITION_MS - 1), 0);
    say_data(&b, EUI64, 9, true);
    CHECK_INT(take_all_at(&b, 1000 + 2 * MAC_REPETITION_MS), 1);
    bench_close(&b);
}

TEST(leaves_duplicates_of_secured_frames_to_the_frame_counter)
{
    struct bench b;

    bench_init(&b);
    say_data(&b, EUI64, 9, true); /* an attacker's, under the neighbour's address */
    say_frame(&b, EUI64, 9, true, true);
    CHECK_INT(take_all(&b), 2);
    say_frame(&b, EUI64, 10, true, true);
    say_data(&b, EUI64, 10, true);
    CHECK_INT(take_all(&b), 2);
    bench_close(&b);
}

TEST(survives_packets_that_are_not_frames)
{
    struct dice dice = {5};
    struct bench b;

    bench_init(&b);
    for (int round = 0; round < 2000; round++) {
        uint8_t packet[160];
        size_t len = dice_below(&dice, sizeof packet);

        dice_fill(&dice, packet, len);
        if (round % 2 == 0 && len > 32)
            memcpy(packet, "EX\x02\x01\x1a\0\0\x01", 8);
        if (round % 4 == 0 && len > 32)
            packet[31] = (uint8_t)(len - 32);
        udp_peer_send(&b.ether, packet, len);
        CHECK_INT(take_all(&b), 0);
    }
    bench_close(&b);
}

/* Sends a packet's fragments from `src` to the mote; the last fragment only with `last`. */
static void say_fragments(struct bench *b, const uint8_t *packet, size_t len,
                          const struct link_address *src, uint16_t tag, bool last)
{
    static const struct lowpan lowpan = {.context_count = 0};
    struct link_address to = link_extended(EUI64);
    struct lowpan_sender sender;
    uint8_t payload[FRAME_MAX], psdu[FRAME_MAX];
    uint8_t seq = (uint8_t)tag;
    int part;

    if (lowpan_send_start(&sender, &lowpan, packet, len, src, &to, false, 80, tag) != MOTE_OK)
        abort();
    while ((part = lowpan_send_next(&sender, payload, sizeof payload)) > 0) {
        struct frame frame;
        int size;

        frame_data(&frame, MAC_PAN, &to, src, seq++);
        frame.payload = payload;
        frame.payload_len = (size_t)part;
        size = frame_write(&frame, psdu, sizeof psdu);
        if (size < 0)
            abort();
        if (last || sender.sent < sender.len)
            udp_peer_say(&b->ether, psdu, (size_t)size, true);
    }
}

TEST(other_senders_cannot_take_the_mirrors_reassembly_slots)
{
    const struct link_address border = link_extended(BORDER), own = link_extended(EUI64);
    struct ipv6_address mirror = ipv6_link_local(&border), mote = ipv6_link_local(&own);
    uint8_t body[200] = {1, 2, 3}, packet[IPV6_MTU], got[LINK_DATAGRAM_MAX];
    const struct udp udp = {RADIO_UDP_PORT, RADIO_UDP_PORT, body, sizeof body};
    static struct radio_link radio;
    struct link link;
    struct bench b;
    char problem[200];
    int len = ipv6_udp_packet(&udp, &mirror, &mote, packet, sizeof packet);

    bench_init(&b);
    REQUIRE(len > 0 &&
            radio_link_open(&radio, "127.0.0.1", b.ether.port, EUI64, &mirror, RADIO_UDP_PORT,
                            &QUIET, &link, problem, sizeof problem) == 0);
    b.ether.other = udp_peer_port_of(link.fd);
    for (uint8_t i = 0; i < RADIO_SLOTS; i++) {
        struct link_address stranger = link_short((uint16_t)(0x77 + i));

        say_fragments(&b, packet, (size_t)len, &stranger, (uint16_t)(10 * i), false);
    }
    CHECK_INT(link.receive(link.context, got, sizeof got, 100), 0);
    say_fragments(&b, packet, (size_t)len, &border, 100, true);
    CHECK_OCTETS(got, link.receive(link.context, got, sizeof got, 200), body, sizeof body);
    close(link.fd);
    bench_close(&b);
}

TEST(an_absent_ether_does_not_cost_the_next_frame)
{
    struct bench b;

    bench_init(&b);
    udp_peer_close(&b.ether);
    REQUIRE(mac_send(&b.mac, &b.border, (const uint8_t *)"x", 1, 0) == MOTE_OK);
    mac_tick(&b.mac, 0); /* nobody listens, so the socket has an error for the next call */
    udp_peer_reopen(&b.ether);
    mac_tick(&b.mac, MAC_ACK_WAIT_MS);
    CHECK_INT(hear(&b), 56);
    bench_close(&b);
}

int main(void)
{
    RUN(sends_riots_hello_at_once_and_every_ten_seconds);
    RUN(sends_a_frame_until_its_own_acknowledgement_comes);
    RUN(sends_a_prepared_frame_under_its_own_number);
    RUN(repeats_a_frame_three_times_unchanged_and_gives_up);
    RUN(acknowledges_every_frame_for_it_and_delivers_each_once);
    RUN(accepts_a_repeated_number_later_as_another_frame);
    RUN(leaves_duplicates_of_secured_frames_to_the_frame_counter);
    RUN(survives_packets_that_are_not_frames);
    RUN(other_senders_cannot_take_the_mirrors_reassembly_slots);
    RUN(an_absent_ether_does_not_cost_the_next_frame);
    return harness_report();
}
