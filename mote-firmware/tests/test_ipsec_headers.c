/* AH and ESP among other headers, and ESP inside AH: vectors/ipsec/headers.txt and, at random,
 * chains.txt. */
#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "mote/sixlowpan.h"
#include "vectors.h"

static struct bearssl_aes128 aes_state;
static struct aes128 aes;
static br_sha1_context sha1_state;
static struct sha1 sha1;
static br_sha256_context sha256_state;
static struct sha256 sha256;
static const struct ipsec_crypto crypto = {&aes, &sha1, &sha256};

enum { LAYERS = 2 };

struct layers {
    struct ipsec_sa sa[LAYERS]; /* outermost first */
    size_t count;
};

static struct ipsec_sa read_layer(const char *text)
{
    const bool ctr = strstr(text, "aes-ctr") != NULL;
    struct ipsec_sa sa = {.protocol = &ipsec_ah, .spi = 0x11000002, .salt = {0xa0, 0xa1, 0xa2}};
    if (strncmp(text, "esp", 3) == 0) {
        sa.protocol = &ipsec_esp;
        sa.spi = 0x11000001;
        sa.cipher = ctr                               ? &ipsec_aes_ctr
                    : strstr(text, "aes-cbc") != NULL ? &ipsec_aes_cbc
                                                      : &ipsec_aes_ccm_8;
    }
    if (strstr(text, "hmac-sha1-96") != NULL)
        sa.integrity = &ipsec_hmac_sha1_96;
    else if (strstr(text, "hmac-sha256-128") != NULL)
        sa.integrity = &ipsec_hmac_sha256_128;
    sa.salt[3] = 0xa3;
    for (uint8_t i = 0; i < 32; i++) {
        sa.key[i % 16] = i % 16;
        sa.integrity_key[i] = (uint8_t)(0x10 + i);
    }
    return sa;
}

/* Opens every layer. Returns the length of the packet in `out`, or the error. */
static int open_all(struct layers layers, const uint8_t *packet, size_t len, uint8_t *out)
{
    uint8_t from[IPV6_MTU];
    int n = (int)len;
    memcpy(out, packet, len);
    for (size_t i = 0; i < layers.count && n > 0; i++) {
        memcpy(from, out, (size_t)n);
        n = ipsec_open(&layers.sa[i], &crypto, from, (size_t)n, out, IPV6_MTU);
    }
    return n;
}

/* Seals every layer as its sender would. Returns the length of the packet in `out`. */
static int seal_all(struct layers layers, const uint8_t *plain, size_t len, uint8_t *out)
{
    uint8_t from[IPV6_MTU];
    int n = (int)len;
    memcpy(out, plain, len);
    for (size_t i = layers.count; i > 0 && n > 0; i--) {
        memcpy(from, out, (size_t)n);
        layers.sa[i - 1].reserved = 10;
        n = ipsec_seal(&layers.sa[i - 1], &crypto, from, (size_t)n, out, IPV6_MTU);
    }
    return n;
}

static void check_packet(const struct layers *layers, const uint8_t *packet, size_t len,
                         const uint8_t *plain, size_t plain_len)
{
    uint8_t opened[IPV6_MTU], changed[IPV6_MTU], protocol;
    uint32_t spi;
    REQUIRE(ipsec_peek(packet, len, &protocol, &spi) == MOTE_OK);
    CHECK_INT(protocol, ipsec_protocol_number(&layers->sa[0]));
    CHECK_INT(spi, layers->sa[0].spi);
    int n = open_all(*layers, packet, len, opened);
    REQUIRE(n > 0);
    CHECK_OCTETS(opened, (size_t)n, plain, plain_len);
    memcpy(changed, packet, len);
    changed[len - 1] ^= 1;
    CHECK_INT(open_all(*layers, changed, len, opened), MOTE_E_AUTH);
    n = seal_all(*layers, plain, plain_len, changed);
    REQUIRE(n > (int)plain_len);
    n = open_all(*layers, changed, (size_t)n, opened);
    REQUIRE(n > 0);
    CHECK_OCTETS(opened, (size_t)n, plain, plain_len);
}

