#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "mote/ipsec.h"
#include "mote/rpl.h"
#include "vectors.h"

static struct bearssl_aes128 aes_state;
static struct aes128 aes;
static br_sha1_context sha1_state;
static struct sha1 sha1;
static br_sha256_context sha256_state;
static struct sha256 sha256;
static const struct ipsec_crypto crypto = {&aes, &sha1, &sha256};

static void set_keys(struct ipsec_sa *sa)
{
    static const uint8_t salt[4] = {0xa0, 0xa1, 0xa2, 0xa3};
    memcpy(sa->salt, salt, 4);
    for (size_t i = 0; i < 32; i++) {
        sa->key[i % 16] = (uint8_t)(i % 16);
        sa->integrity_key[i] = (uint8_t)(0x10 + i);
    }
    sa->reserved = UINT32_MAX;
}

static struct ipsec_sa make_sa(const struct ipsec_protocol *protocol,
                               const struct ipsec_cipher *cipher,
                               const struct ipsec_integrity *integrity)
{
    struct ipsec_sa sa = {
        .protocol = protocol, .spi = 0x11000001, .cipher = cipher, .integrity = integrity};
    set_keys(&sa);
    return sa;
}

/* The associations of the Linux vectors, in the order of their packets (two of each). */
static const struct {
    const struct ipsec_protocol *protocol;
    const struct ipsec_cipher *cipher;
    const struct ipsec_integrity *integrity;
} linux_order[] = {
    {&ipsec_esp, &ipsec_aes_cbc, &ipsec_xcbc_96},
    {&ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96},
    {&ipsec_esp, &ipsec_aes_cbc, &ipsec_hmac_sha1_96},
    {&ipsec_esp, &ipsec_aes_ccm_8, NULL},
    {&ipsec_ah, NULL, &ipsec_hmac_sha1_96},
    {&ipsec_ah, NULL, &ipsec_xcbc_96},
};

static void check_kernel_packet(const uint8_t *packet, size_t len, int number)
{
    struct ipsec_sa sa = make_sa(linux_order[number / 2].protocol, linux_order[number / 2].cipher,
                                 linux_order[number / 2].integrity);
    uint8_t plain[IPV6_MTU], again[IPV6_MTU], forged[IPV6_MTU];
    struct ipv6_upper upper;
    struct udp udp;
    uint8_t protocol;
    size_t header = sa.protocol == &ipsec_ah ? 8 : 4;
    REQUIRE(ipsec_peek(packet, len, &protocol, &sa.spi) == MOTE_OK &&
            protocol == ipsec_protocol_number(&sa));
    int n = ipsec_open(&sa, &crypto, packet, len, plain, sizeof plain);
    REQUIRE(n > 0);
    REQUIRE(ipv6_find_upper(&upper, plain, (size_t)n) == MOTE_OK);
    CHECK_INT(udp_parse(&udp, &upper, plain), MOTE_OK);
    CHECK_INT(ipsec_open(&sa, &crypto, packet, len, again, sizeof again), MOTE_E_REPLAY);

    uint32_t sequence = (uint32_t)packet[40 + header + 3];
    int m =
        ipsec_seal_as(&sa, &crypto, plain, (size_t)n, sequence, packet + 48, again, sizeof again);
    CHECK_OCTETS(again, (size_t)m, packet, len);

    for (size_t i = 40 + header + 4; i < len; i++) { /* after SPI and number */
        sa.window = sa.top = 0;
        memcpy(forged, packet, len);
        forged[i] ^= 0x20;
        CHECK(ipsec_open(&sa, &crypto, forged, len, again, sizeof again) == MOTE_E_AUTH);
        CHECK_INT(sa.top, 0);
    }
    sa.key[3] ^= 1;
    sa.integrity_key[3] ^= 1;
    CHECK_INT(ipsec_open(&sa, &crypto, packet, len, again, sizeof again), MOTE_E_AUTH);
}

