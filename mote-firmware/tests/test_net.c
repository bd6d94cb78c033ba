/* Two or three network stacks one hop apart. */
#include "support/rpl.h"
#include "support/station.h"

TEST(sends_one_hop_without_rpl)
{
    static struct station a, b;
    struct link_address link = node_link(3);
    struct ipv6_address dst = ipv6_link_local(&link);
    uint8_t payload[300], psdu[FRAME_MAX];
    struct udp udp = {1, 2, payload, sizeof payload};
    struct net_datagram datagram = {0};
    int n;
    set_up(&a, 2, 0, false, 0);
    set_up(&b, 3, 0, false, 0);
    dice_fill(&dice, payload, sizeof payload);
    CHECK(net_ready(&a.net));
    REQUIRE(net_send(&a.net, &dst, &udp) == MOTE_OK);
    while ((n = net_next_frame(&a.net, 0, psdu, sizeof psdu)) > 0) {
        CHECK(datagram.udp.payload == NULL);
        CHECK_INT(net_receive(&b.net, psdu, (size_t)n, 0, &datagram), MOTE_OK);
        struct net_datagram again; /* the acknowledgement was lost */
        if (datagram.udp.payload == NULL)
            CHECK_INT(net_receive(&b.net, psdu, (size_t)n, 1, &again), MOTE_E_REPLAY);
        net_transmitted(&a.net, 1, true, 0);
    }
    CHECK_OCTETS(datagram.udp.payload, datagram.udp.payload_len, payload, sizeof payload);
    CHECK(datagram.src.octets[0] == 0xfe);
    dst = node_address(3);
    CHECK_INT(net_send(&a.net, &dst, &udp), MOTE_E_STATE);
}

/* One frame of a to b as it is on the air. */
static size_t one_frame(struct station *a, uint8_t *psdu)
{
    struct link_address link = node_link(3);
    struct ipv6_address dst = ipv6_link_local(&link);
    struct udp udp = {1, 2, (const uint8_t *)"hello", 5};
    CHECK_INT(net_send(&a->net, &dst, &udp), MOTE_OK);
    int n = net_next_frame(&a->net, 0, psdu, FRAME_MAX);
    net_transmitted(&a->net, 1, true, 0);
    CHECK(n > 0);
    return n > 0 ? (size_t)n : 0;
}

TEST(drops_and_counts_what_is_insecure_forged_or_replayed)
{
    static struct station a, b, open;
    uint8_t psdu[FRAME_MAX];
    struct net_datagram datagram;
    set_up(&a, 2, 5, false, 0);
    set_up(&b, 3, 5, false, 0);
    set_up(&open, 4, 0, false, 0);
    size_t n = one_frame(&a, psdu);
    psdu[n - 6] ^= 1;
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_E_AUTH);
    CHECK_INT(b.net.counts.bad_mic, 1);
    psdu[n - 6] ^= 1;
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_OK);
    CHECK_OCTETS(datagram.udp.payload, datagram.udp.payload_len, "hello", 5);
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_E_REPLAY);
    n = one_frame(&open, psdu);
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_E_AUTH);
    CHECK_INT(b.net.counts.insecure, 1);
    psdu[3] ^= 1; /* another PAN */
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_E_UNSUPPORTED);
    CHECK_INT(b.net.counts.not_ours, 1);
}

/* A `save` that can fail. */
struct memory {
    bool broken;
    unsigned saves;
    uint32_t counter;
    uint8_t eui[EUI64_SIZE];
};

static int save(void *context, const uint8_t eui[EUI64_SIZE], uint32_t counter)
{
    struct memory *memory = context;
    if (memory->broken)
        return MOTE_E_IO;
    memory->saves++;
    memory->counter = counter;
    memcpy(memory->eui, eui, EUI64_SIZE);
    return MOTE_OK;
}

TEST(drops_frames_whose_counter_could_not_be_saved)
{
    static struct station a, b;
    struct memory memory = {.broken = false};
    struct link_address own = node_link(2);
    struct net_datagram datagram;
    uint8_t psdu[FRAME_MAX];
    set_up(&a, 2, 5, false, 0);
    set_up(&b, 3, 5, false, 0);
    a.net.security.counter = 700;
    b.net.security.save = save;
    b.net.security.save_context = &memory;
    CHECK_INT(net_receive(&b.net, psdu, one_frame(&a, psdu), 0, &datagram), MOTE_OK);
    CHECK(datagram.udp.payload != NULL);
    CHECK_INT(memory.counter, 700);
    CHECK_OCTETS(memory.eui, EUI64_SIZE, own.octets, EUI64_SIZE);
    size_t n = one_frame(&a, psdu);
    psdu[n - 1] ^= 1; /* a forgery is not worth a write */
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_E_AUTH);
    CHECK_INT(memory.saves, 1);
    memory.broken = true;
    psdu[n - 1] ^= 1;
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_E_IO);
    CHECK(datagram.udp.payload == NULL);
    CHECK_INT(b.net.counts.received, 1);
    memory.broken = false;
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_E_REPLAY);
}

