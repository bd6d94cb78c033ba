/* The decisions of the Contiki-NG port (packets.c). tests/contiki.sh tests the rest with
 * Contiki-NG. */
#include "../ports/contiki-ng/packets.h"
#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "mote/ieee802154.h"
#include "support/fake.h"
#include "vectors.h"

static const struct lowpan_context context = {64, {0xfd}, true};
static const struct lowpan lowpan = {&context, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
static const struct ipv6_address MOTE = {{0xfd, [15] = 2}};
static const struct ipv6_address PEER = {{0xfd, [15] = 1}};
static const struct ipv6_address HOP = {{0xfd, [15] = 3}};

static struct ipsec_sa esp_sa = {.protocol = &ipsec_esp, .spi = 0x11000001};
static struct ipsec_sa ah_sa = {.protocol = &ipsec_ah, .spi = 0x11000001};

/* A policy of one peer for each of these; ESP inside AH. */
static const struct net_peer WITH_ESP = {{{0xfd, [15] = 1}}, &esp_sa, &esp_sa, NULL, NULL};
static const struct net_peer WITH_AH = {{{0xfd, [15] = 1}}, &ah_sa, &ah_sa, NULL, NULL};
static const struct net_peer WITH_BOTH = {{{0xfd, [15] = 1}}, &esp_sa, &esp_sa, &ah_sa, &ah_sa};
static const struct net_peer SENDING = {{{0xfd, [15] = 1}}, &esp_sa, NULL, NULL, NULL};

/* Hop-by-hop with RPL's option; a source route with `left` segments; destination options. */
enum headers { NONE = 0, HOP_BY_HOP = 1, ROUTE = 2, OPTIONS = 4, ALL = 7 };

struct built {
    uint8_t octets[256];
    size_t len;
};

static struct built build(unsigned headers, uint8_t left, uint8_t protocol, const uint8_t *body,
                          size_t body_len, const struct ipv6_address *src,
                          const struct ipv6_address *dst)
{
    static const uint8_t rpl[] = {0x63, 4, 0, 0, 1, 0};
    static const uint8_t chain[] = {NEXT_HOP_BY_HOP, NEXT_ROUTING, NEXT_DESTINATION};
    struct built packet;
    struct ipv6_header header = {.hop_limit = 64, .src = *src, .dst = *dst};
    struct writer w;
    uint8_t next[4];
    size_t count = 0;

    for (unsigned i = 0; i < 3; i++)
        if ((headers & 1U << i) != 0)
            next[count++] = chain[i];
    next[count] = protocol;
    header.next_header = next[0];
    header.payload_len =
        (uint16_t)(body_len + ((headers & HOP_BY_HOP) != 0 ? 8 : 0) +
                   ((headers & ROUTE) != 0 ? 16 : 0) + ((headers & OPTIONS) != 0 ? 8 : 0));
    writer_init(&w, packet.octets, sizeof packet.octets);
    ipv6_write(&header, &w);
    for (size_t i = 0; i < count; i++) {
        writer_u8(&w, next[i + 1]);
        if (next[i] == NEXT_ROUTING) { /* RFC 6554: one address, 8 octets of it inline */
            writer_u8(&w, 1);
            writer_u8(&w, 3);
            writer_u8(&w, left);
            writer_u32(&w, 0x88000000);
            writer_bytes(&w, PEER.octets + 8, 8);
        } else {
            static const uint8_t padding[] = {1, 4, 0, 0, 0, 0};
            writer_u8(&w, 0);
            writer_bytes(&w, next[i] == NEXT_HOP_BY_HOP ? rpl : padding, 6);
        }
    }
    writer_bytes(&w, body, body_len);
    packet.len = writer_len(&w);
    return packet;
}

static const uint8_t ESP_BODY[40] = {0x11, 0, 0, 1, 0, 0, 0, 9};
static const uint8_t AH_BODY[40] = {NEXT_UDP, 4, 0, 0, 0x11, 0, 0, 1, 0, 0, 0, 9};

static struct built protected_packet(unsigned headers, uint8_t left, uint8_t protocol)
{
    return build(headers, left, protocol, protocol == NEXT_AH ? AH_BODY : ESP_BODY, 40, &PEER,
                 &MOTE);
}

static struct built udp_packet(unsigned headers, const struct ipv6_address *src,
                               const struct ipv6_address *dst)
{
    static const uint8_t echo[] = {0, 7, 0, 7, 0, 12, 0, 0, 'e', 'c', 'h', 'o'};

    return build(headers, 0, NEXT_UDP, echo, sizeof echo, src, dst);
}

/* ---- transit ---- */

TEST(masks_esp_and_ah_in_transit_and_restores_them_exactly)
{
    for (unsigned headers = 0; headers <= ALL; headers++)
        for (int i = 0; i < 2; i++) {
            uint8_t protocol = i == 0 ? NEXT_ESP : NEXT_AH;
            struct built packet = protected_packet(headers, 1, protocol);
            const struct built before = packet;
            struct ipv6_upper upper;

            CHECK_INT(packet_mask(packet.octets, packet.len), protocol);
            CHECK_INT(ipv6_find_upper(&upper, packet.octets, packet.len), MOTE_OK);
            CHECK_INT(upper.protocol, NEXT_UDP);
            packet_unmask(packet.octets, packet.len, protocol);
            CHECK_OCTETS(packet.octets, packet.len, before.octets, before.len);
        }
}

TEST(changes_no_other_packet_in_transit)
{
    struct built packet = udp_packet(ALL, &PEER, &MOTE);
    const struct built before = packet;

    CHECK_INT(packet_mask(packet.octets, packet.len), 0);
    CHECK_OCTETS(packet.octets, packet.len, before.octets, before.len);
    packet = build(HOP_BY_HOP, 0, NEXT_ICMPV6, ESP_BODY, 40, &PEER, &MOTE);
    packet_unmask(packet.octets, packet.len,
                  NEXT_ESP); /* no longer names UDP, so it was not masked */
    CHECK(!packet_is_protected(packet.octets, packet.len));
    for (size_t len = 0; len < before.len; len++) { /* cut short anywhere */
        packet = protected_packet(ALL, 1, NEXT_ESP);
        uint8_t masked = packet_mask(packet.octets, len);
        CHECK_INT(masked, len >= 40 + 8 + 16 + 8 ? NEXT_ESP : 0);
    }
}

/* ---- policy ---- */

/* The decision under the policy for one peer (NULL: none). The peer is set for a packet to be
 * opened or protected. */
static enum packet_fate arriving(const struct net_peer *expected, const struct built *packet,
                                 bool own)
{
    const struct packet_policy policy = {expected, expected == NULL ? 0 : 1};
    const struct net_peer *peer;
    enum packet_fate fate = packet_arriving(&policy, packet->octets, packet->len, own, &peer);

    CHECK(fate != PACKET_OPEN || peer == expected);
    return fate;
}

static enum packet_fate leaving(const struct net_peer *expected, const struct built *packet,
                                bool own)
{
    const struct packet_policy policy = {expected, expected == NULL ? 0 : 1};
    const struct net_peer *peer;
    enum packet_fate fate = packet_leaving(&policy, packet->octets, packet->len, own, &peer);

    CHECK(fate != PACKET_PROTECT || peer == expected);
    return fate;
}

TEST(opens_protected_packets_and_masks_those_in_transit)
{
    struct built packet = protected_packet(HOP_BY_HOP, 0, NEXT_ESP);

    CHECK_INT(arriving(&WITH_ESP, &packet, true), PACKET_OPEN);
    CHECK_INT(arriving(&WITH_ESP, &packet, false), PACKET_MASK);
    CHECK_INT(arriving(NULL, &packet, true), PACKET_PASS);
    packet = protected_packet(ROUTE, 0, NEXT_ESP);
    CHECK_INT(arriving(&WITH_ESP, &packet, true), PACKET_OPEN);
    packet = protected_packet(ROUTE, 1, NEXT_ESP); /* our address, but only as a hop */
    CHECK_INT(arriving(&WITH_ESP, &packet, true), PACKET_MASK);
}

TEST(opens_esp_inside_ah_only_where_both_were_agreed)
{
    struct built esp = protected_packet(OPTIONS, 0, NEXT_ESP);
    struct built ah = protected_packet(OPTIONS, 0, NEXT_AH);

    CHECK_INT(arriving(&WITH_BOTH, &ah, true), PACKET_OPEN);
    CHECK_INT(arriving(&WITH_BOTH, &esp, true), PACKET_DROP);
    CHECK_INT(arriving(&WITH_ESP, &ah, true), PACKET_DROP);
    CHECK(packet_is_under(&ah_sa, ah.octets, ah.len) &&
          packet_is_under(&esp_sa, esp.octets, esp.len));
    CHECK(!packet_is_under(&esp_sa, ah.octets, ah.len) &&
          !packet_is_under(&ah_sa, esp.octets, esp.len));
    CHECK(!packet_is_under(&ah_sa, ah.octets, 41));
}

TEST(drops_packets_not_protected_as_agreed)
{
    struct built esp = protected_packet(NONE, 0, NEXT_ESP);
    struct built clear = udp_packet(ROUTE, &PEER, &MOTE);
    struct built other = build(NONE, 0, NEXT_ESP, ESP_BODY, 40, &HOP, &MOTE);

    CHECK_INT(arriving(&WITH_ESP, &clear, true), PACKET_DROP);
    CHECK_INT(arriving(&WITH_BOTH, &clear, true), PACKET_DROP);
    CHECK_INT(arriving(&WITH_ESP, &clear, false), PACKET_PASS);
    CHECK_INT(arriving(&SENDING, &clear, true), PACKET_PASS);
    CHECK_INT(arriving(&SENDING, &esp, true), PACKET_DROP);
    CHECK_INT(arriving(&WITH_AH, &esp, true), PACKET_DROP);
    CHECK_INT(arriving(&WITH_ESP, &other, true), PACKET_DROP);
    esp.octets[43] ^= 1; /* another SPI */
    CHECK_INT(arriving(&WITH_ESP, &esp, true), PACKET_DROP);
    clear = udp_packet(NONE, &HOP, &MOTE); /* not the peer: nothing is agreed with it */
    CHECK_INT(arriving(&WITH_ESP, &clear, true), PACKET_PASS);
    clear = build(NONE, 0, NEXT_ICMPV6, ESP_BODY, 40, &PEER, &MOTE);
    CHECK_INT(arriving(&WITH_ESP, &clear, true), PACKET_PASS);
}

TEST(protects_its_own_udp_to_the_peer_and_nothing_else)
{
    static const struct net_peer receiving = {{{0xfd, [15] = 1}}, NULL, &esp_sa, NULL, NULL};
    struct built packet = udp_packet(HOP_BY_HOP, &MOTE, &PEER);

    CHECK_INT(leaving(&WITH_ESP, &packet, true), PACKET_PROTECT);
    CHECK_INT(leaving(&WITH_ESP, &packet, false), PACKET_PASS);
    CHECK_INT(leaving(&receiving, &packet, true), PACKET_PASS);
    CHECK_INT(leaving(NULL, &packet, true), PACKET_PASS);
    packet = udp_packet(HOP_BY_HOP, &MOTE, &HOP);
    CHECK_INT(leaving(&WITH_ESP, &packet, true), PACKET_PASS);
    packet = build(HOP_BY_HOP, 0, NEXT_ICMPV6, ESP_BODY, 40, &MOTE, &PEER);
    CHECK_INT(leaving(&WITH_ESP, &packet, true), PACKET_PASS);
}

TEST(distinguishes_its_peers)
{
    const struct net_peer peers[] = {{HOP, &ah_sa, &ah_sa, NULL, NULL}, WITH_ESP};
    const struct packet_policy policy = {peers, 2};
    const struct built packet = protected_packet(NONE, 0, NEXT_ESP);
    const struct net_peer *peer;

    CHECK_INT(packet_arriving(&policy, packet.octets, packet.len, true, &peer), PACKET_OPEN);
    CHECK(peer == &peers[1]);
}

/* ---- 6LoWPAN ---- */

static struct lowpan_slot slots[2];
static uint8_t octets[2][IPV6_MTU];
static uint8_t single[LOWPAN_SINGLE_MAX];
static struct lowpan_receiver receiver;

static void reset(void)
{
    memset(slots, 0, sizeof slots);
    lowpan_receiver_init(&receiver, slots, 2, octets[0], IPV6_MTU, single, sizeof single);
}

static struct link_address link_of(uint8_t id)
{
    const uint8_t eui[EUI64_SIZE] = {0, id, 0, id, 0, id, 0, id};

    return link_extended(eui);
}

/* Checks the owner of every frame of the packet and passes it to the receiver. */
static void check_owner(const struct built *packet, bool ipsec, size_t room,
                        enum payload_owner owner)
{
    const struct link_address src = link_of(1);
    const struct link_address dst = link_of(2);
    struct lowpan_sender sender;
    struct lowpan_packet got;
    uint8_t payload[FRAME_MAX];
    int n;

    reset();
    REQUIRE(lowpan_send_start(&sender, &lowpan, packet->octets, packet->len, &src, &dst, ipsec,
                              room, 9) == MOTE_OK);
    while ((n = lowpan_send_next(&sender, payload, room)) > 0) {
        CHECK_INT(payload_peek(&receiver, payload, (size_t)n, &src), owner);
        /* Our receiver does not get a frame of Contiki-NG, so the following fragments are not ours
         * either. */
        if (owner == PAYLOAD_CORE)
            CHECK_INT(lowpan_receive(&receiver, &lowpan, payload, (size_t)n, &src, &dst, 0, &got),
                      MOTE_OK);
    }
    CHECK_INT(n, 0);
}

TEST(takes_frames_with_compressed_esp_or_ah_and_their_fragments)
{
    for (unsigned headers = 0; headers <= ALL; headers++)
        for (int i = 0; i < 2; i++) {
            const struct built packet = protected_packet(headers, 1, i == 0 ? NEXT_ESP : NEXT_AH);

            check_owner(&packet, true, 104, PAYLOAD_CORE);
            check_owner(&packet, true, 88, PAYLOAD_CORE);
            check_owner(&packet, false, 104, PAYLOAD_CONTIKI);
            check_owner(&packet, false, 80, PAYLOAD_CONTIKI);
        }
}

TEST(ignores_following_fragments_of_another_sender_size_or_tag)
{
    struct built packet = protected_packet(ALL, 1, NEXT_ESP);
    const struct link_address src = link_of(1);
    const struct link_address stranger = link_of(3);
    const uint8_t size = (uint8_t)packet.len;
    const uint8_t following[] = {0xe0, size, 0, 9, 10, 1, 2, 3};
    const uint8_t other_tag[] = {0xe0, size, 0, 8, 10, 1, 2, 3};
    const uint8_t other_size[] = {0xe0, (uint8_t)(size + 8), 0, 9, 10, 1, 2, 3};

    reset();
    slots[1] = (struct lowpan_slot){.used = true, .src = src, .tag = 9, .size = size};
    CHECK_INT(payload_peek(&receiver, following, sizeof following, &src), PAYLOAD_CORE);
    CHECK_INT(payload_peek(&receiver, following, sizeof following, &stranger), PAYLOAD_CONTIKI);
    CHECK_INT(payload_peek(&receiver, other_tag, sizeof other_tag, &src), PAYLOAD_CONTIKI);
    CHECK_INT(payload_peek(&receiver, other_size, sizeof other_size, &src), PAYLOAD_CONTIKI);
    CHECK_INT(payload_peek(&receiver, following, 3, &src), PAYLOAD_CONTIKI);
    CHECK_INT(payload_peek(&receiver, following, 0, &src), PAYLOAD_CONTIKI);
}

TEST(leaves_every_recorded_frame_of_contiki_to_contiki)
{
    static const char *const names[] = {"air", "coap",      "echo",  "forming",
                                        "udp", "native-br", "rejoin"};
    int seen = 0;

    reset();
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        FILE *file = vector_open("contiki-ng", names[i]);
        struct vector_line line = {0};

        while (vector_next(file, &line)) {
            struct frame frame;
            size_t len;
            uint8_t *psdu = vector_psdu(&line, &len);

            if (psdu == NULL || frame_parse(&frame, psdu, len) != MOTE_OK ||
                frame.type != FRAME_DATA || frame.secured)
                continue;
            CHECK_INT(payload_peek(&receiver, frame.payload, frame.payload_len, &frame.src),
                      PAYLOAD_CONTIKI);
            seen++;
        }
        fclose(file);
    }
    CHECK(seen > 300);
}

int main(void)
{
    RUN(masks_esp_and_ah_in_transit_and_restores_them_exactly);
    RUN(changes_no_other_packet_in_transit);
    RUN(opens_protected_packets_and_masks_those_in_transit);
    RUN(opens_esp_inside_ah_only_where_both_were_agreed);
    RUN(drops_packets_not_protected_as_agreed);
    RUN(protects_its_own_udp_to_the_peer_and_nothing_else);
    RUN(distinguishes_its_peers);
    RUN(takes_frames_with_compressed_esp_or_ah_and_their_fragments);
    RUN(ignores_following_fragments_of_another_sender_size_or_tag);
    RUN(leaves_every_recorded_frame_of_contiki_to_contiki);
    return harness_report();
}
