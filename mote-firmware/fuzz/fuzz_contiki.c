/* The first functions of the Contiki-NG port that read received octets: masking and policy for
 * packets, payload_peek for frame payloads. Masking must be reversible. */
#include "../ports/contiki-ng/packets.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PACKET_MAX = 1500 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct ipsec_sa sa = {.protocol = &ipsec_esp, .spi = 1};
    static struct ipsec_sa ah = {.protocol = &ipsec_ah, .spi = 1};
    static const struct net_peer peers[] = {{{{0xfd, [15] = 1}}, &sa, &sa, NULL, NULL},
                                            {{{0xfd, [15] = 2}}, &sa, &sa, &ah, &ah}};
    const struct packet_policy policy = {peers, 2};
    const struct net_peer *peer;
    const struct link_address src = link_short(1);
    struct lowpan_slot slot = {.used = true, .src = src, .tag = 9, .size = 200};
    const struct lowpan_receiver receiver = {.slots = &slot, .slot_count = 1};
    uint8_t packet[PACKET_MAX];
    uint8_t masked;

    if (size > sizeof packet)
        return 0;
    if (size > 0)
        memcpy(packet, data, size);
    (void)packet_leaving(&policy, packet, size, true, &peer);
    (void)packet_arriving(&policy, packet, size, true, &peer);
    (void)packet_arriving(&policy, packet, size, false, &peer);
    (void)payload_peek(&receiver, packet, size, &src);
    masked = packet_mask(packet, size);
    if (masked != 0)
        packet_unmask(packet, size, masked);
    if (size > 0 && memcmp(packet, data, size) != 0)
        abort();
    return 0;
}
