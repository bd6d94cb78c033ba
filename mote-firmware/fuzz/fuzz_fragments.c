/*
 * Fragments of one packet in any order and shape: each octet triple is an offset, a length and
 * flags. Whatever arrives, a completed packet is whole, and valid fragments of a packet that
 * follow a full time-out always complete it.
 */
#include "mote/ipv6_fragments.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SLOTS = 2, CONTENT = 2 * 8 * 256 };

static const struct ipv6_address SOURCES[2] = {{{0xfd, [15] = 2}}, {{0xfd, [15] = 3}}};
static const struct ipv6_address MOTE = {{0xfd, [15] = 1}};

static int receive(struct ipv6_reassembler *reassembler, const uint8_t shape[4],
                   const uint8_t *content, uint8_t *packet, uint32_t now)
{
    size_t offset = shape[0] * 8U;
    size_t len = shape[1] + 8U * (shape[2] & 0x3f);
    struct ipv6_header header = {.payload_len = (uint16_t)(8 + len),
                                 .next_header = NEXT_FRAGMENT,
                                 .src = SOURCES[shape[2] >> 7],
                                 .dst = MOTE};
    struct writer w;
    writer_init(&w, packet, IPV6_REASSEMBLED_MAX);
    ipv6_write(&header, &w);
    writer_u8(&w, shape[3] & 0x20 ? NEXT_DESTINATION : NEXT_UDP);
    writer_u8(&w, 0);
    writer_u16(&w, (uint16_t)(offset | (shape[2] >> 6 & 1)));
    writer_u32(&w, shape[3] & 3);
    writer_bytes(&w, content + offset, len);
    size_t made = writer_len(&w);
    return ipv6_reassemble(reassembler, packet, made, IPV6_REASSEMBLED_MAX, now);
}

static void check(const struct ipv6_reassembler *reassembler)
{
    for (size_t i = 0; i < reassembler->slot_count; i++) {
        const struct ipv6_reassembly *slot = &reassembler->slots[i];
        size_t present = 0;
        for (size_t k = 0; k < sizeof slot->present * 8; k++)
            present += (unsigned)slot->present[k / 8] >> (k % 8) & 1U;
        if (slot->used && !slot->abandoned &&
            (slot->received > present * 8 || slot->received + 8U <= present * 8))
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ipv6_reassembly slots[SLOTS];
    struct ipv6_reassembler reassembler;
    uint8_t *memory = malloc(SLOTS * IPV6_REASSEMBLY_SIZE);
    uint8_t *packet = malloc(IPV6_REASSEMBLED_MAX);
    uint8_t content[CONTENT + 1024];
    uint32_t now = 0;
    for (size_t i = 0; i < sizeof content; i++)
        content[i] = (uint8_t)(i * 7 + i / 256);
    ipv6_reassembler_init(&reassembler, slots, SLOTS, memory);
    for (; size >= 4; data += 4, size -= 4) {
        now += data[3] >> 6 == 3 ? IPV6_REASSEMBLY_MS / 2 : 1;
        int n = receive(&reassembler, data, content, packet, now);
        struct ipv6_header header;
        if (n > 0 &&
            (n > IPV6_REASSEMBLED_MAX || ipv6_parse(&header, packet, (size_t)n) != MOTE_OK ||
             memcmp(packet + IPV6_HEADER_SIZE, content, (size_t)n - IPV6_HEADER_SIZE) != 0))
            abort();
        check(&reassembler);
    }
    now += IPV6_REASSEMBLY_MS;
    const uint8_t first[4] = {0, 0, 0x42, 0}, last[4] = {2, 5, 0, 0};
    int n = receive(&reassembler, first, content, packet, now);
    if (n != 0 || receive(&reassembler, last, content, packet, now) != IPV6_HEADER_SIZE + 16 + 5)
        abort();
    free(packet);
    free(memory);
    return 0;
}
