/* The parts of the Cortex-M port that run anywhere: its ESP, over restarts, and its link. */
#include "../ports/cortex-m/esp.h"
#include "../ports/cortex-m/nv.h"
#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "mote/ieee802154.h"

struct nv nv; /* on the board a separate memory region */

enum { STEP = 16 };

static struct bearssl_aes128 aes_state;
static struct aes128 aes;
static const struct ipsec_crypto crypto = {.aes = &aes};

/* Sets the manufacturer's content: keys and SPIs, no number used. */
static void make(void)
{
    memset(&nv, 0, sizeof nv);
    memset(&nv.esp[ESP_OUT], 0x40, sizeof nv.esp[ESP_OUT]);
    memset(&nv.esp[ESP_IN], 0x41, sizeof nv.esp[ESP_IN]);
    nv.esp[ESP_OUT].number = nv.esp[ESP_IN].number = 0;
    bearssl_aes128(&aes, &aes_state);
}

static const struct link_guard *boot(struct esp *esp)
{
    memset(esp, 0, sizeof *esp);
    esp_init(esp);
    return &esp->guard;
}

static size_t packet_write(uint8_t *packet, size_t size)
{
    struct link_address a = link_short(1), b = link_short(2);
    struct ipv6_address src = ipv6_link_local(&a), dst = ipv6_link_local(&b);
    const struct udp udp = {LINK_PORT, LINK_PORT, (const uint8_t *)"reading", 7};
    int n = ipv6_udp_packet(&udp, &src, &dst, packet, size);

    return n < 0 ? 0 : (size_t)n;
}

/* Makes the mirror's packet with this number. */
static size_t mirror_sends(uint32_t number, uint8_t *out, size_t size)
{
    struct ipsec_sa sa = {.protocol = &ipsec_esp,
                          .cipher = &ipsec_aes_ctr,
                          .integrity = &ipsec_xcbc_96,
                          .spi = nv.esp[ESP_IN].spi};
    uint8_t packet[LINK_PACKET_MAX];
    size_t len = packet_write(packet, sizeof packet);
    int n;

    memset(sa.key, 0x41, sizeof sa.key);
    memset(sa.salt, 0x41, sizeof sa.salt);
    memset(sa.integrity_key, 0x41, AES_BLOCK);
    n = ipsec_seal_as(&sa, &crypto, packet, len, number, NULL, out, size);
    return n < 0 ? 0 : (size_t)n;
}

static int hear(const struct link_guard *guard, uint32_t number)
{
    uint8_t sealed[LINK_PACKET_MAX], opened[LINK_PACKET_MAX];
    size_t len = mirror_sends(number, sealed, sizeof sealed);
    int n = guard->open(guard->context, sealed, len, opened, sizeof opened);

    return n > 0 ? MOTE_OK : n;
}

TEST(accepts_no_packet_twice_over_a_restart)
{
    struct esp esp;
    const struct link_guard *guard;

    make();
    guard = boot(&esp);
    for (uint32_t number = 1; number <= 20; number++)
        CHECK_INT(hear(guard, number), MOTE_OK);
    CHECK_INT(hear(guard, 20), MOTE_E_REPLAY);
    guard = boot(&esp);
    for (uint32_t number = 1; number <= 20; number++)
        CHECK_INT(hear(guard, number), MOTE_E_REPLAY);
    CHECK_INT(hear(guard, 20 + STEP), MOTE_OK); /* at most this many are lost */
    guard = boot(&esp);
    CHECK_INT(hear(guard, 20 + STEP), MOTE_E_REPLAY);
}

TEST(accepts_the_last_numbers_of_an_association_once)
{
    struct esp esp;
    const struct link_guard *guard;

    make();
    guard = boot(&esp);
    CHECK_INT(hear(guard, UINT32_MAX - 2), MOTE_OK);
    guard = boot(&esp);
    CHECK_INT(hear(guard, 5), MOTE_E_REPLAY);
    CHECK_INT(hear(guard, UINT32_MAX), MOTE_E_REPLAY);
}

