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
void bearssl_sha1(struct sha1 *driver, br_sha1_context *state);
void bearssl_sha256(struct sha256 *driver, br_sha256_context *state);

/* `curve` is the implementation to use: &br_ec_p256_m15 on a Cortex-M0/M3, &br_ec_p256_m31
 * elsewhere. */
void bearssl_p256(struct p256 *driver, const br_ec_impl *curve);

#endif
