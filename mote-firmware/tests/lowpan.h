/* Fixtures of the 6LoWPAN tests: contexts, a receiver, and the round trip of a packet. */
#ifndef MOTE_TESTS_LOWPAN_H
#define MOTE_TESTS_LOWPAN_H

#include "harness.h"
#include "mote/ieee802154.h"
#include "mote/sixlowpan.h"

static const struct lowpan_context contexts[] = {
    {64, {0xfd}, true},
    {64, {0x20, 0x01, 0x0d, 0xb8}, true},
    {48, {0x20, 0x01, 0x0d, 0xb8, 0x00, 0x07}, true},
    {128, {0x20, 0x01, 0x0d, 0xb8, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, true},
    {61, {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0x28}, true},
    {64, {0x20, 0x01, 0x0d, 0xb9}, false},
    {84, {0x20, 0x01, 0x0d, 0xb8, 0, 10, 0, 0, 0x12, 0x34, 0x50}, true},
};
static const struct lowpan lowpan = {contexts, sizeof contexts / sizeof contexts[0],
                                     &lowpan_nhc_esp, &lowpan_nhc_ah};

static struct lowpan_slot slots[4];
static uint8_t datagrams[4][IPV6_MTU];
static uint8_t single[LOWPAN_SINGLE_MAX];
static struct lowpan_receiver receiver;

static inline void reset(void)
{
    lowpan_receiver_init(&receiver, slots, 4, datagrams[0], IPV6_MTU, single, sizeof single);
}

/* Compresses, fragments and reassembles a packet: it must be restored octet for octet. */
static inline size_t round_trip(const struct lowpan *with, const uint8_t *packet, size_t len,
                                const struct link_address *src, const struct link_address *dst,
                                bool ipsec, size_t room)
{
    struct lowpan_sender sender;
    struct lowpan_packet got = {0};
    uint8_t payload[FRAME_MAX];
    size_t frames = 0;
    int n;
    reset();
    CHECK_INT(lowpan_send_start(&sender, with, packet, len, src, dst, ipsec, room, 77), MOTE_OK);
    size_t expected = lowpan_send_frames(&sender);
    while ((n = lowpan_send_next(&sender, payload, room)) > 0) {
        CHECK(got.data == NULL);
        CHECK_INT(lowpan_receive(&receiver, with, payload, (size_t)n, src, dst, 0, &got), MOTE_OK);
        frames++;
    }
    CHECK_INT(n, 0);
    CHECK_INT(frames, expected);
    CHECK_OCTETS(got.data, got.len, packet, len);
    return frames;
}

#endif
