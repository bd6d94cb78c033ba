/*
 * The input is a sequence of frame payloads for one receiver: one octet of length and address
 * choice, then that many octets. Every resulting packet must be compressed and restored exactly.
 */
#include "mote/ieee802154.h"
#include "mote/sixlowpan.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct lowpan_context contexts[] = {
    {64, {0xfd}, true},
    {61, {0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0x28}, true},
};
static struct lowpan lowpan = {.contexts = contexts, .context_count = 2};
static struct lowpan_slot slots[2][2];
static uint8_t octets[2][2][IPV6_MTU], single[2][LOWPAN_SINGLE_MAX];
static struct lowpan_receiver there, back;

static void begin(struct lowpan_receiver *receiver, size_t i)
{
    lowpan_receiver_init(receiver, slots[i], 2, octets[i][0], IPV6_MTU, single[i],
                         sizeof single[i]);
}

static void send_back(const struct lowpan_packet *packet, bool ipsec)
{
    struct lowpan_sender sender;
    struct lowpan_packet got = {0};
    uint8_t payload[FRAME_MAX];
    begin(&back, 1);
    int error = lowpan_send_start(&sender, &lowpan, packet->data, packet->len, &packet->src,
                                  &packet->dst, ipsec, 96, 1);
    int len = error;
    while (!error && (len = lowpan_send_next(&sender, payload, sizeof payload)) > 0) {
        error = lowpan_receive(&back, &lowpan, payload, (size_t)len, &packet->src, &packet->dst, 0,
                               &got);
    }
    if (error || len != 0 || got.len != packet->len || memcmp(got.data, packet->data, got.len) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t eui[8] = {2, 0x12, 0x4b, 0, 0, 0, 0, 0x0a};
    struct reader r;
    reader_init(&r, data, size);
    lowpan_elide(&lowpan, 0, 0);
    begin(&there, 0);
    for (uint32_t now = 0; r.left > 0; now += 300) {
        uint8_t head = reader_u8(&r);
        struct link_address src = (head & 0x80) != 0 ? link_short(7) : link_extended(eui);
        struct link_address dst = link_short(0xffff);
        struct lowpan_packet packet;
        size_t len = head & 0x7f;
        len = len < r.left ? len : r.left;
        /* a separate copy, so that the sanitizer detects reads beyond it */
        uint8_t *payload = malloc(len > 0 ? len : 1);
        reader_copy(&r, payload, len);
        if (lowpan_receive(&there, &lowpan, payload, len, &src, &dst, now, &packet) == MOTE_OK &&
            packet.data != NULL)
            send_back(&packet, (head & 1) != 0);
        free(payload);
    }
    return 0;
}
