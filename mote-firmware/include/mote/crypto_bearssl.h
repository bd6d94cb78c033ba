/* The drivers of mote/crypto.h on BearSSL's constant-time code. Nothing allocates. */
#ifndef MOTE_CRYPTO_BEARSSL_H
#define MOTE_CRYPTO_BEARSSL_H

#include <bearssl.h>

#include "mote/crypto.h"

struct bearssl_aes128 {
    br_aes_ct_cbcenc_keys encrypt;
    br_aes_ct_cbcdec_keys decrypt;
    bool decrypt_ready; /* the inverse schedule is made when first asked for */
    uint8_t key[AES_BLOCK];
};

/* Each binds `driver` to the caller's state, which must outlive it and is the caller's to wipe. */
void bearssl_aes128(struct aes128 *driver, struct bearssl_aes128 *state);
/* Without the inverse cipher, which CTR, XCBC, CCM and GCM do not need: half the RAM. */
void bearssl_aes128_forward(struct aes128 *driver, br_aes_ct_cbcenc_keys *state);
void bearssl_sha1(struct sha1 *driver, br_sha1_context *state);
void bearssl_sha256(struct sha256 *driver, br_sha256_context *state);

/* `curve` is the implementation to use: &br_ec_p256_m31 where long multiplication takes constant
 * time or BearSSL was built with BR_CT_MUL31. */
void bearssl_p256(struct p256 *driver, const br_ec_impl *curve);
/* In 15-bit words throughout: for a Cortex-M0, or an M3 with a BearSSL built without that. */
void bearssl_p256_m15(struct p256 *driver);

#endif
