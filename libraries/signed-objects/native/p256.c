/*
 * Verifies up to eight ECDSA signatures on P-256 at once, with Intel's Cryptography Primitives Library. The arithmetic
 * is in crypto_mb; this file only gives it pointers into one array of fixed layout, so that the caller passes lengths
 * that can be checked in one place.
 *
 * A lane has 160 octets: SHA-256 of the message, r, s, x and y of the public key, each 32 octets and big-endian.
 * Nothing is kept between calls, and any number of threads may call.
 */
#include <stdint.h>
#include <string.h>

#include <crypto_mb/cpu_features.h>
#include <crypto_mb/ec_nistp256.h>

#define EXPORT __attribute__((visibility("default")))

enum { LANES = 8, NUMBER = 32, WORDS = 4, LANE = 5 * NUMBER };

/*
 * Functions of OpenSSL that other entry points in the same object files of crypto_mb name, for OpenSSL's own types.
 * This library has none of those entry points, so nothing calls these functions, and it needs no libcrypto at run time.
 */
#define NEVER_CALLED(name)                                                                                             \
    __attribute__((noreturn)) void name(void);                                                                         \
    void name(void) { __builtin_trap(); }

NEVER_CALLED(BN_bin2bn)
NEVER_CALLED(BN_bn2lebinpad)
NEVER_CALLED(BN_num_bits)
NEVER_CALLED(ECDSA_SIG_get0)

/* The least significant word comes first. */
static void to_words(int64u words[WORDS], const uint8_t number[NUMBER])
{
    for (int i = 0; i < WORDS; i++) {
        uint64_t word;
        memcpy(&word, number + 8 * (WORDS - 1 - i), sizeof word);
        words[i] = __builtin_bswap64(word);
    }
}

/*
 * The digest modulo the order of the curve, big-endian: crypto_mb rejects signatures of some digests that are not below
 * the order. A digest is less than twice the order. Digests are public, so the time may depend on them.
 */
static void reduce(uint8_t reduced[NUMBER], const uint8_t digest[NUMBER])
{
    static const uint8_t ORDER[NUMBER] = {0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                          0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17, 0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};

    if (memcmp(digest, ORDER, NUMBER) < 0) {
        memcpy(reduced, digest, NUMBER);
        return;
    }
    int borrow = 0;
    for (int i = NUMBER - 1; i >= 0; i--) {
        int difference = digest[i] - ORDER[i] - borrow;
        reduced[i] = (uint8_t)difference;
        borrow = difference < 0;
    }
}

/* 1 if the processor and the operating system support the instructions: AVX-512 IFMA, or AVX-IFMA. */
EXPORT int32_t vigil_p256_supported(void);
EXPORT int32_t vigil_p256_supported(void)
{
    return (mbx_get_algo_info(MBX_ALGO_ECDSA_NIST_P256) & MBX_WIDTH_MB8) != 0;
}

/*
 * Bit i of the result is set if the signature of lane i is valid.
 *
 * count: lanes in use, at most 8; more are an error of the caller, and no lane is valid then
 */
EXPORT int32_t vigil_p256_verify(const uint8_t lanes[LANES * LANE], int32_t count);
EXPORT int32_t vigil_p256_verify(const uint8_t lanes[LANES * LANE], int32_t count)
{
    const int8u *digest[LANES] = {0}, *r[LANES] = {0}, *s[LANES] = {0};
    const int64u *x[LANES] = {0}, *y[LANES] = {0};
    int64u keys[LANES][2][WORDS];
    uint8_t reduced[LANES][NUMBER];
    int32_t valid = 0;

    if (count < 1 || count > LANES) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        const uint8_t *lane = lanes + (size_t)i * LANE;
        reduce(reduced[i], lane);
        digest[i] = reduced[i];
        r[i] = lane + NUMBER;
        s[i] = lane + 2 * NUMBER;
        to_words(keys[i][0], lane + 3 * NUMBER);
        to_words(keys[i][1], lane + 4 * NUMBER);
        x[i] = keys[i][0];
        y[i] = keys[i][1];
    }
    mbx_status status = mbx_nistp256_ecdsa_verify_mb8(r, s, digest, x, y, NULL, NULL);
    for (int i = 0; i < count; i++) {
        if (MBX_GET_STS(status, i) == MBX_STATUS_OK) {
            valid |= 1 << i;
        }
    }
    return valid;
}
