/* Sequence numbers of which only the low octets are on the air (docs/protocol.md section 9.1). */
#include "lowpan.h"
#include "support/rpl.h"
#include "support/station.h"

enum { EVERY = 16 };

static struct station a, b;

/* Station a sends under one association to its neighbour b, which holds the other end. */
static void begin(size_t number_octets)
{
    struct link_address links[2] = {node_link(2), node_link(3)};
    set_up(&a, 2, 0, false, 0);
    set_up(&b, 3, 0, false, 0);
    a.out = b.in = make_sa(0x11000001, 1);
    a.out.reserved = UINT32_MAX;
    a.peer = (struct net_peer){.address = ipv6_link_local(&links[1]), .out = &a.out};
    b.peer = (struct net_peer){.address = ipv6_link_local(&links[0]), .in = &b.in};
    a.net.crypto = b.net.crypto = &crypto;
    a.net.peers = &a.peer;
    b.net.peers = &b.peer;
    a.net.peer_count = b.net.peer_count = 1;
    a.net.number_octets = (uint8_t)number_octets;
}

/* The frames of the last packet. */
static uint8_t frames[8][FRAME_MAX];
static size_t lens[8], frame_count;

/* Makes the frames of the next packet; they are acknowledged or lost. */
static void make(size_t payload_len, bool acknowledged)
{
    uint8_t payload[512] = "hello";
    const struct udp udp = {1, 2, payload, payload_len};
    int n;
    frame_count = 0;
    CHECK_INT(net_send(&a.net, &a.peer.address, &udp), MOTE_OK);
    while ((n = net_next_frame(&a.net, 0, frames[frame_count], FRAME_MAX)) > 0) {
        lens[frame_count++] = (size_t)n;
        net_transmitted(&a.net, 1, acknowledged, 0);
    }
}

static int receive(void)
{
    struct net_datagram datagram;
    int result = MOTE_E_STATE;
    for (size_t i = 0; i < frame_count; i++)
        result = net_receive(&b.net, frames[i], lens[i], 0, &datagram);
    return result;
}

static int pass(size_t payload_len)
{
    make(payload_len, true);
    return receive();
}

/* Octets of the number in the last packet's first frame. */
static size_t number_octets(void)
{
    static const uint8_t announced[] = {0xed};
    for (size_t i = 0; i + 1 < lens[0]; i++) {
        uint8_t nhc = frames[0][i + 1];
        if (frames[0][i] == announced[0] && nhc >> 4 >= 14)
            return (nhc >> 4 == 14 ? 2U : 1U) << (nhc >> 1 & 1);
    }
    return 0;
}

/* A line "form" of the vectors. The payload of `packet` stays uncompressed after ESP. */
static void check_form(const char *hex, size_t low, const char *form_hex)
{
    struct link_address src = node_link(2), dst = node_link(3);
    uint8_t packet[128], form[64], out[FRAME_MAX], back[128];
    size_t covered, upper = from_hex(hex, packet + IPV6_HEADER_SIZE, 64);
    size_t form_len = from_hex(form_hex, form, sizeof form);
    bool ah = form[0] == 0xeb;
    struct ipv6_header header = {.payload_len = (uint16_t)upper,
                                 .next_header = ah ? NEXT_AH : NEXT_ESP,
                                 .hop_limit = 64,
                                 .src = ipv6_link_local(&src),
                                 .dst = ipv6_link_local(&dst)};
    struct lowpan_deferred deferred;
    struct lowpan with = {.esp = NULL};
    struct writer w;
    writer_init(&w, packet, sizeof packet);
    ipv6_write(&header, &w);
    lowpan_elide(&with, ah ? low : 0, ah ? 0 : low);
    size_t len = IPV6_HEADER_SIZE + upper;
    int n = lowpan_compress(&with, packet, len, &src, &dst, true, out, sizeof out, &covered);
    REQUIRE(n > 2);
    CHECK_OCTETS(out + 2, (size_t)n - 2, form, form_len);
    memcpy(out + n, packet + covered, len - covered);
    size_t all = (size_t)n + len - covered;
    int m = lowpan_decompress(&with, out, all, &src, &dst, 0, back, sizeof back, &deferred);
    memset(packet + IPV6_HEADER_SIZE + (ah ? 8 : 4), 0, low > 0 ? 4 - low : 0);
    REQUIRE(m > 0);
    CHECK_OCTETS(back, (size_t)m, packet, len);
    CHECK_INT(deferred.ipsec_nhc, LOWPAN_IPSEC_NHC | (low == 1   ? LOWPAN_LOW_1
                                                      : low == 2 ? LOWPAN_LOW_2
                                                                 : 0));
    /* An image that links only the whole forms refuses the others. */
    m = lowpan_decompress(&lowpan, out, all, &src, &dst, 0, back, sizeof back, &deferred);
    CHECK_INT(low == 0 ? m > 0 : m == MOTE_E_UNSUPPORTED, true);
}