TEST(sends_nothing_under_a_counter_that_was_not_reserved)
{
    static struct station a;
    struct link_address link = node_link(3);
    struct ipv6_address dst = ipv6_link_local(&link);
    struct udp udp = {1, 2, (const uint8_t *)"hello", 5};
    uint8_t psdu[FRAME_MAX];
    set_up(&a, 2, 5, false, 0);
    a.net.security.reserved = 1;
    one_frame(&a, psdu);
    CHECK_INT(net_send(&a.net, &dst, &udp), MOTE_OK);
    CHECK_INT(net_next_frame(&a.net, 0, psdu, sizeof psdu), MOTE_E_STATE);
    CHECK_INT(net_next_frame(&a.net, 0, psdu, sizeof psdu), 0);
}

/* The result of b for a datagram that `from` sends it over one hop. */
static int one_datagram(struct station *from, struct station *b, struct net_datagram *datagram)
{
    uint8_t psdu[FRAME_MAX];
    size_t n = one_frame(from, psdu);
    return net_receive(&b->net, psdu, n, 0, datagram);
}

TEST(selects_associations_of_one_spi_by_address)
{
    static struct station a, b, c;
    struct link_address links[3] = {node_link(2), node_link(3), node_link(4)};
    struct ipv6_address at[3];
    struct net_datagram datagram;
    struct net_peer peers[2];
    for (int i = 0; i < 3; i++)
        at[i] = ipv6_link_local(&links[i]);
    set_up(&a, 2, 0, false, 0);
    set_up(&b, 3, 0, false, 0);
    set_up(&c, 4, 0, false, 0);
    struct ipsec_sa from_a = make_sa(1, 1), from_c = make_sa(1, 2), unused = make_sa(1, 3);
    a.out = from_a;
    c.out = from_c;
    a.peer = (struct net_peer){.address = at[1], .out = &a.out};
    c.peer = (struct net_peer){.address = at[1], .out = &c.out};
    a.net.peers = &a.peer;
    c.net.peers = &c.peer;
    a.net.peer_count = c.net.peer_count = 1;
    peers[0] = (struct net_peer){.address = at[0], .out = &unused, .in = &from_a};
    peers[1] = (struct net_peer){.address = at[2], .out = &unused, .in = &from_c};
    b.net.peers = peers;
    b.net.peer_count = 2;
    a.net.crypto = b.net.crypto = c.net.crypto = &crypto;
    CHECK_INT(one_datagram(&a, &b, &datagram), MOTE_OK);
    CHECK(datagram.udp.payload != NULL && ipv6_equal(&datagram.src, &at[0]));
    CHECK_INT(one_datagram(&c, &b, &datagram), MOTE_OK);
    CHECK(datagram.udp.payload != NULL && ipv6_equal(&datagram.src, &at[2]));
    CHECK_INT(from_a.packets, 1);
    CHECK_INT(from_c.packets, 1);
    c.out = make_sa(1, 1); /* the other one's key helps nobody */
    c.out.sent = 7;
    CHECK_INT(one_datagram(&c, &b, &datagram), MOTE_E_AUTH);
    CHECK_INT(b.net.counts.bad_ipsec, 1);
    c.net.peer_count = 0; /* nor does none */
    CHECK_INT(one_datagram(&c, &b, &datagram), MOTE_E_AUTH);
    CHECK_INT(b.net.counts.unprotected, 1);
}

