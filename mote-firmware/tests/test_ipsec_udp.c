/* ESP with a compressed UDP header inside: vectors/ipsec/udp.txt, and what is refused. */
#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "vectors.h"

static struct bearssl_aes128 aes_state;
static struct aes128 aes;
static br_sha1_context sha1_state;
static struct sha1 sha1;
static br_sha256_context sha256_state;
static struct sha256 sha256;
static const struct ipsec_crypto crypto = {&aes, &sha1, &sha256};

enum { IV_AT = IPV6_HEADER_SIZE + 8 };

static struct ipsec_sa read_layer(const char *text)
{
    struct ipsec_sa sa = {.protocol = &ipsec_esp_udp,
                          .spi = 0x11000001,
                          .salt = {0xa0, 0xa1, 0xa2, 0xa3},
                          .cipher = &ipsec_aes_ccm_8};
    if (strstr(text, "aes-ctr") != NULL)
        sa.cipher = &ipsec_aes_ctr;
    else if (strstr(text, "aes-cbc") != NULL)
        sa.cipher = &ipsec_aes_cbc;
    if (strstr(text, "hmac-sha1-96") != NULL)
        sa.integrity = &ipsec_hmac_sha1_96;
    else if (strstr(text, "hmac-sha256-128") != NULL)
        sa.integrity = &ipsec_hmac_sha256_128;
    for (uint8_t i = 0; i < 32; i++) {
        sa.key[i % 16] = i % 16;
        sa.integrity_key[i] = (uint8_t)(0x10 + i);
    }
    return sa;
}

static void check_vector(struct ipsec_sa sa, const uint8_t *sealed, size_t sealed_len,
                         const uint8_t *plain, size_t plain_len)
{
    uint8_t out[IPV6_MTU], changed[IPV6_MTU];
    struct ipsec_sa in = sa;
    int n = ipsec_open(&in, &crypto, sealed, sealed_len, out, sizeof out);
    REQUIRE(n > 0);
    CHECK_OCTETS(out, (size_t)n, plain, plain_len);
    CHECK_INT(ipsec_open(&in, &crypto, sealed, sealed_len, out, sizeof out), MOTE_E_REPLAY);
    n = ipsec_seal_as(&sa, &crypto, plain, plain_len, 7, sealed + IV_AT, out, sizeof out);
    REQUIRE(n > 0);
    CHECK_OCTETS(out, (size_t)n, sealed, sealed_len);
    for (size_t i = IPV6_HEADER_SIZE; i < sealed_len; i++) {
        memcpy(changed, sealed, sealed_len);
        changed[i] ^= 1;
        in = sa;
        CHECK(ipsec_open(&in, &crypto, changed, sealed_len, out, sizeof out) < 0);
    }
}

TEST(opens_and_seals_the_packets_of_another_implementation)
{
    FILE *file = vector_open("ipsec", "udp");
    struct vector_line line = {0};
    struct ipsec_sa sa = {0};
    uint8_t sealed[IPV6_MTU];
    size_t len = 0;
    int number = 0;
    while (fgets(line.text, sizeof line.text, file) != NULL)
        if (strncmp(line.text, "layer ", 6) == 0)
            sa = read_layer(line.text + 6);
        else if (vector_label(&line, "ipv6 ", 'i'))
            memcpy(sealed, line.octets, len = line.len);
        else if (vector_label(&line, "plain ", 'p')) {
            check_vector(sa, sealed, len, line.octets, line.len);
            number++;
        }
    fclose(file);
    CHECK_INT(number, 21);
}

/* The length of a UDP packet with these ports and `len` octets under `protocol`. */
static int sealed_len(const struct ipsec_protocol *protocol, uint16_t ports, size_t len)
{
    const struct ipv6_address src = {{0xfd, [15] = 2}}, dst = {{0xfd, [15] = 1}};
    uint8_t plain[IPV6_MTU], sealed[IPV6_MTU], payload[64] = {0};
    const struct udp udp = {ports, ports, payload, len};
    struct ipsec_sa sa = read_layer("esp-udp aes-ctr hmac-sha1-96");
    sa.protocol = protocol;
    sa.reserved = 2;
    int n = ipv6_udp_packet(&udp, &src, &dst, plain, sizeof plain);
    return ipsec_seal(&sa, &crypto, plain, (size_t)n, sealed, sizeof sealed);
}