static void check_number(uint32_t top, size_t octets, uint32_t low, const char *expected)
{
    struct ipsec_sa sa = {.top = top};
    uint32_t sequence;
    int result = ipsec_whole_sequence(&sa, low, octets, &sequence);
    if (strcmp(expected, "none") == 0)
        CHECK_INT(result, MOTE_E_REPLAY);
    else
        CHECK(result == MOTE_OK && sequence == strtoul(expected, NULL, 10));
}

TEST(agrees_with_the_shared_vectors)
{
    FILE *vectors = fopen("vectors/ipsec/elided-numbers.txt", "r");
    char line[200], packet[100], text[100];
    unsigned forms = 0, numbers = 0;
    unsigned long window, top, octets, low;
    REQUIRE(vectors != NULL);
    while (fgets(line, sizeof line, vectors) != NULL) {
        if (sscanf(line, "form %99s %lu %99s", packet, &low, text) == 3) {
            check_form(packet, low, text);
            forms++;
        } else if (sscanf(line, "number %lu %lu %lu %lu %99s", &window, &top, &octets, &low,
                          text) == 5 &&
                   window == IPSEC_WINDOW) {
            check_number((uint32_t)top, octets, (uint32_t)low, text);
            numbers++;
        }
    }
    fclose(vectors);
    CHECK(forms > 10 && numbers > 200);
}

TEST(restores_each_number_from_the_window_on)
{
    struct ipsec_sa sa = make_sa(1, 1);
    uint32_t sequence;
    for (unsigned i = 0; i < 20000; i++) {
        size_t octets = 1 + i % 2;
        uint32_t span = (UINT32_C(1) << (8 * octets));
        sa.top = i < 100 ? i : (uint32_t)dice_roll(&dice) >> i % 32;
        sa.top = sa.top > UINT32_MAX - span ? sa.top - span : sa.top;
        uint32_t lowest = sa.top < IPSEC_WINDOW ? 1 : sa.top - IPSEC_WINDOW + 1;
        uint32_t sent = lowest + (uint32_t)dice_roll(&dice) % span;
        REQUIRE(ipsec_whole_sequence(&sa, sent & (span - 1), octets, &sequence) == MOTE_OK);
        CHECK_INT(sequence, sent);
    }
    sa.top = 0;
    CHECK_INT(ipsec_whole_sequence(&sa, 0, 1, &sequence), MOTE_OK);
    CHECK_INT(sequence, 256); /* 0 is never sent */
    sa.top = UINT32_MAX;
    CHECK_INT(ipsec_whole_sequence(&sa, 0, 1, &sequence), MOTE_E_REPLAY);
    CHECK_INT(ipsec_whole_sequence(&sa, 0xff, 1, &sequence), MOTE_OK);
    CHECK_INT(sequence, UINT32_MAX);
}

TEST(sends_the_low_octet_except_of_every_16th_number)
{
    begin(1);
    for (uint32_t i = 1; i <= 600; i++) {
        CHECK_INT(pass(i % 90), MOTE_OK);
        CHECK_INT(number_octets(), i == 1 || i % EVERY == 0 ? 2 : 1);
    }
    CHECK_INT(b.in.packets, 600);
    CHECK_INT(b.in.top, 600);
    CHECK_INT(a.out.sent, 600);
}

TEST(sends_two_octets_of_a_number_above_65535)
{
    begin(2);
    a.out.sent = 65500;
    b.in.top = 65500;
    for (uint32_t i = 65501; i <= 65600; i++) {
        CHECK_INT(pass(20), MOTE_OK);
        CHECK_INT(number_octets(), i > 65536 && i % EVERY == 0 ? 4 : i == 65536 ? 4 : 2);
    }
    CHECK_INT(b.in.top, 65600);
}

TEST(restores_the_number_of_a_fragmented_packet)
{
    begin(1);
    for (int i = 0; i < 40; i++)
        CHECK_INT(pass(300), MOTE_OK);
    CHECK(frame_count > 2);
    CHECK_INT(b.in.packets, 40);
}