TEST(opens_the_kernels_packets_and_seals_them_identically)
{
    FILE *file = vector_open("linux", "6lowpan");
    struct vector_line line = {0};
    char text[128] = "";
    int number = 0;
    while (fgets(line.text, sizeof line.text, file) != NULL) {
        if (strncmp(line.text, "vector ", 7) == 0)
            snprintf(text, sizeof text, "%.100s", line.text);
        if (vector_label(&line, "ipv6 ", 'i') && strstr(text, "made by the kernel") != NULL) {
            check_kernel_packet(line.octets, line.len, number % 12);
            number++;
        }
    }
    fclose(file);
    CHECK_INT(number, 24);
}

static size_t udp_packet(uint8_t *out, size_t payload_len)
{
    uint8_t payload[1024];
    struct ipv6_address src = {{0xfd, [15] = 2}}, dst = {{0xfd, [15] = 1}};
    struct udp udp = {5683, 5684, payload, payload_len};
    memset(payload, 0x33, sizeof payload);
    return (size_t)ipv6_udp_packet(&udp, &src, &dst, out, IPV6_MTU);
}

static const struct {
    const struct ipsec_cipher *cipher;
    const struct ipsec_integrity *integrity;
} transforms[] = {
    {&ipsec_null, &ipsec_xcbc_96},
    {&ipsec_null, &ipsec_hmac_sha1_96},
    {&ipsec_null, &ipsec_hmac_sha256_128},
    {&ipsec_aes_cbc, &ipsec_xcbc_96},
    {&ipsec_aes_cbc, &ipsec_hmac_sha1_96},
    {&ipsec_aes_cbc, &ipsec_hmac_sha256_128},
    {&ipsec_aes_ctr, &ipsec_xcbc_96},
    {&ipsec_aes_ctr, &ipsec_hmac_sha1_96},
    {&ipsec_aes_ctr, &ipsec_hmac_sha256_128},
    {&ipsec_aes_ccm_8, NULL},
    {&ipsec_aes_ccm_12, NULL},
    {&ipsec_aes_ccm_16, NULL},
};

TEST(carries_payloads_of_every_length_in_every_transform)
{
    for (size_t t = 0; t < sizeof transforms / sizeof transforms[0]; t++) {
        struct ipsec_sa out = make_sa(&ipsec_esp, transforms[t].cipher, transforms[t].integrity);
        struct ipsec_sa in = out;
        for (size_t len = 0; len < 70; len++) {
            uint8_t packet[IPV6_MTU], sealed[IPV6_MTU], opened[IPV6_MTU];
            size_t n = udp_packet(packet, len);
            int m = ipsec_seal(&out, &crypto, packet, n, sealed, sizeof sealed);
            REQUIRE(m > 0 && (size_t)m <= n + IPSEC_ESP_OVERHEAD_MAX);
            int k = ipsec_open(&in, &crypto, sealed, (size_t)m, opened, sizeof opened);
            REQUIRE(k > 0);
            CHECK_OCTETS(opened, (size_t)k, packet, n);
            CHECK_INT(ipsec_seal(&out, &crypto, packet, n, sealed, (size_t)m - 1), MOTE_E_SPACE);
        }
        CHECK_INT(in.packets, 70);
        CHECK_INT(out.sent, 70);
    }
}

TEST(adds_the_octets_the_paper_counts)
{
    /* Raza 2011, table II: ESP 18 without and 30 with authentication (8-octet IV, 2 of trailer) */
    struct ipsec_sa ctr = make_sa(&ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96);
    struct ipsec_sa ah = make_sa(&ipsec_ah, NULL, &ipsec_xcbc_96);
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU];
    size_t n = udp_packet(packet, 10); /* 18 + 2 of trailer: no padding */
    CHECK_INT(ipsec_seal(&ctr, &crypto, packet, n, sealed, sizeof sealed), n + 30);
    CHECK_INT(ipsec_seal(&ah, &crypto, packet, n, sealed, sizeof sealed), n + 24);
}

