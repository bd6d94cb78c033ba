/*
 * The input is a sequence of packets received a second apart: one octet of length, then that many
 * octets, whose checksum is corrected. Everything that the node sends must be a valid packet, and
 * forwarding keeps the length.
 */
#include "mote/rpl.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int half(void *context, uint8_t *out, size_t len)
{
    (void)context;
    memset(out, 0x55, len);
    return 0;
}

static void right_checksum(uint8_t *packet, size_t len)
{
    struct ipv6_upper upper;
    if (ipv6_find_upper(&upper, packet, len) != MOTE_OK || upper.protocol != NEXT_ICMPV6 ||
        upper.len < ICMPV6_HEADER_SIZE)
        return;
    packet[upper.at + 2] = packet[upper.at + 3] = 0;
    struct piece whole = {packet + upper.at, upper.len};
    uint16_t checksum = ipv6_checksum(&upper.src, &upper.dst, NEXT_ICMPV6, &whole, 1);
    packet[upper.at + 2] = (uint8_t)(checksum >> 8);
    packet[upper.at + 3] = (uint8_t)checksum;
}

static void drain(struct rpl_node *node, uint32_t now)
{
    struct link_address to;
    struct ipv6_header header;
    uint8_t out[RPL_MESSAGE_MAX];
    int len;
    for (int guard = 0; (len = rpl_next_message(node, now, out, sizeof out, &to)) != 0; guard++) {
        if (len < 0 || ipv6_parse(&header, out, (size_t)len) != MOTE_OK || guard > 100)
            abort();
        rpl_transmitted(node, &to, 1, (now & 1024) != 0, now);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct random random = {half, NULL};
    const uint8_t eui[8] = {0, 2, 0, 2, 0, 2, 0, 2};
    struct link_address link = link_extended(eui);
    struct rpl_node node = {0};
    struct reader r;
    rpl_start(&node, &link, &random, 0);
    reader_init(&r, data, size);
    for (uint32_t now = 0; r.left > 0; now += 1000) {
        size_t len = reader_u8(&r);
        len = len < r.left ? len : r.left;
        uint8_t *packet = malloc(len > 0 ? len : 1);
        uint8_t sender[8] = {0, (uint8_t)len, 0, 1};
        struct link_address from = link_extended(sender), to;
        struct ipv6_header header;
        reader_copy(&r, packet, len);
        right_checksum(packet, len);
        drain(&node, now);
        int verdict = rpl_route(&node, packet, len, &to, now);
        if (verdict == RPL_DELIVER)
            rpl_receive(&node, packet, len, &from, now);
        else if (verdict == RPL_FORWARD && ipv6_parse(&header, packet, len) != MOTE_OK)
            abort();
        drain(&node, now + 500);
        free(packet);
    }
    return 0;
}
