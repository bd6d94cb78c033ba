/* Associations of two network stacks one hop apart, and the answers of a stack without
 * associations. */
#include "support/rpl.h"
#include "support/station.h"

static struct station a, b;
static struct ipsec_sa ah_out, ah_in;

/* Starts stations 2 and 3 with shared associations. A test may replace the associations of `b`. */
static void begin(void)
{
    struct link_address links[2] = {node_link(2), node_link(3)};
    set_up(&a, 2, 0, false, 0);
    set_up(&b, 3, 0, false, 0);
    a.out = b.in = make_sa(0x11000001, 1);
    ah_out = make_sa(0x11000002, 2);
    ah_out.protocol = &ipsec_ah;
    ah_out.cipher = NULL;
    ah_in = ah_out;
    a.peer = (struct net_peer){.address = ipv6_link_local(&links[1]), .out = &a.out};
    b.peer = (struct net_peer){.address = ipv6_link_local(&links[0]), .in = &b.in};
    a.net.crypto = b.net.crypto = &crypto;
    a.net.peers = &a.peer;
    b.net.peers = &b.peer;
    a.net.peer_count = b.net.peer_count = 1;
}

/* Sends a datagram of `len` octets from a to `dst`; b receives its frames at `now`. Returns b's
 * result. */
static int pass(const struct ipv6_address *dst, size_t len, uint32_t now,
                struct net_datagram *datagram)
{
    uint8_t payload[512] = "hello", psdu[FRAME_MAX];
    const struct udp udp = {1, 2, payload, len};
    int result = MOTE_E_STATE, n;
    CHECK_INT(net_send(&a.net, dst, &udp), MOTE_OK);
    while ((n = net_next_frame(&a.net, 0, psdu, sizeof psdu)) > 0) {
        result = net_receive(&b.net, psdu, (size_t)n, now, datagram);
        net_transmitted(&a.net, 1, true, 0);
    }
    return result;
}

/* Delivers the answers of b to a. Returns their number, and the last ICMPv6 message. */
static unsigned answers(uint8_t *message, size_t *len)
{
    uint8_t psdu[FRAME_MAX];
    unsigned count = 0;
    int n;
    while ((n = net_next_frame(&b.net, 0, psdu, sizeof psdu)) > 0) {
        struct frame frame;
        struct lowpan_packet packet;
        struct ipv6_upper upper;
        struct icmpv6 icmp;
        net_transmitted(&b.net, 1, true, 0);
        CHECK_INT(frame_parse(&frame, psdu, (size_t)n), MOTE_OK);
        if (lowpan_receive(&a.net.receiver, &a.net.lowpan, frame.payload, frame.payload_len,
                           &frame.src, &frame.dst, 0, &packet) != MOTE_OK ||
            packet.data == NULL)
            continue;
        CHECK_INT(ipv6_find_upper(&upper, packet.data, packet.len), MOTE_OK);
        CHECK_INT(icmpv6_parse(&icmp, &upper, packet.data), MOTE_OK);
        memcpy(message, packet.data + upper.at, *len = upper.len);
        count++;
    }
    return count;
}

TEST(opens_only_esp_inside_ah)
{
    struct net_datagram datagram;
    begin();
    a.peer.ah_out = &ah_out;
    b.peer.ah_in = &ah_in;
    for (size_t len = 1; len < 400; len += 57) {
        CHECK_INT(pass(&a.peer.address, len, 0, &datagram), MOTE_OK);
        CHECK_INT(datagram.udp.payload_len, len);
    }
    CHECK_INT(ah_in.packets, b.in.packets);
    a.peer.ah_out = NULL; /* only ESP */
    CHECK_INT(pass(&a.peer.address, 5, 0, &datagram), MOTE_E_STATE);
    a.peer.ah_out = &ah_out; /* only AH */
    a.out = ah_out;
    a.out.sent = 500;
    a.peer.ah_out = NULL;
    CHECK(pass(&a.peer.address, 5, 0, &datagram) < 0);
    CHECK_INT(b.net.counts.bad_ipsec, 2);
    a.net.peer_count = 0; /* in the clear */
    CHECK_INT(pass(&a.peer.address, 5, 0, &datagram), MOTE_E_AUTH);
    CHECK_INT(b.net.counts.unprotected, 1);
    for (int i = 0; i < QUEUE; i++)
        CHECK(!b.queue[i].used);
}

TEST(refuses_two_layers_when_one_was_agreed)
{
    struct net_datagram datagram;
    begin();
    a.peer.ah_out = &ah_out;
    b.in = ah_in;
    CHECK(pass(&a.peer.address, 5, 0, &datagram) < 0);
    CHECK(datagram.udp.payload == NULL);
    CHECK_INT(b.net.counts.delivered, 0);
}