TEST(uses_each_number_once_and_only_reserved_numbers)
{
    struct ipsec_sa sa = make_sa(&ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96);
    uint8_t packet[IPV6_MTU], sealed[2][IPV6_MTU];
    size_t n = udp_packet(packet, 20);
    sa.reserved = 0;
    CHECK_INT(ipsec_seal(&sa, &crypto, packet, n, sealed[0], IPV6_MTU), MOTE_E_STATE);
    sa.reserved = 3;
    int m = ipsec_seal(&sa, &crypto, packet, n, sealed[0], IPV6_MTU);
    REQUIRE(m > 0 && ipsec_seal(&sa, &crypto, packet, n, sealed[1], IPV6_MTU) == m);
    CHECK(memcmp(sealed[0] + 48, sealed[1] + 48, (size_t)m - 48) != 0);
    CHECK_INT(ipsec_seal(&sa, &crypto, packet, n, sealed[0], IPV6_MTU), MOTE_E_STATE);
    sa.sent = UINT32_MAX - 1;
    sa.reserved = UINT32_MAX;
    CHECK_INT(ipsec_seal(&sa, &crypto, packet, n, sealed[0], IPV6_MTU), MOTE_E_STATE);
}

TEST(keeps_a_window_of_32_numbers)
{
    struct ipsec_sa sa = make_sa(&ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96);
    CHECK_INT(ipsec_replay_check(&sa, 0), MOTE_E_REPLAY);
    ipsec_replay_update(&sa, 100);
    CHECK_INT(ipsec_replay_check(&sa, 100), MOTE_E_REPLAY);
    CHECK_INT(ipsec_replay_check(&sa, 69), MOTE_OK);
    CHECK_INT(ipsec_replay_check(&sa, 68), MOTE_E_REPLAY);
    ipsec_replay_update(&sa, 69);
    CHECK_INT(ipsec_replay_check(&sa, 69), MOTE_E_REPLAY);
    ipsec_replay_update(&sa, 101);
    CHECK_INT(ipsec_replay_check(&sa, 69), MOTE_E_REPLAY); /* now too old */
    CHECK_INT(ipsec_replay_check(&sa, 100), MOTE_E_REPLAY);
    CHECK_INT(ipsec_replay_check(&sa, 99), MOTE_OK);
    ipsec_replay_update(&sa, UINT32_MAX);
    CHECK_INT(ipsec_replay_check(&sa, UINT32_MAX - 1), MOTE_OK);
    CHECK_INT(ipsec_replay_check(&sa, 101), MOTE_E_REPLAY);
    /* compared with a plain list, at random */
    static bool seen[4096];
    struct dice dice = {64};
    uint32_t top = 0;
    struct ipsec_sa random = make_sa(&ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96);
    for (int i = 0; i < 20000; i++) {
        uint32_t number = 1 + (uint32_t)dice_below(&dice, 60) + (uint32_t)i / 6;
        bool fresh = number > top || (top - number < 32 && !seen[number]);
        CHECK_INT(ipsec_replay_check(&random, number) == MOTE_OK, fresh);
        if (fresh) {
            ipsec_replay_update(&random, number);
            seen[number] = true;
            top = number > top ? number : top;
        }
    }
}

TEST(moves_the_window_only_for_authentic_packets)
{
    struct ipsec_sa out = make_sa(&ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96), in = out;
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU], opened[IPV6_MTU];
    size_t n = udp_packet(packet, 20);
    int m = ipsec_seal(&out, &crypto, packet, n, sealed, sizeof sealed);
    sealed[44] = 0x7f; /* a number far ahead, forged */
    CHECK_INT(ipsec_open(&in, &crypto, sealed, (size_t)m, opened, sizeof opened), MOTE_E_AUTH);
    CHECK_INT(in.top, 0);
    sealed[44] = 0;
    CHECK(ipsec_open(&in, &crypto, sealed, (size_t)m, opened, sizeof opened) > 0);
    CHECK_INT(in.bad_icv, 1);
    CHECK_INT(in.packets, 1);
}

