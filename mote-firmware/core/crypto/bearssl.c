#include "mote/crypto_bearssl.h"

#include <string.h>

#include "mote/base.h"
#include "mote/port/random.h"

/* BearSSL exports modes but not the block cipher. One CBC block with a zero IV is the cipher. */

static void aes_set_key(void *context, const uint8_t key[AES_BLOCK])
{
    struct bearssl_aes128 *state = context;
    br_aes_ct_cbcenc_init(&state->encrypt, key, AES_BLOCK);
    memcpy(state->key, key, AES_BLOCK);
    state->decrypt_ready = false;
}

static void aes_encrypt(void *context, uint8_t block[AES_BLOCK])
{
    struct bearssl_aes128 *state = context;
    uint8_t iv[AES_BLOCK] = {0};
    br_aes_ct_cbcenc_run(&state->encrypt, iv, block, AES_BLOCK);
}

static void aes_decrypt(void *context, uint8_t block[AES_BLOCK])
{
    struct bearssl_aes128 *state = context;
    uint8_t iv[AES_BLOCK] = {0};
    if (!state->decrypt_ready) {
        br_aes_ct_cbcdec_init(&state->decrypt, state->key, AES_BLOCK);
        state->decrypt_ready = true;
    }
    br_aes_ct_cbcdec_run(&state->decrypt, iv, block, AES_BLOCK);
}

void bearssl_aes128(struct aes128 *driver, struct bearssl_aes128 *state)
{
    *driver = (struct aes128){
        .set_key = aes_set_key, .encrypt = aes_encrypt, .decrypt = aes_decrypt, .context = state};
}

static void forward_set_key(void *context, const uint8_t key[AES_BLOCK])
{
    br_aes_ct_cbcenc_init(context, key, AES_BLOCK);
}

static void forward_encrypt(void *context, uint8_t block[AES_BLOCK])
{
    uint8_t iv[AES_BLOCK] = {0};
    br_aes_ct_cbcenc_run(context, iv, block, AES_BLOCK);
}

void bearssl_aes128_forward(struct aes128 *driver, br_aes_ct_cbcenc_keys *state)
{
    *driver =
        (struct aes128){.set_key = forward_set_key, .encrypt = forward_encrypt, .context = state};
}

static void sha1_init(void *context)
{
    br_sha1_init(context);
}

static void sha1_update(void *context, const uint8_t *data, size_t len)
{
    br_sha1_update(context, data, len);
}

static void sha1_final(void *context, uint8_t digest[SHA1_SIZE])
{
    br_sha1_out(context, digest);
}

void bearssl_sha1(struct sha1 *driver, br_sha1_context *state)
{
    *driver = (struct sha1){sha1_init, sha1_update, sha1_final, state};
}

static void hash_init(void *context)
{
    br_sha256_init(context);
}

static void hash_update(void *context, const uint8_t *data, size_t len)
{
    br_sha256_update(context, data, len);
}

static void hash_final(void *context, uint8_t digest[SHA256_SIZE])
{
    br_sha256_out(context, digest);
}

void bearssl_sha256(struct sha256 *driver, br_sha256_context *state)
{
    *driver = (struct sha256){hash_init, hash_update, hash_final, state};
}

/* Checks 0 < key < n in constant time; the only branch depends on the result. */
static bool is_scalar(const br_ec_impl *curve, const uint8_t key[P256_PRIVATE_SIZE])
{
    size_t len;
    const uint8_t *order = curve->order(BR_EC_secp256r1, &len);
    uint32_t borrow = 0;
    uint32_t any = 0;
    for (size_t i = P256_PRIVATE_SIZE; i > 0; i--) {
        borrow = ((uint32_t)key[i - 1] - order[i - 1] - borrow) >> 31;
        any |= key[i - 1];
    }
    return len == P256_PRIVATE_SIZE && borrow == 1 && any != 0;
}

static void encode_point(uint8_t out[1 + P256_PUBLIC_SIZE], const uint8_t point[P256_PUBLIC_SIZE])
{
    out[0] = 0x04; /* uncompressed, SEC 1 section 2.3.3 */
    memcpy(out + 1, point, P256_PUBLIC_SIZE);
}

static int p256_generate(void *context, const struct random *random, uint8_t key[P256_PRIVATE_SIZE])
{
    /* A random scalar is invalid once in 2^32 tries; three in a row mean a broken source. */
    for (int tries = 0; tries < 3; tries++) {
        if (random->fill(random->context, key, P256_PRIVATE_SIZE) != 0)
            break;
        if (is_scalar(context, key))
            return MOTE_OK;
    }
    wipe(key, P256_PRIVATE_SIZE);
    return MOTE_E_IO;
}