static void refuses(uint8_t protocol)
{
    uint8_t message[IPV6_MTU];
    size_t len = 0;
    struct net_datagram datagram;
    begin();
    if (protocol == NEXT_AH)
        a.out = ah_out;
    b.net.peer_count = 0;
    CHECK_INT(pass(&a.peer.address, 5, 0, &datagram), MOTE_E_UNSUPPORTED);
    CHECK(datagram.udp.payload == NULL);
    REQUIRE(answers(message, &len) == 1);
    CHECK_INT(message[0], ICMPV6_PARAMETER_PROBLEM);
    CHECK_INT(message[1], 1);
    CHECK_OCTETS(message + 4, 4, "\0\0\0\6", 4); /* the IPv6 header's Next Header */
    CHECK_INT(message[8] >> 4, 6);
    CHECK_INT(message[8 + 6], protocol);
    CHECK_INT(b.net.counts.unrecognized, 1);
}

TEST(reports_the_header_without_an_association)
{
    refuses(NEXT_ESP);
    refuses(NEXT_AH);
}

TEST(sends_four_errors_at_once_then_one_each_second)
{
    uint8_t message[IPV6_MTU];
    size_t len;
    struct net_datagram datagram;
    unsigned sent = 0;
    begin();
    b.net.peer_count = 0;
    for (int i = 0; i < 20; i++, sent += answers(message, &len))
        pass(&a.peer.address, 5, 1000000, &datagram);
    CHECK_INT(sent, NET_ERRORS);
    for (uint32_t i = 0; i < 20; i++, sent += answers(message, &len))
        pass(&a.peer.address, 5, 1000000 + i * 500, &datagram);
    CHECK_INT(sent, NET_ERRORS + 9);
    pass(&a.peer.address, 300, 2000000, &datagram); /* quoted completely, in fragments */
    REQUIRE(answers(message, &len) == 1);
    CHECK(len > 8 + 40 + 300);
}

TEST(answers_no_multicast_with_an_error)
{
    const struct ipv6_address everybody = {{0xff, 2, [15] = 1}};
    uint8_t message[IPV6_MTU];
    size_t len;
    struct net_datagram datagram;
    begin();
    a.peer.address = everybody;
    b.net.peer_count = 0;
    CHECK_INT(pass(&everybody, 5, 0, &datagram), MOTE_E_UNSUPPORTED);
    CHECK_INT(answers(message, &len), 0);
}

TEST(sends_no_error_for_other_associations_if_it_has_one)
{
    uint8_t message[IPV6_MTU];
    size_t len;
    struct net_datagram datagram;
    begin();
    a.out.spi = 77;
    CHECK_INT(pass(&a.peer.address, 5, 0, &datagram), MOTE_E_STATE);
    CHECK_INT(answers(message, &len), 0);
    CHECK_INT(b.net.counts.bad_ipsec, 1);
}

static struct ipv6_reassembler reassembler;
static struct ipv6_reassembly fragmented[1];
static uint8_t fragments[IPV6_REASSEMBLY_SIZE];

/* Sends `len` octets behind an IPv6 header from a to b as one fragment; returns b's result. */
static int pass_fragment(const uint8_t *packet, size_t offset, size_t len, bool more,
                         struct net_datagram *datagram)
{
    uint8_t part[IPV6_MTU], psdu[FRAME_MAX];
    struct writer w;
    int result = MOTE_E_STATE, n;
    writer_init(&w, part, sizeof part);
    writer_bytes(&w, packet, IPV6_HEADER_SIZE);
    writer_u16(&w, (uint16_t)(packet[6] << 8));
    writer_u16(&w, (uint16_t)(offset | more));
    writer_u32(&w, 7);
    writer_bytes(&w, packet + IPV6_HEADER_SIZE + offset, len);
    part[4] = (uint8_t)((len + 8) >> 8);
    part[5] = (uint8_t)(len + 8);
    part[6] = NEXT_FRAGMENT;
    CHECK_INT(net_send_packet(&a.net, part, w.len), MOTE_OK);
    while ((n = net_next_frame(&a.net, 0, psdu, sizeof psdu)) > 0) {
        result = net_receive(&b.net, psdu, (size_t)n, 0, datagram);
        net_transmitted(&a.net, 1, true, 0);
    }
    return result;
}

