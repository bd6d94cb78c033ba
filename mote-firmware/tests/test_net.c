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

/* One frame from a to b, as on the air. */
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

TEST(drops_and_counts_insecure_forged_and_replayed_frames)
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

/* The context of a `save` that can fail. */
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
    psdu[n - 1] ^= 1; /* a forgery causes no write */
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

/* Sends a datagram from `from` to b over one hop. Returns b's result. */
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
    c.out = make_sa(1, 1); /* the other peer's key is refused */
    c.out.sent = 7;
    CHECK_INT(one_datagram(&c, &b, &datagram), MOTE_E_AUTH);
    CHECK_INT(b.net.counts.bad_ipsec, 1);
    c.net.peer_count = 0; /* the same without a peer */
    CHECK_INT(one_datagram(&c, &b, &datagram), MOTE_E_AUTH);
    CHECK_INT(b.net.counts.unprotected, 1);
}

/* The NHC_EH of ESP in a frame between stations, or NULL if ESP goes uncompressed. */
static const uint8_t *compressed_esp(const uint8_t *psdu, size_t len)
{
    struct frame frame;
    CHECK_INT(frame_parse(&frame, psdu, len), MOTE_OK);
    const uint8_t *headers = frame.payload;
    return headers[0] == 0x7e && headers[2] == 0xed ? headers + 2 : NULL; /* IPHC with NH = 1 */
}

/* Stations a and b, an association between them in each direction. */
static void protect_both(struct station *a, struct station *b)
{
    struct link_address at_a = node_link(2), at_b = node_link(3);
    set_up(a, 2, 0, false, 0);
    set_up(b, 3, 0, false, 0);
    a->out = b->in = make_sa(1, 1);
    a->in = b->out = make_sa(2, 2);
    a->peer = (struct net_peer){.address = ipv6_link_local(&at_b), .out = &a->out, .in = &a->in};
    b->peer = (struct net_peer){.address = ipv6_link_local(&at_a), .out = &b->out, .in = &b->in};
    a->net.peers = &a->peer;
    b->net.peers = &b->peer;
    a->net.peer_count = b->net.peer_count = 1;
    a->net.crypto = b->net.crypto = &crypto;
}

static size_t answer_of(struct station *b, uint8_t *psdu)
{
    const struct udp udp = {2, 1, (const uint8_t *)"hello", 5};
    CHECK_INT(net_send(&b->net, &b->peer.address, &udp), MOTE_OK);
    int n = net_next_frame(&b->net, 0, psdu, FRAME_MAX);
    net_transmitted(&b->net, 1, true, 0);
    CHECK(n > 0);
    return n > 0 ? (size_t)n : 0;
}

TEST(compresses_esp_towards_a_neighbour_that_has_compressed_it)
{
    static struct station a, b;
    struct net_datagram datagram;
    uint8_t psdu[FRAME_MAX];
    protect_both(&a, &b);
    a.net.ipsec_compressed = b.net.ipsec_compressed = false;
    size_t n = one_frame(&a, psdu);
    CHECK(compressed_esp(psdu, n) == NULL);
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_OK);
    n = answer_of(&b, psdu);
    CHECK(compressed_esp(psdu, n) == NULL); /* the uncompressed form shows no support */
    a.net.ipsec_compressed = true;
    n = one_frame(&a, psdu);
    CHECK(compressed_esp(psdu, n) != NULL);
    CHECK_INT(net_receive(&b.net, psdu, n, 0, &datagram), MOTE_OK);
    n = answer_of(&b, psdu);
    REQUIRE(compressed_esp(psdu, n) != NULL);
    CHECK_INT(net_receive(&a.net, psdu, n, 0, &datagram), MOTE_OK);
    CHECK_OCTETS(datagram.udp.payload, datagram.udp.payload_len, "hello", 5);
}

TEST(remembers_the_latest_neighbours_that_compress)
{
    static struct station b;
    struct net_datagram datagram;
    set_up(&b, 3, 0, false, 0);
    b.net.ipsec_compressed = false;
    for (uint8_t id = 10; id < 10 + NET_IPSEC_READERS + 1; id++) {
        struct link_address link = node_link(id);
        struct frame frame;
        uint8_t payload[64], psdu[FRAME_MAX];
        frame_data(&frame, PAN, &b.net.link, &link, id);
        frame.payload = payload;
        frame.payload_len = from_hex("7e33 ed e0 0005 a1a2a3a4", payload, sizeof payload);
        int n = frame_write(&frame, psdu, sizeof psdu);
        REQUIRE(n > 0);
        (void)net_receive(&b.net, psdu, (size_t)n, 0, &datagram); /* without an association */
    }
    CHECK_INT(b.net.counts.unrecognized, NET_IPSEC_READERS + 1);
    CHECK_INT(b.net.next_ipsec_reader, 1);
    struct link_address latest = node_link(10 + NET_IPSEC_READERS), oldest = node_link(10);
    CHECK(link_equal(&b.net.ipsec_readers[0], &latest));
    for (size_t i = 0; i < NET_IPSEC_READERS; i++)
        CHECK(!link_equal(&b.net.ipsec_readers[i], &oldest));
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
    RUN(drops_and_counts_insecure_forged_and_replayed_frames);
    RUN(drops_frames_whose_counter_could_not_be_saved);
    RUN(sends_nothing_under_a_counter_that_was_not_reserved);
    RUN(selects_associations_of_one_spi_by_address);
    RUN(compresses_esp_towards_a_neighbour_that_has_compressed_it);
    RUN(remembers_the_latest_neighbours_that_compress);
    RUN(level_4_must_be_allowed_and_advances_no_counter);
    return harness_report();
}
