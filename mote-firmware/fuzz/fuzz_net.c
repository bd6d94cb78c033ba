/*
 * The input is a sequence of frames received half a second apart: one octet of length, then that
 * many octets after a header for the mote. The mote is in an RPL network and sends its own packets.
 * No queue entry may get lost.
 */
#include "mote/net.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { QUEUE = 4 };

static int half(void *context, uint8_t *out, size_t len)
{
    (void)context;
    memset(out, 0x55, len);
    return 0;
}

static void drain(struct net *net, uint32_t now)
{
    uint8_t psdu[FRAME_MAX];
    struct frame frame;
    int n;
    for (int guard = 0; (n = net_next_frame(net, now, psdu, sizeof psdu)) != 0; guard++) {
        if (guard > 1000 || (n > 0 && frame_parse(&frame, psdu, (size_t)n) != MOTE_OK))
            abort();
        net_transmitted(net, 1, (now & 4096) == 0, now);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct random random = {half, NULL};
    static const struct lowpan_context context = {64, {0xfd}, true};
    static struct net_packet queue[QUEUE];
    static struct lowpan_slot slots[2];
    static uint8_t packets[QUEUE][IPV6_MTU], datagrams[2][IPV6_MTU], single[LOWPAN_SINGLE_MAX];
    const uint8_t eui[2][8] = {{0, 2, 0, 2, 0, 2, 0, 2}, {0, 1, 0, 1, 0, 1, 0, 1}};
    struct net net = {.pan = 0xabcd, .routed = true};
    struct link_address own = link_extended(eui[0]), from = link_extended(eui[1]);
    struct link_address everybody = link_short(0xffff);
    struct reader r;
    memcpy(net.eui, eui[0], 8);
    net.lowpan = (struct lowpan){&context, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
    lowpan_receiver_init(&net.receiver, slots, 2, datagrams[0], IPV6_MTU, single, sizeof single);
    net_queue_init(&net, queue, QUEUE, packets[0], IPV6_MTU);
    net_start(&net, &random, 0);
    reader_init(&r, data, size);
    for (uint32_t now = 0; r.left > 0; now += 500) {
        uint8_t head = reader_u8(&r);
        uint8_t psdu[FRAME_MAX];
        struct frame frame;
        struct net_datagram datagram;
        frame_data(&frame, 0xabcd, (head & 0x80) != 0 ? &everybody : &own, &from,
                   (uint8_t)(now / 500));
        frame.payload_len = (head & 0x7fU) < r.left ? head & 0x7fU : r.left;
        frame.payload = reader_take(&r, frame.payload_len);
        int n = frame_write(&frame, psdu, sizeof psdu);
        if (n > 0)
            net_receive(&net, psdu, (size_t)n, now, &datagram);
        drain(&net, now);
    }
    for (int i = 0; i < QUEUE; i++)
        if (queue[i].used && net.delivered != i)
            abort();
    return 0;
}
