#include "mote/crypto.h"

#include <string.h>

#include "counter.h"

void aes_ctr(const struct aes128 *aes, uint8_t counter[AES_BLOCK], uint8_t *data, size_t len)
{
    uint8_t block[AES_BLOCK];
    if (aes->pair != NULL) {
        aes->pair->ctr(aes->context, counter, data, len);
        return;
    }
    while (len > 0) {
        size_t part = len < AES_BLOCK ? len : AES_BLOCK;
        memcpy(block, counter, AES_BLOCK);
        aes->encrypt(aes->context, block);
        counter_next(counter);
        for (size_t i = 0; i < part; i++)
            data[i] ^= block[i];
        data += part;
        len -= part;
    }
    wipe(block, sizeof block);
}

static void xor_block(uint8_t block[AES_BLOCK], const uint8_t other[AES_BLOCK])
{
    for (size_t i = 0; i < AES_BLOCK; i++)
        block[i] ^= other[i];
}

void aes_cbc_encrypt(const struct aes128 *aes, const uint8_t iv[AES_BLOCK], uint8_t *data,
                     size_t len)
{
    const uint8_t *previous = iv;
    for (size_t i = 0; i + AES_BLOCK <= len; i += AES_BLOCK) {
        xor_block(data + i, previous);
        aes->encrypt(aes->context, data + i);
        previous = data + i;
    }
}

void aes_cbc_decrypt(const struct aes128 *aes, const uint8_t iv[AES_BLOCK], uint8_t *data,
                     size_t len)
{
    uint8_t previous[AES_BLOCK];
    uint8_t next[AES_BLOCK];
    memcpy(previous, iv, AES_BLOCK);
    for (size_t i = 0; i + AES_BLOCK <= len; i += AES_BLOCK) {
        memcpy(next, data + i, AES_BLOCK);
        aes->decrypt(aes->context, data + i);
        xor_block(data + i, previous);
        memcpy(previous, next, AES_BLOCK);
    }
}