TEST(refuses_associations_that_protect_nothing)
{
    struct ipsec_sa sa = make_sa(&ipsec_esp, &ipsec_aes_ctr, NULL);
    const struct ipsec_crypto no_sha1 = {&aes, NULL, &sha256};
    CHECK_INT(ipsec_check(&sa, &crypto), MOTE_E_UNSUPPORTED);
    sa = make_sa(&ipsec_esp, &ipsec_null, NULL);
    CHECK_INT(ipsec_check(&sa, &crypto), MOTE_E_UNSUPPORTED);
    sa = make_sa(&ipsec_ah, NULL, NULL);
    CHECK_INT(ipsec_check(&sa, &crypto), MOTE_E_UNSUPPORTED);
    sa = make_sa(&ipsec_esp, &ipsec_aes_ccm_8, &ipsec_xcbc_96);
    CHECK_INT(ipsec_check(&sa, &crypto), MOTE_E_UNSUPPORTED);
    sa = make_sa(&ipsec_esp, &ipsec_aes_cbc, &ipsec_hmac_sha1_96);
    CHECK_INT(ipsec_check(&sa, &crypto), MOTE_OK);
    CHECK_INT(ipsec_check(&sa, &no_sha1), MOTE_E_UNSUPPORTED);
    sa.spi = 0;
    CHECK_INT(ipsec_check(&sa, &crypto), MOTE_E_UNSUPPORTED);
}

static int zeros(void *context, uint8_t *out, size_t len)
{
    (void)context;
    memset(out, 0, len);
    return 0;
}

/* Our packet goes up through RPL, and the root removes the hop-by-hop header. The far host's answer
 * comes down, and the root adds a source routing header. Neither changes the ICV. */
static void cross_rpl(const struct ipsec_protocol *protocol,
                      const struct ipsec_integrity *integrity)
{
    static const struct random random = {zeros, NULL};
    const struct ipsec_cipher *cipher = protocol == &ipsec_esp ? &ipsec_aes_ctr : NULL;
    struct ipsec_sa out = make_sa(protocol, cipher, integrity), in = out;
    struct rpl_node node = {.parent = 0, .random = &random, .dodag = {.rank = 300}};
    struct link_address to;
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU], air[IPV6_MTU], opened[IPV6_MTU];
    size_t n = udp_packet(packet, 24);
    int m = ipsec_seal(&out, &crypto, packet, n, sealed, sizeof sealed);
    REQUIRE(m > 0);
    int k = rpl_originate(&node, sealed, (size_t)m, air, sizeof air, &to);
    REQUIRE(k == m + 8);
    air[7] = 61;   /* hops */
    air[46] = 1;   /* the sender's rank */
    air[1] = 0x23; /* a flow label that another node has set */
    k = ipsec_open(&in, &crypto, air, (size_t)k, opened, sizeof opened);
    REQUIRE(k == (int)n + 8);
    CHECK_OCTETS(opened + 48, (size_t)k - 48, packet + 40, n - 40);
    CHECK_INT(opened[40], NEXT_UDP);

    /* down: the same sealed packet with an RFC 6554 header for two more hops, ours the last */
    struct writer w;
    const uint8_t first[16] = {0xfd, [15] = 9};
    m = ipsec_seal(&out, &crypto, packet, n, sealed, sizeof sealed);
    writer_init(&w, air, sizeof air);
    writer_bytes(&w, sealed, 40);
    writer_u8(&w, ipsec_protocol_number(&out));
    writer_u8(&w, 2);
    writer_u16(&w, 0x0302);
    writer_u32(&w, 0x88000000);
    writer_u64(&w, 8);
    writer_bytes(&w, sealed + 32, 8);
    writer_bytes(&w, sealed + 40, (size_t)m - 40);
    memcpy(air + 24, first, 16);
    air[6] = NEXT_ROUTING;
    air[4] = (uint8_t)((w.len - 40) >> 8);
    air[5] = (uint8_t)(w.len - 40);
    for (uint8_t hop = 9; hop > 7; hop--) { /* two routers, then we: 9, 8, 1 */
        struct rpl_node router = {.parent = 0, .random = &random};
        memcpy(router.address.octets, air + 24, 16);
        CHECK_INT(rpl_route(&router, air, w.len, &to, 0), RPL_FORWARD);
    }
    CHECK_INT(air[39], 1);
    CHECK_INT(air[43], 0);
    k = ipsec_open(&in, &crypto, air, w.len, opened, sizeof opened);
    CHECK_INT(k, (int)n + 24);
    CHECK_OCTETS(opened + 64, (size_t)k - 64, packet + 40, n - 40);
}