TEST(saves_what_the_padding_to_four_octets_leaves)
{
    int least = 8, most = 0, sum = 0;
    for (size_t len = 0; len < 64; len++) {
        int saved = sealed_len(&ipsec_esp, 0xf0b1, len) - sealed_len(&ipsec_esp_udp, 0xf0b1, len);
        CHECK_INT(saved, 4); /* 8 octets become 4 */
        saved = sealed_len(&ipsec_esp, 5683, len) - sealed_len(&ipsec_esp_udp, 5683, len);
        least = saved < least ? saved : least;
        most = saved > most ? saved : most;
        sum += saved; /* 8 octets become 7 */
    }
    CHECK_INT(least, 0);
    CHECK_INT(most, 4);
    CHECK_INT(sum, 64);
}

TEST(refuses_to_seal_a_length_that_cannot_be_elided)
{
    struct ipsec_sa sa = read_layer("esp-udp aes-ctr hmac-sha1-96");
    uint8_t packet[IPV6_HEADER_SIZE + 12] = {0x60, [5] = 12, [6] = NEXT_UDP, [7] = 64, [45] = 11};
    uint8_t out[IPV6_MTU];
    sa.reserved = 9;
    CHECK_INT(ipsec_seal(&sa, &crypto, packet, sizeof packet, out, sizeof out), MOTE_E_MALFORMED);
    packet[45] = 12;
    int n = ipsec_seal(&sa, &crypto, packet, sizeof packet, out, sizeof out);
    REQUIRE(n > 0);
    CHECK_INT(ipsec_seal(&sa, &crypto, packet, sizeof packet, out, (size_t)n - 1), MOTE_E_SPACE);
    packet[5] = 4; /* half a UDP header */
    CHECK_INT(ipsec_seal(&sa, &crypto, packet, IPV6_HEADER_SIZE + 4, out, sizeof out),
              MOTE_E_MALFORMED);
}

/* The result of opening an authentic ESP with this content and the next header UDP. */
static int open_content(const uint8_t *content, size_t len)
{
    struct ipsec_sa out = read_layer("esp-udp aes-ctr hmac-sha1-96"), in = out;
    uint8_t packet[IPV6_MTU] = {0x60, [5] = (uint8_t)len, [6] = NEXT_UDP, [7] = 64};
    uint8_t sealed[IPV6_MTU], opened[IPV6_MTU];
    memcpy(packet + IPV6_HEADER_SIZE, content, len);
    out.protocol = &ipsec_esp; /* which encrypts any content */
    out.reserved = 2;
    int n = ipsec_seal(&out, &crypto, packet, IPV6_HEADER_SIZE + len, sealed, sizeof sealed);
    if (n < 0)
        return n;
    return ipsec_open(&in, &crypto, sealed, (size_t)n, opened, sizeof opened);
}

TEST(refuses_content_that_is_no_compressed_udp_with_a_checksum)
{
    static const struct {
        const char *content;
        int result;
    } cases[] = {
        {"f3 01 1234 68", IPV6_HEADER_SIZE + 9},
        {"f3 01 1234", IPV6_HEADER_SIZE + 8},
        {"f3 01 12", MOTE_E_SHORT},
        {"f0 1633 16", MOTE_E_SHORT},
        {"f3", MOTE_E_SHORT},
        {"", MOTE_E_MALFORMED},
        {"f7 01 68656c6c", MOTE_E_MALFORMED},             /* the checksum is elided */
        {"fb 01 1234 68", MOTE_E_MALFORMED},              /* a reserved form */
        {"1633 1634 0009 d567 00", MOTE_E_MALFORMED},     /* UDP in full */
        {"e1 06 0104000000 f301 1234", MOTE_E_MALFORMED}, /* another header */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t content[32];
        size_t len = from_hex(cases[i].content, content, sizeof content);
        CHECK_INT(open_content(content, len), cases[i].result);
    }
}

int main(void)
{
    bearssl_aes128(&aes, &aes_state);
    bearssl_sha1(&sha1, &sha1_state);
    bearssl_sha256(&sha256, &sha256_state);
    RUN(opens_and_seals_the_packets_of_another_implementation);
    RUN(saves_what_the_padding_to_four_octets_leaves);
    RUN(refuses_to_seal_a_length_that_cannot_be_elided);
    RUN(refuses_content_that_is_no_compressed_udp_with_a_checksum);
    return harness_report();
}