/* Sends a datagram of `len` octets under a's association in fragments; returns b's result. */
static int pass_in_fragments(size_t len, struct net_datagram *datagram)
{
    uint8_t payload[1400] = "hello", plain[IPV6_REASSEMBLED_MAX], packet[IPV6_REASSEMBLED_MAX];
    const struct udp udp = {1, 2, payload, len};
    const struct ipv6_address src = ipv6_link_local(&a.net.link);
    int n = ipv6_udp_packet(&udp, &src, &a.peer.address, plain, sizeof plain);
    n = ipsec_seal(&a.out, &crypto, plain, (size_t)n, packet, sizeof packet);
    CHECK(n > 0);
    size_t size = n > 0 ? (size_t)n - IPV6_HEADER_SIZE : 0;
    int result = MOTE_OK;
    for (size_t at = 0; at < size && result == MOTE_OK; at += 600) {
        size_t left = size - at;
        result = pass_fragment(packet, at, left > 600 ? 600 : left, left > 600, datagram);
    }
    return result;
}

TEST(opens_esp_that_its_source_or_nobody_fragmented)
{
    uint8_t large[QUEUE][IPV6_REASSEMBLED_MAX];
    struct net_datagram datagram;
    begin();
    net_queue_init(&b.net, b.queue, QUEUE, large[0], sizeof large[0]);
    CHECK(pass_in_fragments(1000, &datagram) < 0); /* b has no memory for fragments */
    CHECK(datagram.udp.payload == NULL);
    ipv6_reassembler_init(&reassembler, fragmented, 1, fragments);
    b.net.reassembler = &reassembler;
    for (size_t len = 1; len <= 1400; len += len < 1000 ? 111 : 80) {
        CHECK_INT(pass_in_fragments(len, &datagram), MOTE_OK); /* up to 600 octets atomic */
        REQUIRE(datagram.udp.payload != NULL);
        CHECK_INT(datagram.udp.payload_len, len);
    }
    CHECK_INT(b.net.counts.bad_fragment, 0);
    for (int i = 0; i < QUEUE; i++)
        CHECK(!b.queue[i].used || i == b.net.delivered);
}

TEST(drops_fragments_that_overlap_or_lack_protection)
{
    uint8_t packet[IPV6_MTU], payload[200] = "hello";
    const struct link_address link = node_link(2);
    const struct ipv6_address src = ipv6_link_local(&link);
    const struct udp udp = {1, 2, payload, sizeof payload};
    struct net_datagram datagram;
    begin();
    ipv6_reassembler_init(&reassembler, fragmented, 1, fragments);
    b.net.reassembler = &reassembler;
    (void)ipv6_udp_packet(&udp, &src, &a.peer.address, packet, sizeof packet);
    CHECK_INT(pass_fragment(packet, 0, 104, true, &datagram), MOTE_OK);
    CHECK(datagram.udp.payload == NULL);
    CHECK_INT(pass_fragment(packet, 104, 104, false, &datagram), MOTE_E_AUTH); /* in the clear */
    CHECK_INT(b.net.counts.unprotected, 1);
    CHECK_INT(pass_fragment(packet, 0, 104, true, &datagram), MOTE_OK);
    CHECK_INT(pass_fragment(packet, 96, 112, false, &datagram), MOTE_E_MALFORMED);
    CHECK_INT(pass_fragment(packet, 104, 104, false, &datagram), MOTE_E_MALFORMED);
    CHECK_INT(b.net.counts.bad_fragment, 2);
    for (int i = 0; i < QUEUE; i++)
        CHECK(!b.queue[i].used);
}

TEST(sends_nothing_longer_than_the_mesh_carries)
{
    uint8_t large[QUEUE][IPV6_REASSEMBLED_MAX], payload[1300] = {0};
    const struct udp udp = {1, 2, payload, sizeof payload};
    begin();
    a.net.peer_count = 0;
    net_queue_init(&a.net, a.queue, QUEUE, large[0], sizeof large[0]);
    CHECK_INT(net_send(&a.net, &a.peer.address, &udp), MOTE_E_SPACE);
    for (int i = 0; i < QUEUE; i++)
        CHECK(!a.queue[i].used);
}

int main(void)
{
    stations_init();
    RUN(opens_only_esp_inside_ah);
    RUN(refuses_two_layers_when_one_was_agreed);
    RUN(reports_the_header_without_an_association);
    RUN(sends_four_errors_at_once_then_one_each_second);
    RUN(answers_no_multicast_with_an_error);
    RUN(sends_no_error_for_other_associations_if_it_has_one);
    RUN(opens_esp_that_its_source_or_nobody_fragmented);
    RUN(drops_fragments_that_overlap_or_lack_protection);
    RUN(sends_nothing_longer_than_the_mesh_carries);
    return harness_report();
}
