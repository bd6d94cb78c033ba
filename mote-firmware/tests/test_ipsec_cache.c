/* The algorithms that use a cache make the same packets as algorithms that derive keys each time.
 */
#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "mote/ipsec.h"

static struct bearssl_aes128 aes_state;
static struct aes128 aes;
static struct bearssl_aes128_pair pair_state, own_state;
static struct aes128 pair, own;
static const struct ipsec_crypto crypto = {&aes, NULL, NULL}, paired = {&pair, NULL, NULL};

static struct ipsec_sa make_sa(const struct ipsec_protocol *protocol,
                               const struct ipsec_cipher *cipher,
                               const struct ipsec_integrity *integrity)
{
    struct ipsec_sa sa = {.protocol = protocol,
                          .cipher = cipher,
                          .integrity = integrity,
                          .spi = 0x11000001,
                          .key = {1, 2, 3},
                          .salt = {4, 5, 6, 7},
                          .integrity_key = {8, 9},
                          .reserved = UINT32_MAX};
    return sa;
}

static size_t udp_packet(uint8_t packet[IPV6_MTU], size_t len)
{
    const struct ipv6_address src = {{0xfd, [15] = 1}}, dst = {{0xfd, [15] = 2}};
    uint8_t payload[100];
    struct udp udp = {5683, 5683, payload, len};
    for (size_t i = 0; i < sizeof payload; i++)
        payload[i] = (uint8_t)(i + 1);
    return (size_t)ipv6_udp_packet(&udp, &src, &dst, packet, IPV6_MTU);
}

/* Seals packets of all lengths with both associations, and opens each one's with the other. */
static void check_same(const struct ipsec_sa *plain, const struct ipsec_sa *cached)
{
    struct ipsec_sa out = *plain, in = *plain, cached_out = *cached, cached_in = *cached;
    for (size_t len = 0; len < 70; len++) {
        uint8_t packet[IPV6_MTU], sealed[IPV6_MTU], same[IPV6_MTU], opened[IPV6_MTU];
        size_t n = udp_packet(packet, len);
        int m = ipsec_seal(&out, &crypto, packet, n, sealed, sizeof sealed);
        int k = ipsec_seal(&cached_out, &paired, packet, n, same, sizeof same);
        REQUIRE(m > 0 && k > 0);
        CHECK_OCTETS(same, (size_t)k, sealed, (size_t)m);
        k = ipsec_open(&cached_in, &paired, sealed, (size_t)m, opened, sizeof opened);
        CHECK_OCTETS(opened, (size_t)k, packet, n);
        k = ipsec_open(&in, &crypto, same, (size_t)m, opened, sizeof opened);
        CHECK_OCTETS(opened, (size_t)k, packet, n);
    }
}

/* Once with keys expanded for each packet and once with a driver that keeps them. */
static void check_both_caches(struct ipsec_sa plain, struct ipsec_sa cached)
{
    struct ipsec_cache cache;
    ipsec_cache_init(&cache, &cached, &pair, NULL);
    check_same(&plain, &cached);
    ipsec_cache_init(&cache, &cached, &pair, &own);
    check_same(&plain, &cached);
}

TEST(seals_and_opens_esp_identically_with_cached_subkeys)
{
    check_both_caches(make_sa(&ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96),
                      make_sa(&ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96_cached));
}

TEST(seals_and_opens_ah_identically_with_cached_subkeys)
{
    check_both_caches(make_sa(&ipsec_ah, NULL, &ipsec_xcbc_96),
                      make_sa(&ipsec_ah, NULL, &ipsec_xcbc_96_cached));
}

TEST(seals_as_ever_until_the_cache_is_made)
{
    const struct ipsec_sa ah = make_sa(&ipsec_ah, NULL, &ipsec_xcbc_96);
    const struct ipsec_sa cached = make_sa(&ipsec_ah, NULL, &ipsec_xcbc_96_cached);
    check_same(&ah, &cached);
}

TEST(seals_and_opens_esp_identically_in_one_pass)
{
    check_both_caches(make_sa(&ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96),
                      make_sa(&ipsec_esp, &ipsec_aes_ctr_xcbc_96, NULL));
}

TEST(leaves_no_plaintext_of_a_forged_packet_in_one_pass)
{
    struct ipsec_sa sa = make_sa(&ipsec_esp, &ipsec_aes_ctr_xcbc_96, NULL);
    struct ipsec_cache cache;
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU], opened[IPV6_MTU];
    const uint8_t nothing[IPV6_MTU] = {0};
    size_t n = udp_packet(packet, 33);
    ipsec_cache_init(&cache, &sa, &pair, NULL);
    int m = ipsec_seal(&sa, &paired, packet, n, sealed, sizeof sealed);
    REQUIRE(m > 0);
    for (size_t i = 40 + 4; i < (size_t)m; i++) { /* after the SPI */
        sealed[i] ^= 0x20;
        CHECK_INT(ipsec_open(&sa, &paired, sealed, (size_t)m, opened, sizeof opened), MOTE_E_AUTH);
        CHECK_OCTETS(opened, (size_t)m, nothing, (size_t)m);
        sealed[i] ^= 0x20;
    }
    CHECK_INT(sa.top, 0);
    CHECK_INT(ipsec_open(&sa, &paired, sealed, (size_t)m, opened, sizeof opened), (int)n);
}

TEST(refuses_one_pass_without_a_cache_or_a_driver_with_pairs)
{
    struct ipsec_sa sa = make_sa(&ipsec_esp, &ipsec_aes_ctr_xcbc_96, NULL);
    struct ipsec_cache cache;
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU];
    size_t n = udp_packet(packet, 8);
    CHECK_INT(ipsec_seal(&sa, &paired, packet, n, sealed, sizeof sealed), MOTE_E_UNSUPPORTED);
    ipsec_cache_init(&cache, &sa, &pair, NULL);
    CHECK_INT(ipsec_seal(&sa, &crypto, packet, n, sealed, sizeof sealed), MOTE_E_UNSUPPORTED);
    sa.integrity = &ipsec_xcbc_96; /* an ICV of each */
    CHECK_INT(ipsec_check(&sa, &paired), MOTE_E_UNSUPPORTED);
}

int main(void)
{
    bearssl_aes128(&aes, &aes_state);
    bearssl_aes128_pair(&pair, &pair_state);
    bearssl_aes128_pair(&own, &own_state);
    RUN(seals_and_opens_esp_identically_with_cached_subkeys);
    RUN(seals_and_opens_ah_identically_with_cached_subkeys);
    RUN(seals_and_opens_esp_identically_in_one_pass);
    RUN(leaves_no_plaintext_of_a_forged_packet_in_one_pass);
    RUN(seals_as_ever_until_the_cache_is_made);
    RUN(refuses_one_pass_without_a_cache_or_a_driver_with_pairs);
    return harness_report();
}
