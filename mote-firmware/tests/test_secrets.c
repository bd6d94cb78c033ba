/*
 * No branch and no address depends on a secret. Under valgrind every key is marked undefined, and
 * memcheck reports each jump and each access that depends on it. Without valgrind only the results
 * are checked.
 *
 * The values that may depend on a secret are declared here: the result of a comparison of tags, and
 * the output of a cipher, which parsers read. The linker redirects these calls (--wrap).
 */
#include <sys/wait.h>
#include <unistd.h>

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_UNDEFINED(at, len) ((void)(at), (void)(len))
#define VALGRIND_MAKE_MEM_DEFINED(at, len) ((void)(at), (void)(len))
#define VALGRIND_GET_VBITS(at, bits, len) ((void)(at), (void)(bits), 0)
#define RUNNING_ON_VALGRIND 0
#endif

#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "mote/ieee802154.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "mote/jose.h"

bool __real_equal_ct(const uint8_t *a, const uint8_t *b, size_t len);
bool __wrap_equal_ct(const uint8_t *a, const uint8_t *b, size_t len);
void __real_aes_ctr(const struct aes128 *aes, uint8_t counter[AES_BLOCK], uint8_t *data,
                    size_t len);
void __wrap_aes_ctr(const struct aes128 *aes, uint8_t counter[AES_BLOCK], uint8_t *data,
                    size_t len);
void __real_aes_cbc_decrypt(const struct aes128 *aes, const uint8_t iv[AES_BLOCK], uint8_t *data,
                            size_t len);
void __wrap_aes_cbc_decrypt(const struct aes128 *aes, const uint8_t iv[AES_BLOCK], uint8_t *data,
                            size_t len);
int __real_ccm_open(const struct ccm *ccm, uint8_t *message, size_t len, const uint8_t *mic);
int __wrap_ccm_open(const struct ccm *ccm, uint8_t *message, size_t len, const uint8_t *mic);
int __real_ctr_xcbc_open(const struct ctr_xcbc *mode, uint8_t *text, size_t len,
                         const uint8_t mac[XCBC_MAC_SIZE]);
int __wrap_ctr_xcbc_open(const struct ctr_xcbc *mode, uint8_t *text, size_t len,
                         const uint8_t mac[XCBC_MAC_SIZE]);

bool __wrap_equal_ct(const uint8_t *a, const uint8_t *b, size_t len)
{
    bool equal = __real_equal_ct(a, b, len);

    VALGRIND_MAKE_MEM_DEFINED(&equal, sizeof equal);
    return equal;
}

void __wrap_aes_ctr(const struct aes128 *aes, uint8_t counter[AES_BLOCK], uint8_t *data, size_t len)
{
    __real_aes_ctr(aes, counter, data, len);
    VALGRIND_MAKE_MEM_DEFINED(data, len);
}

void __wrap_aes_cbc_decrypt(const struct aes128 *aes, const uint8_t iv[AES_BLOCK], uint8_t *data,
                            size_t len)
{
    __real_aes_cbc_decrypt(aes, iv, data, len);
    VALGRIND_MAKE_MEM_DEFINED(data, len);
}

int __wrap_ccm_open(const struct ccm *ccm, uint8_t *message, size_t len, const uint8_t *mic)
{
    int error = __real_ccm_open(ccm, message, len, mic);

    VALGRIND_MAKE_MEM_DEFINED(message, len);
    return error;
}

int __wrap_ctr_xcbc_open(const struct ctr_xcbc *mode, uint8_t *text, size_t len,
                         const uint8_t mac[XCBC_MAC_SIZE])
{
    int error = __real_ctr_xcbc_open(mode, text, len, mac);

    VALGRIND_MAKE_MEM_DEFINED(text, len);
    return error;
}