TEST(survives_the_headers_that_an_rpl_root_adds_and_removes)
{
    cross_rpl(&ipsec_ah, &ipsec_xcbc_96);
    cross_rpl(&ipsec_ah, &ipsec_hmac_sha256_128);
    cross_rpl(&ipsec_esp, &ipsec_xcbc_96);
}

TEST(detects_a_change_of_every_octet_that_ah_protects)
{
    struct ipsec_sa out = make_sa(&ipsec_ah, NULL, &ipsec_xcbc_96);
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU], opened[IPV6_MTU];
    size_t n = udp_packet(packet, 8);
    int m = ipsec_seal(&out, &crypto, packet, n, sealed, sizeof sealed);
    for (size_t i = 8; i < (size_t)m; i++) { /* the two addresses, AH, UDP */
        struct ipsec_sa in = make_sa(&ipsec_ah, NULL, &ipsec_xcbc_96);
        sealed[i] ^= 4;
        CHECK(ipsec_open(&in, &crypto, sealed, (size_t)m, opened, sizeof opened) < 0);
        sealed[i] ^= 4;
    }
    for (size_t i = 1; i < 4; i++) { /* traffic class and flow label, hop limit: mutable */
        struct ipsec_sa in = make_sa(&ipsec_ah, NULL, &ipsec_xcbc_96);
        sealed[i == 1 ? 7 : i] ^= 4;
        CHECK(ipsec_open(&in, &crypto, sealed, (size_t)m, opened, sizeof opened) > 0);
    }
}

TEST(protects_a_hop_by_hop_header_that_is_not_only_rpls)
{
    /* router alert and the RPL option: the first is immutable, the data of the second is zeroed */
    struct ipsec_sa out = make_sa(&ipsec_ah, NULL, &ipsec_xcbc_96);
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU], opened[IPV6_MTU], plain[IPV6_MTU];
    struct writer w;
    size_t n = udp_packet(plain, 8);
    writer_init(&w, packet, sizeof packet);
    writer_bytes(&w, plain, 40);
    writer_u8(&w, NEXT_UDP);
    writer_u8(&w, 1);
    writer_u32(&w, 0x05020000);
    writer_u32(&w, 0x63040000);
    writer_u16(&w, 0x0100);
    writer_u32(&w, 0x01020000);
    writer_bytes(&w, plain + 40, n - 40);
    packet[6] = NEXT_HOP_BY_HOP;
    packet[5] = (uint8_t)(w.len - 40);
    int m = ipsec_seal(&out, &crypto, packet, w.len, sealed, sizeof sealed);
    REQUIRE(m == (int)w.len + 24);
    CHECK_INT(sealed[40], NEXT_AH);
    static const struct {
        size_t at;
        bool covered;
    } octets[] = {{44, true}, {42, true}, {50, false}, {49, false}, {54, true}};
    for (size_t i = 0; i < sizeof octets / sizeof octets[0]; i++) {
        struct ipsec_sa in = make_sa(&ipsec_ah, NULL, &ipsec_xcbc_96);
        sealed[octets[i].at] ^= 1;
        int k = ipsec_open(&in, &crypto, sealed, (size_t)m, opened, sizeof opened);
        CHECK_INT(k > 0, !octets[i].covered);
        sealed[octets[i].at] ^= 1;
    }
}

