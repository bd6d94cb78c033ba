/* Drivers of mote/crypto.h on BearSSL's constant-time implementations. None allocates memory. */
#ifndef MOTE_CRYPTO_BEARSSL_H
#define MOTE_CRYPTO_BEARSSL_H

#include <bearssl.h>
#include <stdbool.h>
#include <stdint.h>

#include "mote/crypto.h"

struct bearssl_aes128 {
    br_aes_ct_cbcenc_keys encrypt;
    br_aes_ct_cbcdec_keys decrypt;
    bool decrypt_ready; /* the inverse key schedule is made on first use */
    uint8_t key[AES_BLOCK];
};

/* Each function binds `driver` to the caller's state, which must outlive the driver; the caller
 * wipes it. */
void bearssl_aes128(struct aes128 *driver, struct bearssl_aes128 *state);
/* Omits the inverse cipher, which only CBC decryption needs, and takes half the RAM. */
void bearssl_aes128_forward(struct aes128 *driver, br_aes_ct_cbcenc_keys *state);
/* The forward cipher for two blocks at once, its keys fully expanded: more RAM than
 * bearssl_aes128_forward, less time. */
struct bearssl_aes128_pair {
    uint32_t keys[2 * 4 * 11]; /* for each of the 11 round keys, in turn a word of each key */
};
void bearssl_aes128_pair(struct aes128 *driver, struct bearssl_aes128_pair *state);
void bearssl_sha1(struct sha1 *driver, br_sha1_context *state);
void bearssl_sha256(struct sha256 *driver, br_sha256_context *state);

/* `curve` is BearSSL's implementation: &br_ec_p256_m31 where long multiplication takes constant
 * time or BearSSL is built with BR_CT_MUL31. */
void bearssl_p256(struct p256 *driver, const br_ec_impl *curve);
/* Uses 15-bit arithmetic throughout: for a Cortex-M0, or an M3 with a BearSSL built without
 * BR_CT_MUL31. */
void bearssl_p256_m15(struct p256 *driver);

#endif