static struct bearssl_aes128 aes_state;
static struct aes128 aes;
static br_sha1_context sha1_state;
static struct sha1 sha1;
static br_sha256_context sha256_state;
static struct sha256 sha256;
static struct p256 p256;
static const struct ipsec_crypto crypto = {&aes, &sha1, &sha256};
static struct bearssl_aes128_pair pair_state, own_state;
static struct aes128 pair, own;

/* Fills octets and marks them as secret. */
static void secret(void *out, size_t len, uint8_t value)
{
    memset(out, value, len);
    VALGRIND_MAKE_MEM_UNDEFINED(out, len);
}

/* True if an output depends on the secret, because a check that tracks nothing would never fail. */
static bool follows(const void *at, size_t len)
{
    uint8_t unknown[64] = {0};
    uint8_t any = 0;

    (void)VALGRIND_GET_VBITS(at, unknown, len);
    for (size_t i = 0; i < len; i++)
        any |= unknown[i];
    return !RUNNING_ON_VALGRIND || any != 0;
}

static void publish(void *at, size_t len)
{
    VALGRIND_MAKE_MEM_DEFINED(at, len);
}

/* Runs a comparison that is not constant-time in a separate process. valgrind must report it. */
TEST(detects_a_comparison_that_stops_at_the_first_difference)
{
    int status = 0;
    pid_t child = fork();

    REQUIRE(child >= 0);
    if (child == 0) {
        volatile uint8_t right[4], given[4] = {0, 0, 1, 0};
        int equal = 1;

        memset((uint8_t *)right, 0, sizeof right);
        VALGRIND_MAKE_MEM_UNDEFINED(right, sizeof right);
        for (size_t i = 0; i < sizeof right && equal; i++)
            if (right[i] != given[i])
                equal = 0;
        _exit(0);
    }
    REQUIRE(waitpid(child, &status, 0) == child);
#if __has_include(<valgrind/memcheck.h>)
    CHECK_INT(WIFEXITED(status) && WEXITSTATUS(status) != 0, RUNNING_ON_VALGRIND != 0);
#endif
}

TEST(compares_tags_independently_of_where_they_differ)
{
    uint8_t right[16], given[16] = {0};
    bool equal;

    secret(right, sizeof right, 0);
    equal = __real_equal_ct(right, given, sizeof right);
    CHECK(follows(&equal, sizeof equal));
    publish(&equal, sizeof equal);
    CHECK(equal);
}

TEST(runs_aes_in_every_mode_without_branching_on_key_or_text)
{
    uint8_t key[16], text[48], mac[XCBC_MAC_SIZE], tag[GCM_TAG_SIZE];
    uint8_t iv[AES_BLOCK] = {1}, counter[AES_BLOCK] = {2};
    struct piece whole = {text, sizeof text};
    const struct piece header = {iv, sizeof iv};

    secret(key, sizeof key, 7);
    secret(text, sizeof text, 8);
    aes.set_key(aes.context, key);
    aes_cbc_encrypt(&aes, iv, text, sizeof text);
    __real_aes_cbc_decrypt(&aes, iv, text, sizeof text);
    CHECK(follows(text, sizeof text));
    __real_aes_ctr(&aes, counter, text, sizeof text);
    gcm_seal(&aes, iv, &header, text, sizeof text, tag);
    CHECK(follows(tag, sizeof tag));
    xcbc_mac_96(&aes, key, &whole, mac);
    CHECK(follows(mac, sizeof mac));
}

TEST(runs_aes_on_two_blocks_without_branching_on_keys_or_text)
{
    uint8_t keys[2][16], text[48];
    uint8_t counter[AES_BLOCK] = {2};

    secret(keys, sizeof keys, 7);
    secret(text, sizeof text, 8);
    pair.pair->set_keys(pair.context, keys[0], keys[1]);
    pair.pair->encrypt(pair.context, text);
    pair.set_key(pair.context, keys[0]);
    pair.encrypt(pair.context, text);
    __real_aes_ctr(&pair, counter, text, sizeof text);
    CHECK(follows(text, sizeof text));
}

