/* Fragments that are repeated, inconsistent, incomplete, or from too many senders. */
#include "harness.h"
#include "mote/ieee802154.h"
#include "mote/sixlowpan.h"

static const struct lowpan lowpan = {.context_count = 0};
static struct lowpan_slot slots[4];
static uint8_t datagrams[4][IPV6_MTU];
static uint8_t single[LOWPAN_SINGLE_MAX];
static struct lowpan_receiver receiver;

static void reset(void)
{
    lowpan_receiver_init(&receiver, slots, 4, datagrams[0], IPV6_MTU, single, sizeof single);
}

/* Two fragments of a 48-octet datagram, the first uncompressed. */
static int feed(unsigned offset, const uint8_t *packet, size_t from, size_t len, uint32_t now,
                uint16_t tag, struct lowpan_packet *got)
{
    struct link_address src = link_short(1), dst = link_short(2);
    uint8_t payload[FRAME_MAX];
    struct writer w;
    writer_init(&w, payload, sizeof payload);
    writer_u16(&w, (uint16_t)((offset == 0 ? 0xc000 : 0xe000) | 64));
    writer_u16(&w, tag);
    writer_u8(&w, (uint8_t)(offset == 0 ? 0x41 : offset / 8));
    writer_bytes(&w, packet + from, len);
    return lowpan_receive(&receiver, &lowpan, payload, w.len, &src, &dst, now, got);
}

static void small_packet(uint8_t packet[64])
{
    for (size_t i = 0; i < 64; i++)
        packet[i] = (uint8_t)i;
    packet[0] = 0x60;
    packet[4] = 0;
    packet[5] = 24;
    packet[6] = NEXT_NONE;
}

TEST(ignores_duplicates_but_drops_inconsistent_fragments)
{
    uint8_t packet[64], other[64];
    struct lowpan_packet got;
    small_packet(packet);
    small_packet(other);
    other[50] ^= 1;
    reset();
    CHECK_INT(feed(0, packet, 0, 40, 0, 1, &got), MOTE_OK);
    CHECK_INT(feed(40, packet, 40, 16, 0, 1, &got), MOTE_OK);
    CHECK_INT(feed(40, packet, 40, 16, 0, 1, &got), MOTE_OK); /* duplicate */
    CHECK_INT(feed(56, packet, 56, 8, 0, 1, &got), MOTE_OK);
    CHECK(got.data != NULL && got.len == 64);

    CHECK_INT(feed(0, packet, 0, 40, 0, 2, &got), MOTE_OK);
    CHECK_INT(feed(40, packet, 40, 16, 0, 2, &got), MOTE_OK);
    CHECK_INT(feed(40, other, 40, 16, 0, 2, &got), MOTE_E_MALFORMED); /* different content */
    CHECK_INT(feed(56, packet, 56, 8, 0, 2, &got), MOTE_OK);
    CHECK(got.data == NULL);

    reset();
    CHECK_INT(feed(40, packet, 40, 16, 0, 3, &got), MOTE_OK);
    CHECK_INT(feed(48, packet, 48, 16, 0, 3, &got), MOTE_E_MALFORMED); /* overlaps by 8 */
}

TEST(refuses_fragments_out_of_bounds)
{
    uint8_t packet[64];
    struct lowpan_packet got;
    small_packet(packet);
    reset();
    CHECK_INT(feed(56, packet, 40, 16, 0, 1, &got), MOTE_E_MALFORMED); /* ends after 64 */
    CHECK_INT(feed(40, packet, 40, 12, 0, 1, &got), MOTE_E_MALFORMED); /* not a unit of 8 */
    CHECK_INT(feed(40, packet, 40, 0, 0, 1, &got), MOTE_E_MALFORMED);
    CHECK_INT(feed(0, packet, 0, 44, 0, 1, &got), MOTE_E_MALFORMED);
    struct link_address src = link_short(1), dst = link_short(2);
    const uint8_t large[] = {0xe5, 0x01, 0, 1, 10, 1, 2, 3, 4, 5, 6, 7, 8}; /* 1281 octets */
    const uint8_t zero[] = {0xe0, 48, 0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8};     /* no first fragment */
    const uint8_t small[] = {0xe0, 0x27, 0, 1, 4, 1, 2, 3, 4, 5, 6, 7};     /* 39 octets */
    CHECK_INT(lowpan_receive(&receiver, &lowpan, large, sizeof large, &src, &dst, 0, &got),
              MOTE_E_SPACE);
    CHECK_INT(lowpan_receive(&receiver, &lowpan, small, sizeof small, &src, &dst, 0, &got),
              MOTE_E_MALFORMED);
    CHECK_INT(lowpan_receive(&receiver, &lowpan, zero, sizeof zero, &src, &dst, 0, &got),
              MOTE_E_MALFORMED);
    for (size_t i = 0; i < 4; i++)
        CHECK(!slots[i].used);
}

TEST(drops_an_incomplete_datagram_after_five_seconds)
{
    uint8_t packet[64];
    struct lowpan_packet got;
    const uint32_t starts[] = {0, 123456, UINT32_MAX - 100};
    small_packet(packet);
    for (size_t i = 0; i < 3; i++) {
        reset();
        CHECK_INT(feed(0, packet, 0, 40, starts[i], 1, &got), MOTE_OK);
        CHECK_INT(feed(40, packet, 40, 24, starts[i] + 4999, 1, &got), MOTE_OK);
        CHECK(got.data != NULL);
        CHECK_INT(feed(0, packet, 0, 40, starts[i], 2, &got), MOTE_OK);
        CHECK_INT(feed(40, packet, 40, 24, starts[i] + 5000, 2, &got), MOTE_OK);
        CHECK(got.data == NULL);
    }
}

TEST(a_neighbour_exhausts_only_its_own_slots)
{
    uint8_t packet[64];
    struct lowpan_packet got;
    struct link_address other = link_short(9), dst = link_short(2);
    const uint8_t begin[] = {0xe0, 64, 0, 7, 5, 1, 2, 3, 4, 5, 6, 7, 8};
    small_packet(packet);
    reset();
    for (uint16_t tag = 0; tag < 4; tag++)
        CHECK_INT(feed(0, packet, 0, 40, tag, tag, &got), MOTE_OK);
    CHECK_INT(lowpan_receive(&receiver, &lowpan, begin, sizeof begin, &other, &dst, 5, &got),
              MOTE_OK);                                     /* in place of tag 0 */
    CHECK_INT(feed(0, packet, 0, 40, 5, 4, &got), MOTE_OK); /* in place of its own tag 1 */
    CHECK_INT(feed(40, packet, 40, 24, 6, 3, &got), MOTE_OK);
    CHECK(got.data != NULL);
    for (uint16_t id = 10; id < 13; id++) { /* one slot each: none can be taken */
        struct link_address neighbour = link_short(id);
        CHECK_INT(
            lowpan_receive(&receiver, &lowpan, begin, sizeof begin, &neighbour, &dst, 7, &got),
            id < 12 ? MOTE_OK : MOTE_E_SPACE);
    }
}

int main(void)
{
    RUN(ignores_duplicates_but_drops_inconsistent_fragments);
    RUN(refuses_fragments_out_of_bounds);
    RUN(drops_an_incomplete_datagram_after_five_seconds);
    RUN(a_neighbour_exhausts_only_its_own_slots);
    return harness_report();
}