TEST(sends_no_number_twice_over_restarts)
{
    struct esp esp;
    uint32_t last = 0;

    make();
    for (int life = 0; life < 4; life++) {
        const struct link_guard *guard = boot(&esp);
        for (int i = 0; i < 300 - 75 * life; i++) {
            uint8_t packet[LINK_PACKET_MAX], sealed[LINK_PACKET_MAX];
            size_t len = packet_write(packet, sizeof packet);

            REQUIRE(guard->seal(guard->context, packet, len, sealed, sizeof sealed) > 0);
            uint32_t number = (uint32_t)sealed[44] << 24 | (uint32_t)sealed[45] << 16 |
                              (uint32_t)sealed[46] << 8 | sealed[47];
            CHECK(number > last);
            last = number;
        }
    }
}

TEST(sends_and_accepts_nothing_before_its_numbers_are_written)
{
    struct esp esp;
    const struct link_guard *guard;
    uint8_t packet[LINK_PACKET_MAX], sealed[LINK_PACKET_MAX];

    make();
    nv.esp[ESP_OUT].number = nv.esp[ESP_IN].number = UINT32_MAX; /* erased */
    guard = boot(&esp);
    CHECK_INT(guard->seal(guard->context, packet, packet_write(packet, sizeof packet), sealed,
                          sizeof sealed),
              MOTE_E_STATE);
    CHECK_INT(hear(guard, 1), MOTE_E_REPLAY);
}

/* The mirror's datagram in one frame, under this number. */
static size_t mirror_frame(const uint8_t own[EUI64_SIZE], const uint8_t mote[EUI64_SIZE],
                           uint8_t seq, uint8_t *psdu, size_t size)
{
    static const struct lowpan lowpan = {.context_count = 0};
    struct link_address src = link_extended(own), dst = link_extended(mote);
    struct ipv6_address from = ipv6_link_local(&src), to = ipv6_link_local(&dst);
    const struct udp udp = {LINK_PORT, LINK_PORT, (const uint8_t *)"answer", 6};
    uint8_t packet[LINK_PACKET_MAX], payload[FRAME_MAX];
    struct lowpan_sender sender;
    struct frame frame;
    int n = ipv6_udp_packet(&udp, &from, &to, packet, sizeof packet);

    if (n < 0 || lowpan_send_start(&sender, &lowpan, packet, (size_t)n, &src, &dst, false, 100,
                                   1) != MOTE_OK)
        abort();
    n = lowpan_send_next(&sender, payload, sizeof payload);
    frame_data(&frame, LINK_PAN, &dst, &src, seq);
    frame.payload = payload;
    frame.payload_len = n < 0 ? 0 : (size_t)n;
    n = frame_write(&frame, psdu, size);
    return n < 0 ? 0 : (size_t)n;
}

TEST(accepts_a_reused_sequence_number_after_the_clock_wraps)
{
    static const uint8_t own[EUI64_SIZE] = {2, [7] = 1}, mirror[EUI64_SIZE] = {2, [7] = 2};
    static struct link link;
    const uint8_t *datagram;
    uint8_t psdu[FRAME_MAX];
    uint32_t start = UINT32_MAX - 1000;
    size_t len = mirror_frame(mirror, own, 17, psdu, sizeof psdu);

    link_init(&link, NULL, NULL, own, mirror, 0);
    CHECK_INT(link_receive(&link, psdu, len, start, &datagram), 6);
    CHECK_INT(link_receive(&link, psdu, len, start + 4999, &datagram), 0);
    CHECK_INT(link_receive(&link, psdu, len, start + 9999, &datagram), 6);
}

int main(void)
{
    RUN(accepts_no_packet_twice_over_a_restart);
    RUN(accepts_the_last_numbers_of_an_association_once);
    RUN(sends_no_number_twice_over_restarts);
    RUN(sends_and_accepts_nothing_before_its_numbers_are_written);
    RUN(accepts_a_reused_sequence_number_after_the_clock_wraps);
    return harness_report();
}
