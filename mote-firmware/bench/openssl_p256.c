#include "openssl_p256.h"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/obj_mac.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

static EC_GROUP *group;
static BN_CTX *scratch;
static BIGNUM *order;

static void must(int ok)
{
    if (!ok)
        abort();
}

static BIGNUM *number(const uint8_t *octets, size_t len)
{
    BIGNUM *n = BN_bin2bn(octets, (int)len, NULL);

    must(n != NULL);
    return n;
}

static void write_number(const BIGNUM *n, uint8_t *out)
{
    must(BN_bn2binpad(n, out, P256_PRIVATE_SIZE) == P256_PRIVATE_SIZE);
}

static bool is_scalar(const uint8_t *key)
{
    BIGNUM *n = number(key, P256_PRIVATE_SIZE);
    bool ok = !BN_is_zero(n) && BN_cmp(n, order) < 0;

    BN_free(n);
    return ok;
}

/* Computes u1 G + u2 Q and writes the coordinates to `out`. False for the point at infinity or an
 * invalid point Q. */
static bool multiply(const BIGNUM *u1, const uint8_t *q, const BIGNUM *u2, uint8_t *out)
{
    uint8_t octets[1 + P256_PUBLIC_SIZE] = {4};
    EC_POINT *point = EC_POINT_new(group), *result = EC_POINT_new(group);
    bool ok = point != NULL && result != NULL;

    if (q != NULL) {
        memcpy(octets + 1, q, P256_PUBLIC_SIZE);
        ok = ok && EC_POINT_oct2point(group, point, octets, sizeof octets, scratch) == 1;
    }
    ok = ok && EC_POINT_mul(group, result, u1, q == NULL ? NULL : point, u2, scratch) == 1 &&
         EC_POINT_point2oct(group, result, POINT_CONVERSION_UNCOMPRESSED, octets, sizeof octets,
                            scratch) == sizeof octets;
    if (ok)
        memcpy(out, octets + 1, P256_PUBLIC_SIZE);
    EC_POINT_free(point);
    EC_POINT_free(result);
    return ok;
}

static int generate(void *context, const struct random *random, uint8_t key[P256_PRIVATE_SIZE])
{
    (void)context;
    do
        if (random->fill(random->context, key, P256_PRIVATE_SIZE) != 0)
            return MOTE_E_IO;
    while (!is_scalar(key));
    return MOTE_OK;
}

static int public_key(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                      uint8_t point[P256_PUBLIC_SIZE])
{
    BIGNUM *d = number(key, P256_PRIVATE_SIZE);
    bool ok = is_scalar(key) && multiply(d, NULL, NULL, point);

    (void)context;
    BN_free(d);
    return ok ? MOTE_OK : MOTE_E_MALFORMED;
}

/* A nonce that depends only on key and message, so that a run can be repeated. */
static BIGNUM *nonce(const uint8_t *key, const uint8_t *hash)
{
    uint8_t text[P256_PRIVATE_SIZE + SHA256_SIZE], digest[SHA256_SIZE];

    memcpy(text, key, P256_PRIVATE_SIZE);
    memcpy(text + P256_PRIVATE_SIZE, hash, SHA256_SIZE);
    SHA256(text, sizeof text, digest);
    digest[0] &= 0x7f; /* below the order */
    return number(digest, sizeof digest);
}

static int sign(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                const uint8_t hash[SHA256_SIZE], uint8_t signature[P256_SIGNATURE_SIZE])
{
    BIGNUM *d = number(key, P256_PRIVATE_SIZE), *e = number(hash, SHA256_SIZE);
    BIGNUM *k = nonce(key, hash), *r = NULL, *s = BN_new();
    uint8_t point[P256_PUBLIC_SIZE];

    (void)context;
    must(s != NULL && multiply(k, NULL, NULL, point));
    r = number(point, P256_PRIVATE_SIZE);
    must(BN_nnmod(r, r, order, scratch) && BN_mod_mul(s, r, d, order, scratch) &&
         BN_mod_add(s, s, e, order, scratch) && BN_mod_inverse(k, k, order, scratch) != NULL &&
         BN_mod_mul(s, s, k, order, scratch));
    write_number(r, signature);
    write_number(s, signature + P256_PRIVATE_SIZE);
    BN_clear_free(d);
    BN_clear_free(k);
    BN_free(e);
    BN_free(r);
    BN_free(s);
    return MOTE_OK;
}

static int verify(void *context, const uint8_t point[P256_PUBLIC_SIZE],
                  const uint8_t hash[SHA256_SIZE], const uint8_t signature[P256_SIGNATURE_SIZE])
{
    uint8_t found[P256_PUBLIC_SIZE];
    BIGNUM *r = number(signature, P256_PRIVATE_SIZE), *e = number(hash, SHA256_SIZE);
    BIGNUM *w = number(signature + P256_PRIVATE_SIZE, P256_PRIVATE_SIZE), *u = BN_new();
    bool ok = is_scalar(signature) && is_scalar(signature + P256_PRIVATE_SIZE) && u != NULL &&
              BN_mod_inverse(w, w, order, scratch) != NULL && BN_mod_mul(e, e, w, order, scratch) &&
              BN_mod_mul(u, r, w, order, scratch) && multiply(e, point, u, found);

    (void)context;
    if (ok) {
        BIGNUM *x = number(found, P256_PRIVATE_SIZE);

        ok = BN_nnmod(x, x, order, scratch) && BN_cmp(x, r) == 0;
        BN_free(x);
    }
    BN_free(r);
    BN_free(e);
    BN_free(w);
    BN_free(u);
    return ok ? MOTE_OK : MOTE_E_AUTH;
}

static int shared(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                  const uint8_t point[P256_PUBLIC_SIZE], uint8_t x[P256_SHARED_SIZE])
{
    uint8_t found[P256_PUBLIC_SIZE];
    BIGNUM *d = number(key, P256_PRIVATE_SIZE);
    bool ok = is_scalar(key) && multiply(NULL, point, d, found);

    (void)context;
    if (ok)
        memcpy(x, found, P256_SHARED_SIZE);
    BN_clear_free(d);
    return ok ? MOTE_OK : MOTE_E_MALFORMED;
}

const struct p256 *openssl_p256(void)
{
    static const struct p256 driver = {generate, public_key, sign, verify, shared, NULL};

    if (group == NULL) {
        group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
        scratch = BN_CTX_new();
        order = BN_new();
        must(group != NULL && scratch != NULL && order != NULL &&
             EC_GROUP_get_order(group, order, scratch) == 1);
    }
    return &driver;
}
