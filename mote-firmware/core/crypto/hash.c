#include "mote/crypto.h"

#include <string.h>

void sha256_pieces(const struct sha256 *hash, const struct piece *pieces, size_t count,
                   uint8_t digest[SHA256_SIZE])
{
    hash->init(hash->context);
    for (size_t i = 0; i < count; i++)
        hash->update(hash->context, pieces[i].data, pieces[i].len);
    hash->final(hash->context, digest);
}

/* The part of a hash that HMAC needs. SHA-1 and SHA-256 both have blocks of 64 octets. */
struct digest {
    void (*init)(void *context);
    void (*update)(void *context, const uint8_t *data, size_t len);
    void (*final)(void *context, uint8_t *digest);
    void *context;
    size_t size;
};

static void hmac_start(const struct digest *hash, const uint8_t pad_key[SHA256_BLOCK], uint8_t pad)
{
    uint8_t block[SHA256_BLOCK];
    for (size_t i = 0; i < sizeof block; i++)
        block[i] = pad_key[i] ^ pad;
    hash->init(hash->context);
    hash->update(hash->context, block, sizeof block);
    wipe(block, sizeof block);
}

static void hmac(const struct digest *hash, const uint8_t *key, size_t key_len,
                 const struct piece *pieces, size_t count, uint8_t *mac)
{
    uint8_t pad_key[SHA256_BLOCK] = {0};
    if (key_len > sizeof pad_key) {
        hash->init(hash->context);
        hash->update(hash->context, key, key_len);
        hash->final(hash->context, pad_key);
    } else if (key_len > 0) {
        memcpy(pad_key, key, key_len);
    }
    hmac_start(hash, pad_key, 0x36);
    for (size_t i = 0; i < count; i++)
        hash->update(hash->context, pieces[i].data, pieces[i].len);
    hash->final(hash->context, mac);
    hmac_start(hash, pad_key, 0x5c);
    hash->update(hash->context, mac, hash->size);
    hash->final(hash->context, mac);
    wipe(pad_key, sizeof pad_key);
}

void hmac_sha256(const struct sha256 *hash, const uint8_t *key, size_t key_len,
                 const struct piece *pieces, size_t count, uint8_t mac[SHA256_SIZE])
{
    const struct digest digest = {hash->init, hash->update, hash->final, hash->context,
                                  SHA256_SIZE};
    hmac(&digest, key, key_len, pieces, count, mac);
}

void hmac_sha1(const struct sha1 *hash, const uint8_t *key, size_t key_len,
               const struct piece *pieces, size_t count, uint8_t mac[SHA1_SIZE])
{
    const struct digest digest = {hash->init, hash->update, hash->final, hash->context, SHA1_SIZE};
    hmac(&digest, key, key_len, pieces, count, mac);
}

int hkdf_sha256(const struct sha256 *hash, const struct piece *secret, const struct piece *salt,
                const struct piece *info, uint8_t *out, size_t len)
{
    uint8_t key[SHA256_SIZE];
    uint8_t block[SHA256_SIZE];
    size_t block_len = 0; /* T(0) is empty */
    if (len > 255 * SHA256_SIZE)
        return MOTE_E_SPACE;
    hmac_sha256(hash, salt->data, salt->len, secret, 1, key);
    for (uint8_t number = 1; len > 0; number++) {
        struct piece pieces[] = {{block, block_len}, *info, {&number, 1}};
        hmac_sha256(hash, key, sizeof key, pieces, 3, block);
        block_len = sizeof block;
        size_t part = len < block_len ? len : block_len;
        memcpy(out, block, part);
        out += part;
        len -= part;
    }
    wipe(key, sizeof key);
    wipe(block, sizeof block);
    return MOTE_OK;
}