TEST(refuses_a_buffer_too_small_for_the_opened_packet)
{
    /* hop-by-hop headers that AH omits: the ICV input fits the buffer, but the packet does not */
    enum { EXTENSION = 200, ROOM = 200 };
    struct ipsec_sa out = make_sa(&ipsec_ah, NULL, &ipsec_xcbc_96), in = out;
    uint8_t packet[IPV6_MTU], plain[IPV6_MTU], sealed[IPV6_MTU], *small = malloc(ROOM);
    size_t n = udp_packet(plain, 8);
    struct writer w;
    writer_init(&w, packet, sizeof packet);
    writer_bytes(&w, plain, 40);
    for (int i = 0; i < 2; i++) { /* the RPL option and padding */
        writer_u8(&w, i == 0 ? NEXT_HOP_BY_HOP : NEXT_UDP);
        writer_u8(&w, EXTENSION / 8 - 1);
        writer_u16(&w, 0x6304);
        writer_u32(&w, 0);
        writer_u8(&w, 1);
        writer_u8(&w, EXTENSION - 10);
        memset(writer_take(&w, EXTENSION - 10), 0, EXTENSION - 10);
    }
    writer_bytes(&w, plain + 40, n - 40);
    packet[6] = NEXT_HOP_BY_HOP;
    packet[4] = (uint8_t)((w.len - 40) >> 8);
    packet[5] = (uint8_t)(w.len - 40);
    int m = ipsec_seal(&out, &crypto, packet, w.len, sealed, sizeof sealed);
    REQUIRE(small != NULL && m == (int)w.len + 24);
    CHECK_INT(ipsec_open(&in, &crypto, sealed, (size_t)m, small, ROOM), MOTE_E_SPACE);
    CHECK_INT(in.top, 0); /* a packet that was not delivered may arrive again */
    CHECK_INT(ipsec_open(&in, &crypto, sealed, (size_t)m, packet, sizeof packet), w.len);
    free(small);
}

TEST(carries_esp_inside_ah)
{
    struct ipsec_sa esp = make_sa(&ipsec_esp, &ipsec_aes_ccm_8, NULL), esp_in = esp;
    struct ipsec_sa ah = make_sa(&ipsec_ah, NULL, &ipsec_hmac_sha1_96), ah_in = ah;
    uint8_t packet[IPV6_MTU], inner[IPV6_MTU], outer[IPV6_MTU];
    size_t n = udp_packet(packet, 33);
    int m = ipsec_seal(&esp, &crypto, packet, n, inner, sizeof inner);
    int k = ipsec_seal(&ah, &crypto, inner, (size_t)m, outer, sizeof outer);
    REQUIRE(k == m + 24);
    int back = ipsec_open(&ah_in, &crypto, outer, (size_t)k, inner, sizeof inner);
    REQUIRE(back == m);
    back = ipsec_open(&esp_in, &crypto, inner, (size_t)back, outer, sizeof outer);
    CHECK_OCTETS(outer, (size_t)back, packet, n);
}

TEST(leaves_no_plaintext_when_the_padding_is_wrong)
{
    struct ipsec_sa sa = make_sa(&ipsec_esp, &ipsec_null, &ipsec_xcbc_96), in = sa;
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU], opened[IPV6_MTU];
    const uint8_t nothing[IPV6_MTU] = {0};
    size_t n = udp_packet(packet, 8); /* two octets of padding */
    int m = ipsec_seal(&sa, &crypto, packet, n, sealed, sizeof sealed);
    /* a peer that has the key but pads wrongly */
    sealed[m - 12 - 3] = 9;
    struct piece whole = {sealed + 40, (size_t)m - 40 - 12};
    xcbc_mac_96(&aes, sa.integrity_key, &whole, sealed + m - 12);
    CHECK_INT(ipsec_open(&in, &crypto, sealed, (size_t)m, opened, sizeof opened), MOTE_E_MALFORMED);
    CHECK_OCTETS(opened, (size_t)m, nothing, (size_t)m);
    CHECK_INT(in.malformed, 1);
}

int main(void)
{
    bearssl_aes128(&aes, &aes_state);
    bearssl_sha1(&sha1, &sha1_state);
    bearssl_sha256(&sha256, &sha256_state);
    RUN(opens_the_kernels_packets_and_seals_them_identically);
    RUN(carries_payloads_of_every_length_in_every_transform);
    RUN(adds_the_octets_the_paper_counts);
    RUN(uses_each_number_once_and_only_reserved_numbers);
    RUN(keeps_a_window_of_32_numbers);
    RUN(moves_the_window_only_for_authentic_packets);
    RUN(refuses_associations_that_protect_nothing);
    RUN(survives_the_headers_that_an_rpl_root_adds_and_removes);
    RUN(detects_a_change_of_every_octet_that_ah_protects);
    RUN(protects_a_hop_by_hop_header_that_is_not_only_rpls);
    RUN(refuses_a_buffer_too_small_for_the_opened_packet);
    RUN(carries_esp_inside_ah);
    RUN(leaves_no_plaintext_when_the_padding_is_wrong);
    return harness_report();
}