TEST(seals_and_opens_ccm_and_frames_independently_of_the_key)
{
    uint8_t key[16], message[40] = "a frame's content", mic[8], nonce[13] = {1};
    uint8_t psdu[FRAME_MAX];
    const uint8_t eui[2][8] = {{2, 1}, {2, 2}};
    struct link_address to = link_extended(eui[0]), from = link_extended(eui[1]);
    struct frame frame;
    struct ccm ccm = {.aes = &aes, .length_size = 2, .mic_len = 8, .nonce = nonce};

    secret(key, sizeof key, 9);
    aes.set_key(aes.context, key);
    CHECK_INT(ccm_seal(&ccm, message, sizeof message, mic), MOTE_OK);
    CHECK(follows(mic, sizeof mic)); /* the ciphertext is public */
    CHECK_INT(__real_ccm_open(&ccm, message, sizeof message, mic), MOTE_OK);
    mic[0] ^= 1;
    CHECK_INT(__real_ccm_open(&ccm, message, sizeof message, mic), MOTE_E_AUTH);

    frame_data(&frame, 0xabcd, &to, &from, 1);
    frame.secured = true;
    frame.security.level = 5;
    frame.payload = message;
    frame.payload_len = sizeof message;
    int len = frame_seal(&frame, &aes, eui[1], psdu, sizeof psdu);
    REQUIRE(len > 0);
    publish(psdu, (size_t)len); /* public on the air */
    REQUIRE(frame_parse(&frame, psdu, (size_t)len) == MOTE_OK);
    CHECK_INT(frame_open(&frame, psdu, &aes, eui[1]), MOTE_OK);
}

TEST(derives_macs_and_keys_without_branching_on_secrets)
{
    uint8_t key[32], out[40], mac[SHA256_SIZE];
    const uint8_t public[8] = "context";
    const struct piece hashed = {public, sizeof public}, from = {key, sizeof key};

    secret(key, sizeof key, 5);
    hmac_sha256(&sha256, key, sizeof key, &hashed, 1, mac);
    CHECK(follows(mac, sizeof mac));
    hmac_sha1(&sha1, key, 20, &hashed, 1, mac);
    CHECK(follows(mac, SHA1_SIZE));
    CHECK_INT(hkdf_sha256(&sha256, &from, &hashed, &hashed, out, sizeof out), MOTE_OK);
    CHECK(follows(out, sizeof out));
}

static void protect_and_open_with(const struct ipsec_crypto *used, const struct aes128 *expanded,
                                  const struct ipsec_protocol *protocol,
                                  const struct ipsec_cipher *cipher,
                                  const struct ipsec_integrity *integrity)
{
    const struct ipv6_address ends[2] = {{{0xfd, [15] = 1}}, {{0xfd, [15] = 2}}};
    const struct udp udp = {5683, 5683, (const uint8_t *)"reading", 7};
    struct ipsec_sa out = {.protocol = protocol,
                           .cipher = cipher,
                           .integrity = integrity,
                           .spi = 0x11000001,
                           .reserved = 100};
    struct ipsec_sa in;
    struct ipsec_cache cache;
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU], opened[IPV6_MTU];
    int len = ipv6_udp_packet(&udp, &ends[0], &ends[1], packet, sizeof packet);

    secret(out.key, sizeof out.key, 3);
    secret(out.salt, sizeof out.salt, 4);
    secret(out.integrity_key, sizeof out.integrity_key, 5);
    if (used->aes->pair != NULL)
        ipsec_cache_init(&cache, &out, used->aes, expanded);
    in = out;
    int n = ipsec_seal(&out, used, packet, (size_t)len, sealed, sizeof sealed);
    REQUIRE(n > len);
    publish(sealed, (size_t)n);
    CHECK_INT(ipsec_open(&in, used, sealed, (size_t)n, opened, sizeof opened), len);
    sealed[n - 1] ^= 1;
    in.top = 0;
    in.window = 0;
    CHECK(ipsec_open(&in, used, sealed, (size_t)n, opened, sizeof opened) < 0);
}