/* A frame of ESP whose plaintext begins with a compressed UDP header (NHC_ESP with NH = 1). */
static size_t frame_with_nhc_inside(struct ipsec_sa *out, uint8_t *psdu)
{
    static uint8_t seq; /* no two alike, or they count as repetitions */
    const struct lowpan lowpan = {&mesh_context, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
    struct link_address from = node_link(2), to = node_link(3);
    struct ipv6_address src = ipv6_link_local(&from), dst = ipv6_link_local(&to);
    struct udp udp = {0xf0b1, 0xf0b2, (const uint8_t *)"hello", 5};
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU], payload[FRAME_MAX];
    struct frame frame;
    size_t covered;
    int n = ipv6_udp_packet(&udp, &src, &dst, packet, sizeof packet);
    /* 11110 C=0 P=11, the two ports, the checksum, the data */
    uint8_t checksum[2] = {packet[46], packet[47]};
    packet[40] = 0xf3;
    packet[41] = 0x12;
    memcpy(packet + 42, checksum, 2);
    memmove(packet + 44, packet + 48, 5);
    n -= 4;
    packet[5] = (uint8_t)(n - 40);
    n = ipsec_seal(out, &crypto, packet, (size_t)n, sealed, sizeof sealed);
    CHECK(n > 0);
    int headers = lowpan_compress(&lowpan, sealed, (size_t)n, &from, &to, true, payload,
                                  sizeof payload, &covered);
    CHECK(headers > 3);
    payload[headers - 3] |= 1; /* NHC_ESP: NH; behind it the two octets of the number */
    memcpy(payload + headers, sealed + covered, (size_t)n - covered);
    frame_data(&frame, PAN, &to, &from, (uint8_t)(seq++));
    frame.payload = payload;
    frame.payload_len = (size_t)headers + (size_t)n - covered;
    n = frame_write(&frame, psdu, FRAME_MAX);
    CHECK(n > 0);
    return n > 0 ? (size_t)n : 0;
}

TEST(restores_udp_inside_esp_only_at_the_end_of_its_association)
{
    static struct station b;
    struct link_address from = node_link(2);
    struct ipsec_sa out = make_sa(1, 1), in = make_sa(1, 1), back = make_sa(2, 2);
    struct net_peer peer = {.address = ipv6_link_local(&from), .out = &back, .in = &in};
    struct net_datagram datagram;
    uint8_t psdu[FRAME_MAX];
    set_up(&b, 3, 0, false, 0);
    b.net.crypto = &crypto;
    b.net.peers = &peer;
    b.net.peer_count = 1;
    in.udp_nhc = true;
    size_t n = frame_with_nhc_inside(&out, psdu);
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_OK);
    CHECK_OCTETS(datagram.udp.payload, datagram.udp.payload_len, "hello", 5);
    CHECK_INT(datagram.udp.src_port, 0xf0b1);
    CHECK_INT(datagram.udp.dst_port, 0xf0b2);
    in.udp_nhc = false;
    n = frame_with_nhc_inside(&out, psdu);
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_E_MALFORMED);
    CHECK_INT(b.net.counts.bad_ipsec, 1);
    b.net.peer_count = 0; /* it ends elsewhere */
    n = frame_with_nhc_inside(&out, psdu);
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_E_STATE);
    CHECK_INT(b.net.counts.bad_ipsec, 2);
    CHECK_INT(b.net.counts.delivered, 1);
}

TEST(level_4_must_be_allowed_and_advances_no_counter)
{
    static struct station a, b;
    struct net_datagram datagram;
    uint8_t psdu[FRAME_MAX];
    set_up(&a, 2, 5, false, 0);
    set_up(&b, 3, 5, false, 0);
    a.net.security.level = b.net.security.level = 4;
    CHECK_INT(net_start(&a.net, &chance, 0), MOTE_E_UNSUPPORTED);
    a.net.security.allow_level_4 = b.net.security.allow_level_4 = true;
    CHECK_INT(net_start(&a.net, &chance, 0), MOTE_OK);
    CHECK_INT(net_start(&b.net, &chance, 0), MOTE_OK);
    size_t n = one_frame(&a, psdu);
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_OK);
    CHECK_OCTETS(datagram.udp.payload, datagram.udp.payload_len, "hello", 5);
    for (int i = 0; i <= LAST; i++)
        CHECK(!b.heard[i].used);
}

int main(void)
{
    stations_init();
    RUN(sends_one_hop_without_rpl);
    RUN(drops_and_counts_what_is_insecure_forged_or_replayed);
    RUN(drops_frames_whose_counter_could_not_be_saved);
    RUN(sends_nothing_under_a_counter_that_was_not_reserved);
    RUN(selects_associations_of_one_spi_by_address);
    RUN(restores_udp_inside_esp_only_at_the_end_of_its_association);
    RUN(level_4_must_be_allowed_and_advances_no_counter);
    return harness_report();
}
