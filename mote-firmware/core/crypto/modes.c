#include "mote/crypto.h"

#include <string.h>

/* The counter is the last four octets, big-endian. */
static void count_up(uint8_t counter[AES_BLOCK])
{
    unsigned carry = 1;
    for (size_t i = AES_BLOCK; i > AES_BLOCK - 4; i--) {
        carry += counter[i - 1];
        counter[i - 1] = (uint8_t)carry;
        carry >>= 8;
    }
}

void aes_ctr(const struct aes128 *aes, uint8_t counter[AES_BLOCK], uint8_t *data, size_t len)
{
    uint8_t block[AES_BLOCK];
    while (len > 0) {
        size_t now = len < AES_BLOCK ? len : AES_BLOCK;
        memcpy(block, counter, AES_BLOCK);
        aes->encrypt(aes->context, block);
        count_up(counter);
        for (size_t i = 0; i < now; i++) {
            data[i] ^= block[i];
        }
        data += now;
        len -= now;
    }
    wipe(block, sizeof block);
}

static void mix(uint8_t block[AES_BLOCK], const uint8_t other[AES_BLOCK])
{
    for (size_t i = 0; i < AES_BLOCK; i++) {
        block[i] ^= other[i];
    }
}

void aes_cbc_encrypt(const struct aes128 *aes, const uint8_t iv[AES_BLOCK], uint8_t *data,
                     size_t len)
{
    const uint8_t *before = iv;
    for (size_t i = 0; i + AES_BLOCK <= len; i += AES_BLOCK) {
        mix(data + i, before);
        aes->encrypt(aes->context, data + i);
        before = data + i;
    }
}

void aes_cbc_decrypt(const struct aes128 *aes, const uint8_t iv[AES_BLOCK], uint8_t *data,
                     size_t len)
{
    uint8_t before[AES_BLOCK];
    uint8_t next[AES_BLOCK];
    memcpy(before, iv, AES_BLOCK);
    for (size_t i = 0; i + AES_BLOCK <= len; i += AES_BLOCK) {
        memcpy(next, data + i, AES_BLOCK);
        aes->decrypt(aes->context, data + i);
        mix(data + i, before);
        memcpy(before, next, AES_BLOCK);
    }
}