static int p256_public_key(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                           uint8_t point[P256_PUBLIC_SIZE])
{
    const br_ec_impl *curve = context;
    uint8_t encoded[1 + P256_PUBLIC_SIZE];
    if (!is_scalar(curve, key))
        return MOTE_E_MALFORMED;
    if (curve->mulgen(encoded, key, P256_PRIVATE_SIZE, BR_EC_secp256r1) != sizeof encoded)
        return MOTE_E_MALFORMED;
    memcpy(point, encoded + 1, P256_PUBLIC_SIZE);
    return MOTE_OK;
}

static int p256_sign(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                     const uint8_t hash[SHA256_SIZE], uint8_t signature[P256_SIGNATURE_SIZE])
{
    uint8_t copy[P256_PRIVATE_SIZE]; /* BearSSL's struct has no const */
    br_ec_private_key private_key = {BR_EC_secp256r1, copy, sizeof copy};
    memcpy(copy, key, sizeof copy);
    size_t len = br_ecdsa_i31_sign_raw(context, &br_sha256_vtable, hash, &private_key, signature);
    wipe(copy, sizeof copy);
    return len == P256_SIGNATURE_SIZE ? MOTE_OK : MOTE_E_MALFORMED;
}

static int p256_verify(void *context, const uint8_t point[P256_PUBLIC_SIZE],
                       const uint8_t hash[SHA256_SIZE],
                       const uint8_t signature[P256_SIGNATURE_SIZE])
{
    uint8_t encoded[1 + P256_PUBLIC_SIZE];
    encode_point(encoded, point);
    br_ec_public_key public_key = {BR_EC_secp256r1, encoded, sizeof encoded};
    uint32_t good = br_ecdsa_i31_vrfy_raw(context, hash, SHA256_SIZE, &public_key, signature,
                                          P256_SIGNATURE_SIZE);
    return good == 1 ? MOTE_OK : MOTE_E_AUTH;
}

static int p256_shared(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                       const uint8_t point[P256_PUBLIC_SIZE], uint8_t x[P256_SHARED_SIZE])
{
    const br_ec_impl *curve = context;
    uint8_t encoded[1 + P256_PUBLIC_SIZE];
    int error = MOTE_E_MALFORMED;
    encode_point(encoded, point);
    if (is_scalar(curve, key) &&
        curve->mul(encoded, sizeof encoded, key, P256_PRIVATE_SIZE, BR_EC_secp256r1) == 1) {
        memcpy(x, encoded + 1, P256_SHARED_SIZE);
        error = MOTE_OK;
    }
    wipe(encoded, sizeof encoded);
    return error;
}

void bearssl_p256(struct p256 *driver, const br_ec_impl *curve)
{
    /* The table is constant; the union only carries it through the driver's context pointer. */
    union {
        const br_ec_impl *table;
        void *context;
    } carry = {.table = curve};
    *driver = (struct p256){p256_generate, p256_public_key, p256_sign,
                            p256_verify,   p256_shared,     carry.context};
}

/* On a Cortex-M3, long multiplication takes longer for larger operands; 32-bit multiplication does
 * not. Without BR_CT_MUL31, neither the curve nor the arithmetic modulo its order may use long
 * multiplication there. */
static int p256_sign_m15(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                         const uint8_t hash[SHA256_SIZE], uint8_t signature[P256_SIGNATURE_SIZE])
{
    uint8_t copy[P256_PRIVATE_SIZE];
    br_ec_private_key private_key = {BR_EC_secp256r1, copy, sizeof copy};
    memcpy(copy, key, sizeof copy);
    size_t len = br_ecdsa_i15_sign_raw(context, &br_sha256_vtable, hash, &private_key, signature);
    wipe(copy, sizeof copy);
    return len == P256_SIGNATURE_SIZE ? MOTE_OK : MOTE_E_MALFORMED;
}

static int p256_verify_m15(void *context, const uint8_t point[P256_PUBLIC_SIZE],
                           const uint8_t hash[SHA256_SIZE],
                           const uint8_t signature[P256_SIGNATURE_SIZE])
{
    uint8_t encoded[1 + P256_PUBLIC_SIZE];
    encode_point(encoded, point);
    br_ec_public_key public_key = {BR_EC_secp256r1, encoded, sizeof encoded};
    uint32_t good = br_ecdsa_i15_vrfy_raw(context, hash, SHA256_SIZE, &public_key, signature,
                                          P256_SIGNATURE_SIZE);
    return good == 1 ? MOTE_OK : MOTE_E_AUTH;
}

void bearssl_p256_m15(struct p256 *driver)
{
    union {
        const br_ec_impl *table;
        void *context;
    } carry = {.table = &br_ec_p256_m15};
    *driver = (struct p256){p256_generate,   p256_public_key, p256_sign_m15,
                            p256_verify_m15, p256_shared,     carry.context};
}