static void protect_and_open(const struct ipsec_protocol *protocol,
                             const struct ipsec_cipher *cipher,
                             const struct ipsec_integrity *integrity)
{
    protect_and_open_with(&crypto, NULL, protocol, cipher, integrity);
}

TEST(packets_are_sealed_and_opened_independently_of_keys)
{
    protect_and_open(&ipsec_esp, &ipsec_aes_ctr, &ipsec_xcbc_96);
    protect_and_open(&ipsec_esp, &ipsec_aes_cbc, &ipsec_hmac_sha1_96);
    protect_and_open(&ipsec_esp, &ipsec_null, &ipsec_hmac_sha256_128);
    protect_and_open(&ipsec_esp, &ipsec_aes_ccm_8, NULL);
    protect_and_open(&ipsec_ah, NULL, &ipsec_xcbc_96);
}

TEST(packets_are_sealed_and_opened_independently_of_cached_keys)
{
    const struct ipsec_crypto paired = {&pair, NULL, NULL};

    protect_and_open_with(&paired, NULL, &ipsec_esp, &ipsec_aes_ctr_xcbc_96, NULL);
    protect_and_open_with(&paired, &own, &ipsec_esp, &ipsec_aes_ctr_xcbc_96, NULL);
    protect_and_open_with(&paired, &own, &ipsec_ah, NULL, &ipsec_xcbc_96_cached);
}

/* BearSSL and the scalar check branch once on the validity of a key or nonce (secrets.supp). */
TEST(private_keys_affect_only_the_check_of_their_validity)
{
    uint8_t key[P256_PRIVATE_SIZE], point[P256_PUBLIC_SIZE], other[P256_PUBLIC_SIZE];
    uint8_t hash[SHA256_SIZE] = {1}, signature[P256_SIGNATURE_SIZE], shared[P256_SHARED_SIZE];

    secret(key, sizeof key, 6);
    int error = p256.public_key(p256.context, key, point);
    publish(&error, sizeof error);
    CHECK_INT(error, MOTE_OK);
    CHECK(follows(point, sizeof point));
    memcpy(other, point, sizeof other);
    publish(other, sizeof other);
    error = p256.sign(p256.context, key, hash, signature);
    publish(&error, sizeof error);
    CHECK_INT(error, MOTE_OK);
    CHECK(follows(signature, sizeof signature));
    error = p256.shared(p256.context, key, other, shared);
    publish(&error, sizeof error);
    CHECK_INT(error, MOTE_OK);
    CHECK(follows(shared, sizeof shared));
    publish(signature, sizeof signature);
    CHECK_INT(p256.verify(p256.context, other, hash, signature), MOTE_OK);
}

int main(void)
{
    bearssl_aes128(&aes, &aes_state);
    bearssl_aes128_pair(&pair, &pair_state);
    bearssl_aes128_pair(&own, &own_state);
    bearssl_sha1(&sha1, &sha1_state);
    bearssl_sha256(&sha256, &sha256_state);
    bearssl_p256(&p256, &br_ec_p256_m31);
    RUN(detects_a_comparison_that_stops_at_the_first_difference);
    RUN(compares_tags_independently_of_where_they_differ);
    RUN(runs_aes_in_every_mode_without_branching_on_key_or_text);
    RUN(runs_aes_on_two_blocks_without_branching_on_keys_or_text);
    RUN(seals_and_opens_ccm_and_frames_independently_of_the_key);
    RUN(derives_macs_and_keys_without_branching_on_secrets);
    RUN(packets_are_sealed_and_opened_independently_of_keys);
    RUN(packets_are_sealed_and_opened_independently_of_cached_keys);
    RUN(private_keys_affect_only_the_check_of_their_validity);
    return harness_report();
}