TEST(sends_a_whole_number_after_a_frame_without_acknowledgement)
{
    begin(1);
    CHECK_INT(pass(5), MOTE_OK);
    CHECK_INT(pass(5), MOTE_OK);
    CHECK_INT(number_octets(), 1);
    a.out.sent = 997; /* the neighbour was silent for hundreds of packets */
    make(5, false);
    make(5, false);
    CHECK_INT(number_octets(), 2);
    CHECK_INT(pass(5), MOTE_OK); /* 1000 */
    CHECK_INT(number_octets(), 2);
    CHECK_INT(pass(5), MOTE_OK);
    CHECK_INT(number_octets(), 1);
    CHECK_INT(b.in.top, 1001);
}

TEST(refuses_a_wrong_number_and_recovers_at_the_next_whole_one)
{
    begin(1);
    CHECK_INT(pass(5), MOTE_OK);
    a.out.sent = 400; /* the neighbour acknowledged packets that its stack never saw */
    for (uint32_t i = 401; i < 416; i++) {
        CHECK_INT(pass(5), MOTE_E_AUTH);
        CHECK_INT(number_octets(), 1);
    }
    CHECK_INT(b.in.bad_icv, 15);
    CHECK_INT(b.in.top, 1);
    CHECK_INT(pass(5), MOTE_OK);
    CHECK_INT(pass(5), MOTE_OK);
    CHECK_INT(b.in.top, 417);
}

TEST(accepts_no_repeated_packet_as_a_later_number)
{
    struct net_datagram datagram;
    uint8_t copy[FRAME_MAX];
    begin(1);
    for (int i = 0; i < 5; i++)
        CHECK_INT(pass(5), MOTE_OK);
    size_t len = lens[0];
    memcpy(copy, frames[0], len);
    unsigned refused = 0;
    for (int i = 0; i < 600; i++) {
        copy[2] = (uint8_t)(i + 77); /* not taken for a retransmission of the MAC */
        CHECK(net_receive(&b.net, copy, len, 10000U * (uint32_t)i, &datagram) < 0);
        refused += datagram.udp.payload == NULL;
        CHECK_INT(pass(5), MOTE_OK);
    }
    CHECK_INT(refused, 600);
    CHECK_INT(b.in.packets, 605);
    CHECK_INT(b.in.bad_icv + b.in.replays, 600);
}

TEST(elides_the_number_of_ah_around_esp)
{
    struct ipsec_sa out = make_sa(0x11000002, 2), in;
    begin(1);
    out.protocol = &ipsec_ah;
    out.cipher = NULL;
    out.reserved = UINT32_MAX;
    in = out;
    a.peer.ah_out = &out;
    b.peer.ah_in = &in;
    for (int i = 0; i < 40; i++)
        CHECK_INT(pass(5), MOTE_OK);
    CHECK_INT(number_octets(), 2); /* of the ESP inside */
    size_t inside = lens[0];
    a.net.number_octets = 0;
    CHECK_INT(pass(5), MOTE_OK);
    CHECK_INT(lens[0], inside + 1);
    CHECK_INT(in.packets, 41);
}

TEST(drops_a_packet_whose_association_it_lacks)
{
    begin(1);
    CHECK_INT(pass(5), MOTE_OK);
    b.peer.in = NULL;
    CHECK_INT(pass(5), MOTE_E_STATE);
    CHECK_INT(b.net.counts.bad_ipsec, 1);
    b.net.peer_count = 0;
    CHECK_INT(pass(5), MOTE_E_STATE);
    for (int i = 0; i < QUEUE; i++)
        CHECK(!b.queue[i].used);
}

TEST(leaves_numbers_whole_unless_it_is_asked)
{
    begin(0);
    for (int i = 0; i < 20; i++) {
        CHECK_INT(pass(5), MOTE_OK);
        CHECK_INT(number_octets(), 2);
    }
}

int main(void)
{
    stations_init();
    RUN(agrees_with_the_shared_vectors);
    RUN(restores_each_number_from_the_window_on);
    RUN(sends_the_low_octet_except_of_every_16th_number);
    RUN(sends_two_octets_of_a_number_above_65535);
    RUN(restores_the_number_of_a_fragmented_packet);
    RUN(sends_a_whole_number_after_a_frame_without_acknowledgement);
    RUN(refuses_a_wrong_number_and_recovers_at_the_next_whole_one);
    RUN(accepts_no_repeated_packet_as_a_later_number);
    RUN(elides_the_number_of_ah_around_esp);
    RUN(drops_a_packet_whose_association_it_lacks);
    RUN(leaves_numbers_whole_unless_it_is_asked);
    return harness_report();
}
