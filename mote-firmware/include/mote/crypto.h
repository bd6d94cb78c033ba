/*
 * Cryptographic primitives behind drivers, and modes of operation on top. A driver is a struct of
 * function pointers and a context that the caller owns. A port with hardware supplies its own
 * functions; other ports use BearSSL (mote/crypto_bearssl.h). The modes (CCM*, GCM, CTR, CBC, XCBC,
 * HMAC, HKDF) use only the driver. Curve arithmetic is the driver's.
 */
#ifndef MOTE_CRYPTO_H
#define MOTE_CRYPTO_H

#include "mote/base.h"
#include "mote/port/random.h"

enum {
    AES_BLOCK = 16,
    SHA256_SIZE = 32,
    SHA256_BLOCK = 64,
    SHA1_SIZE = 20,
    P256_PRIVATE_SIZE = 32,
    P256_PUBLIC_SIZE = 64,    /* X | Y, without the 0x04 in front */
    P256_SIGNATURE_SIZE = 64, /* R | S (RFC 7518 section 3.4) */
    P256_SHARED_SIZE = 32     /* the x coordinate */
};

/* The part of a driver that encrypts two blocks in the time of one, each under its own key. After
 * aes128.set_key both blocks use that key. */
struct aes128_pair {
    void (*set_keys)(void *context, const uint8_t first[AES_BLOCK],
                     const uint8_t second[AES_BLOCK]);
    void (*encrypt)(void *context, uint8_t blocks[2 * AES_BLOCK]);
    void (*ctr)(void *context, uint8_t counter[AES_BLOCK], uint8_t *data, size_t len); /* aes_ctr */
};

/* Holds one key at a time. Callers that share a driver (Contiki-NG) call set_key before each use.
 */
struct aes128 {
    void (*set_key)(void *context, const uint8_t key[AES_BLOCK]);
    void (*encrypt)(void *context, uint8_t block[AES_BLOCK]); /* in place */
    /* The inverse cipher, used by AES-CBC decryption only; NULL if the hardware has none. */
    void (*decrypt)(void *context, uint8_t block[AES_BLOCK]);
    void *context;
    const struct aes128_pair *pair; /* NULL if blocks are encrypted one by one */
};

struct sha256 {
    void (*init)(void *context);
    void (*update)(void *context, const uint8_t *data, size_t len);
    void (*final)(void *context, uint8_t digest[SHA256_SIZE]);
    void *context;
};

/* Used by HMAC-SHA1-96 of IPsec only (RFC 2404). */
struct sha1 {
    void (*init)(void *context);
    void (*update)(void *context, const uint8_t *data, size_t len);
    void (*final)(void *context, uint8_t digest[SHA1_SIZE]);
    void *context;
};

/*
 * NIST P-256. Each function returns 0 or an error: MOTE_E_MALFORMED for an invalid scalar or point,
 * MOTE_E_AUTH for a signature that does not verify, MOTE_E_IO without entropy.
 */
struct p256 {
    int (*generate)(void *context, const struct random *random, uint8_t key[P256_PRIVATE_SIZE]);
    int (*public_key)(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                      uint8_t point[P256_PUBLIC_SIZE]);
    /* Deterministic (RFC 6979), so that poor entropy at wake-up cannot reveal the key. */
    int (*sign)(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                const uint8_t hash[SHA256_SIZE], uint8_t signature[P256_SIGNATURE_SIZE]);
    int (*verify)(void *context, const uint8_t point[P256_PUBLIC_SIZE],
                  const uint8_t hash[SHA256_SIZE], const uint8_t signature[P256_SIGNATURE_SIZE]);
    int (*shared)(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                  const uint8_t point[P256_PUBLIC_SIZE], uint8_t x[P256_SHARED_SIZE]);
    void *context;
};

/* SHA-256 of the concatenated pieces. */
void sha256_pieces(const struct sha256 *hash, const struct piece *pieces, size_t count,
                   uint8_t digest[SHA256_SIZE]);

/* HMAC (RFC 2104). */
void hmac_sha256(const struct sha256 *hash, const uint8_t *key, size_t key_len,
                 const struct piece *pieces, size_t count, uint8_t mac[SHA256_SIZE]);

void hmac_sha1(const struct sha1 *hash, const uint8_t *key, size_t key_len,
               const struct piece *pieces, size_t count, uint8_t mac[SHA1_SIZE]);