/* Compresses and restores a packet; `line` has its compressed headers. */
static void check_headers(const struct link_address *src, const struct link_address *dst,
                          const uint8_t *packet, size_t len, const struct vector_line *line)
{
    static const struct lowpan_context mesh = {64, {0xfd}, true};
    static const struct lowpan lowpan = {&mesh, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
    struct lowpan_deferred deferred;
    uint8_t whole[IPV6_MTU], restored[IPV6_MTU];
    size_t covered;
    int n = lowpan_compress(&lowpan, packet, len, src, dst, true, whole, sizeof whole, &covered);
    REQUIRE(n > 0);
    CHECK_OCTETS(whole, (size_t)n, line->octets, line->len);
    CHECK_INT(covered, strtoul(strrchr(line->text, ' '), NULL, 10));
    memcpy(whole + n, packet + covered, len - covered);
    n = lowpan_decompress(&lowpan, whole, (size_t)n + len - covered, src, dst, 0, restored,
                          sizeof restored, &deferred);
    REQUIRE(n > 0);
    CHECK_OCTETS(restored, (size_t)n, packet, len);
    CHECK(deferred.ipsec_nhc);
}

/* Checks every packet of a file. Returns the number of packets. */
static int check_file(const char *name)
{
    FILE *file = vector_open("ipsec", name);
    struct link_address src = {0}, dst = {0};
    struct vector_line line = {0};
    struct layers layers = {.count = 0};
    uint8_t packet[IPV6_MTU];
    size_t len = 0;
    int number = 0;
    while (fgets(line.text, sizeof line.text, file) != NULL)
        if (strncmp(line.text, "vector ", 7) == 0)
            layers.count = 0;
        else if (strncmp(line.text, "layer ", 6) == 0 && layers.count < LAYERS)
            layers.sa[layers.count++] = read_layer(line.text + 6);
        else if (vector_label(&line, "ipv6 ", 'i'))
            memcpy(packet, line.octets, len = line.len);
        else if (vector_label(&line, "plain ", 'p')) {
            check_packet(&layers, packet, len, line.octets, line.len);
            number++;
        } else if (vector_label(&line, "links ", 'l')) {
            src = link_extended(line.octets);
            dst = link_extended(line.octets + EUI64_SIZE);
        } else if (vector_label(&line, "lowpan ", 'f'))
            check_headers(&src, &dst, packet, len, &line);
    fclose(file);
    return number;
}

TEST(opens_every_order_of_headers_that_other_hosts_send)
{
    CHECK_INT(check_file("headers"), 8);
}

TEST(compresses_and_opens_random_chains_of_headers)
{
    CHECK_INT(check_file("chains"), 72);
}

/* Makes a UDP packet with `count` options headers, each with eight octets of PadN. */
static size_t behind_options(uint8_t *packet, size_t count)
{
    const struct ipv6_address src = {{0xfd, [15] = 2}}, dst = {{0xfd, [15] = 1}};
    const struct udp udp = {5683, 5684, (const uint8_t *)"hello", 5};
    uint8_t plain[IPV6_MTU];
    struct writer w;
    size_t n = (size_t)ipv6_udp_packet(&udp, &src, &dst, plain, sizeof plain);
    writer_init(&w, packet, IPV6_MTU);
    writer_bytes(&w, plain, 40);
    for (size_t i = 0; i < count; i++) {
        writer_u8(&w, i + 1 < count ? NEXT_DESTINATION : NEXT_UDP);
        writer_u8(&w, 0);
        writer_u16(&w, 0x0104);
        writer_u32(&w, 0);
    }
    writer_bytes(&w, plain + 40, n - 40);
    packet[6] = count > 0 ? NEXT_DESTINATION : NEXT_UDP;
    packet[5] = (uint8_t)(w.len - 40);
    return w.len;
}

TEST(protects_its_own_destination_options)
{
    for (size_t count = 0; count < 3; count++) {
        struct ipsec_sa out = read_layer("esp aes-ctr hmac-sha1-96"), in = out;
        uint8_t packet[IPV6_MTU], sealed[IPV6_MTU], opened[IPV6_MTU];
        size_t n = behind_options(packet, count);
        out.reserved = 10;
        int m = ipsec_seal(&out, &crypto, packet, n, sealed, sizeof sealed);
        REQUIRE(m > 0);
        CHECK_INT(sealed[6], NEXT_ESP);
        int k = ipsec_open(&in, &crypto, sealed, (size_t)m, opened, sizeof opened);
        REQUIRE(k > 0);
        CHECK_OCTETS(opened, (size_t)k, packet, n);
    }
}

int main(void)
{
    bearssl_aes128(&aes, &aes_state);
    bearssl_sha1(&sha1, &sha1_state);
    bearssl_sha256(&sha256, &sha256_state);
    RUN(opens_every_order_of_headers_that_other_hosts_send);
    RUN(compresses_and_opens_random_chains_of_headers);
    RUN(protects_its_own_destination_options);
    return harness_report();
}
