/*
 * Cryptography behind drivers. A driver is a struct of function pointers and a context that the
 * caller owns; a port with hardware fills it with its own functions, everybody else takes the
 * BearSSL ones (mote/crypto_bearssl.h). The modes on top (CCM*, CTR, CBC, XCBC, HMAC, HKDF) are
 * ours and know nothing but the driver. There is no curve arithmetic here.
 */
#ifndef MOTE_CRYPTO_H
#define MOTE_CRYPTO_H

#include "mote/base.h"

enum {
    AES_BLOCK = 16,
    SHA256_SIZE = 32,
    SHA256_BLOCK = 64,
    SHA1_SIZE = 20,
    P256_PRIVATE_SIZE = 32,
    P256_PUBLIC_SIZE = 64,    /* X | Y, without the 0x04 in front */
    P256_SIGNATURE_SIZE = 64, /* R | S, as JOSE wants it */
    P256_SHARED_SIZE = 32     /* the x coordinate */
};

/* One key at a time; a driver shared with others (Contiki-NG) means set_key before each use. */
struct aes128 {
    void (*set_key)(void *context, const uint8_t key[AES_BLOCK]);
    void (*encrypt)(void *context, uint8_t block[AES_BLOCK]); /* in place */
    /* The inverse cipher, for receiving AES-CBC only; NULL where the hardware has none. */
    void (*decrypt)(void *context, uint8_t block[AES_BLOCK]);
    void *context;
};

struct sha256 {
    void (*init)(void *context);
    void (*update)(void *context, const uint8_t *data, size_t len);
    void (*final)(void *context, uint8_t digest[SHA256_SIZE]);
    void *context;
};

/* For HMAC-SHA1-96 in IPsec (RFC 2404) alone. */
struct sha1 {
    void (*init)(void *context);
    void (*update)(void *context, const uint8_t *data, size_t len);
    void (*final)(void *context, uint8_t digest[SHA1_SIZE]);
    void *context;
};

/* Fills `out`; 0 or MOTE_E_IO when the source has no entropy (then nothing may be generated). */
struct random {
    int (*fill)(void *context, uint8_t *out, size_t len);
    void *context;
};

/*
 * NIST P-256. Each returns 0 or an error: MOTE_E_MALFORMED for a scalar or point that is none,
 * MOTE_E_AUTH for a signature that does not verify.
 */
struct p256 {
    int (*generate)(void *context, const struct random *random, uint8_t key[P256_PRIVATE_SIZE]);
    int (*public_key)(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                      uint8_t point[P256_PUBLIC_SIZE]);
    /* Deterministic (RFC 6979): a mote's entropy at wake-up must not decide over its key. */
    int (*sign)(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                const uint8_t hash[SHA256_SIZE], uint8_t signature[P256_SIGNATURE_SIZE]);
    int (*verify)(void *context, const uint8_t point[P256_PUBLIC_SIZE],
                  const uint8_t hash[SHA256_SIZE], const uint8_t signature[P256_SIGNATURE_SIZE]);
    int (*shared)(void *context, const uint8_t key[P256_PRIVATE_SIZE],
                  const uint8_t point[P256_PUBLIC_SIZE], uint8_t x[P256_SHARED_SIZE]);
    void *context;
};

/* A message in pieces, so that nobody copies one together to hash or authenticate it. */
struct piece {
    const uint8_t *data;
    size_t len;
};

void sha256_pieces(const struct sha256 *hash, const struct piece *pieces, size_t count,
                   uint8_t digest[SHA256_SIZE]);

/* RFC 2104. */
void hmac_sha256(const struct sha256 *hash, const uint8_t *key, size_t key_len,
                 const struct piece *pieces, size_t count, uint8_t mac[SHA256_SIZE]);

void hmac_sha1(const struct sha1 *hash, const uint8_t *key, size_t key_len,
               const struct piece *pieces, size_t count, uint8_t mac[SHA1_SIZE]);

/* RFC 5869, extract and expand; at most 255 x 32 octets, else MOTE_E_SPACE. */
int hkdf_sha256(const struct sha256 *hash, const struct piece *secret, const struct piece *salt,
                const struct piece *info, uint8_t *out, size_t len);

/*
 * CCM* (RFC 3610, IEEE 802.15.4-2015 annex B). The key is the driver's. `length_size` is L: 2 in
 * 802.15.4 (13-octet nonce), 4 in RFC 4309 (11); the nonce has 15 - L octets. A MIC of 0 octets
 * is encryption alone (level 4), and an empty message makes it authentication alone (1 to 3).
 */
struct ccm {
    const struct aes128 *aes;
    uint8_t length_size;
    uint8_t mic_len; /* 0, 4, 8, 12 or 16 */
    const uint8_t *nonce;
    struct piece header[2]; /* authenticated, not encrypted; together below 65280 octets */
};

/* Encrypts `message` in place and writes the MIC. 0 or MOTE_E_UNSUPPORTED for wrong sizes. */
int ccm_seal(const struct ccm *ccm, uint8_t *message, size_t len, uint8_t *mic);

/* Decrypts in place; MOTE_E_AUTH (and the message zeroed) unless the MIC matches. */
int ccm_open(const struct ccm *ccm, uint8_t *message, size_t len, const uint8_t *mic);

/*
 * AES-128-GCM (NIST SP 800-38D): encrypts `message` in place. The key is the driver's; a nonce
 * must never serve twice under it.
 */
enum { GCM_NONCE_SIZE = 12, GCM_TAG_SIZE = 16 };
void gcm_seal(const struct aes128 *aes, const uint8_t nonce[GCM_NONCE_SIZE],
              const struct piece *header, uint8_t *message, size_t len, uint8_t tag[GCM_TAG_SIZE]);

/*
 * CTR from the given first counter block, whose last four octets count (RFC 3686). In place;
 * `counter` is left behind the last block used.
 */
void aes_ctr(const struct aes128 *aes, uint8_t counter[AES_BLOCK], uint8_t *data, size_t len);

/* CBC over whole blocks, in place; decrypting needs the driver's inverse cipher. */
void aes_cbc_encrypt(const struct aes128 *aes, const uint8_t iv[AES_BLOCK], uint8_t *data,
                     size_t len);
void aes_cbc_decrypt(const struct aes128 *aes, const uint8_t iv[AES_BLOCK], uint8_t *data,
                     size_t len);

/* AES-XCBC-MAC-96 (RFC 3566). Takes the raw key and leaves a derived one in the driver. */
enum { XCBC_MAC_SIZE = 12 };
void xcbc_mac_96(const struct aes128 *aes, const uint8_t key[AES_BLOCK], const struct piece *pieces,
                 size_t count, uint8_t mac[XCBC_MAC_SIZE]);

#endif