/* HKDF-Extract and -Expand (RFC 5869). MOTE_E_SPACE for more than 255 x 32 octets. */
int hkdf_sha256(const struct sha256 *hash, const struct piece *secret, const struct piece *salt,
                const struct piece *info, uint8_t *out, size_t len);

/*
 * CCM* (RFC 3610, IEEE 802.15.4-2015 annex B) under the driver's key. `length_size` is L: 2 in
 * 802.15.4 (13-octet nonce), 4 in RFC 4309 (11); the nonce has 15 - L octets. A MIC of 0 octets
 * means encryption without authentication (level 4). An empty message means authentication without
 * encryption (levels 1 to 3).
 */
struct ccm {
    const struct aes128 *aes;
    uint8_t length_size;
    uint8_t mic_len; /* 0, 4, 8, 12 or 16 */
    const uint8_t *nonce;
    struct piece header[2]; /* authenticated, not encrypted; below 65280 octets in all */
};

/* Encrypts `message` in place and writes the MIC. 0 or MOTE_E_UNSUPPORTED for wrong sizes. */
int ccm_seal(const struct ccm *ccm, uint8_t *message, size_t len, uint8_t *mic);

/* Decrypts in place; MOTE_E_AUTH (and the message zeroed) unless the MIC matches. */
int ccm_open(const struct ccm *ccm, uint8_t *message, size_t len, const uint8_t *mic);

/*
 * AES-128-GCM (NIST SP 800-38D): encrypts `message` in place under the driver's key. The caller
 * never uses a nonce twice under one key.
 */
enum { GCM_NONCE_SIZE = 12, GCM_TAG_SIZE = 16 };
void gcm_seal(const struct aes128 *aes, const uint8_t nonce[GCM_NONCE_SIZE],
              const struct piece *header, uint8_t *message, size_t len, uint8_t tag[GCM_TAG_SIZE]);

/*
 * CTR mode in place, from the counter block `counter`, whose last four octets are incremented
 * (RFC 3686). `counter` is not meaningful afterwards.
 */
void aes_ctr(const struct aes128 *aes, uint8_t counter[AES_BLOCK], uint8_t *data, size_t len);

/* CBC mode in place over whole blocks; decryption needs the driver's inverse cipher. */
void aes_cbc_encrypt(const struct aes128 *aes, const uint8_t iv[AES_BLOCK], uint8_t *data,
                     size_t len);
void aes_cbc_decrypt(const struct aes128 *aes, const uint8_t iv[AES_BLOCK], uint8_t *data,
                     size_t len);

/* AES-XCBC-MAC-96 (RFC 3566) under `key`; the driver holds a derived key afterwards. */
enum { XCBC_MAC_SIZE = 12 };
void xcbc_mac_96(const struct aes128 *aes, const uint8_t key[AES_BLOCK], const struct piece *text,
                 uint8_t mac[XCBC_MAC_SIZE]);

/* The same with the subkeys K1 to K3 of RFC 3566 section 4, which are secret. xcbc_derive derives
 * them once, and the driver holds `key` afterwards. xcbc_mac needs a driver that holds K1, k[0]. */
struct xcbc_keys {
    uint8_t k[3][AES_BLOCK];
};
void xcbc_derive(const struct aes128 *aes, const uint8_t key[AES_BLOCK], struct xcbc_keys *keys);
void xcbc_mac(const struct aes128 *aes, const struct xcbc_keys *keys, const struct piece *text,
              uint8_t mac[XCBC_MAC_SIZE]);
/* Mixes padding and K2 or K3 into the last block, of `fill` octets (1 to 16; 0 if nothing is
 * covered), before its encryption. */
void xcbc_end(const struct xcbc_keys *keys, uint8_t state[AES_BLOCK], size_t fill);

/*
 * AES-CTR and AES-XCBC-MAC-96 over header and ciphertext in one pass, with a driver that has a
 * pair. The driver holds the cipher's key and K1.
 */
struct ctr_xcbc {
    const struct aes128 *aes;
    const struct xcbc_keys *keys;
    const uint8_t *header;      /* a block, authenticated and not encrypted */
    uint8_t counter[AES_BLOCK]; /* as of aes_ctr */
};
void ctr_xcbc_seal(const struct ctr_xcbc *mode, uint8_t *text, size_t len,
                   uint8_t mac[XCBC_MAC_SIZE]);
/* MOTE_E_AUTH (and the text zeroed) unless the MAC matches. */
int ctr_xcbc_open(const struct ctr_xcbc *mode, uint8_t *text, size_t len,
                  const uint8_t mac[XCBC_MAC_SIZE]);

#endif
