/*
 * Measures a key pair, a signature and its verification with P-256 in 15-bit arithmetic, and the
 * hashes, on a simulated processor (cost.h). Prints lines as evaluate.c does.
 */
#include <string.h>

#include "cost.h"
#include "mote/crypto_bearssl.h"

enum { MESSAGE = 64 };

static struct {
    struct p256 p256;
    br_sha1_context sha1_state;
    br_sha256_context sha256_state;
    struct sha1 sha1;
    struct sha256 sha256;
    uint8_t message[MESSAGE];
    uint8_t key[P256_PRIVATE_SIZE], point[P256_PUBLIC_SIZE];
    uint8_t hash[SHA256_SIZE], digest[SHA1_SIZE], signature[P256_SIGNATURE_SIZE];
    int result;
} bench;

static void hash_sha1(void *context)
{
    (void)context;
    bench.sha1.init(bench.sha1.context);
    bench.sha1.update(bench.sha1.context, bench.message, MESSAGE);
    bench.sha1.final(bench.sha1.context, bench.digest);
}

static void hash_sha256(void *context)
{
    (void)context;
    bench.sha256.init(bench.sha256.context);
    bench.sha256.update(bench.sha256.context, bench.message, MESSAGE);
    bench.sha256.final(bench.sha256.context, bench.hash);
}

static void public_key(void *context)
{
    (void)context;
    bench.result = bench.p256.public_key(bench.p256.context, bench.key, bench.point);
}

static void sign(void *context)
{
    (void)context;
    bench.result = bench.p256.sign(bench.p256.context, bench.key, bench.hash, bench.signature);
}

static void verify(void *context)
{
    (void)context;
    bench.result = bench.p256.verify(bench.p256.context, bench.point, bench.hash, bench.signature);
}

static void measure(const char *label, void (*work)(void *context))
{
    cost_measure(label, work);
    if (bench.result < 0)
        cost_fail("an operation failed");
}

int main(void)
{
    /* RFC 6979 appendix A.2.5: the private key, the first octets of the public key, and of the
     * signature of "sample". */
    static const uint8_t key[P256_PRIVATE_SIZE] = {0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba, 0x75, 0x16,
                                                   0x6b, 0x5c, 0x21, 0x57, 0x67, 0xb1, 0xd6, 0x93,
                                                   0x4e, 0x50, 0xc3, 0xdb, 0x36, 0xe8, 0x9b, 0x12,
                                                   0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f, 0x67, 0x21};
    static const uint8_t ux[4] = {0x60, 0xfe, 0xd4, 0xba}, r[4] = {0xef, 0xd4, 0x8b, 0x2a};

    cost_begin();
    bearssl_sha1(&bench.sha1, &bench.sha1_state);
    bearssl_sha256(&bench.sha256, &bench.sha256_state);
    bearssl_p256_m15(&bench.p256);
    memcpy(bench.key, key, sizeof key);
    measure("hash\tall\tSHA-1\t64", hash_sha1);
    measure("hash\tall\tSHA-256\t64", hash_sha256);
    bench.sha256.init(bench.sha256.context);
    bench.sha256.update(bench.sha256.context, (const uint8_t *)"sample", 6);
    bench.sha256.final(bench.sha256.context, bench.hash);
    measure("signature\tP-256\tkey pair\t0", public_key);
    measure("signature\tP-256\tsign\t0", sign);
    measure("signature\tP-256\tverify\t0", verify);
    if (memcmp(bench.point, ux, sizeof ux) != 0 || memcmp(bench.signature, r, sizeof r) != 0)
        cost_fail("a result differs from RFC 6979");
    cost_end();
    return 0;
}
