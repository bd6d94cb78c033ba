/*
 * AES on BearSSL's bitsliced rounds, which process two blocks at once. BearSSL's own modes expand
 * the keys in each call and know only one key; here the two blocks may have different keys.
 */
#include "mote/crypto_bearssl.h"

#include <string.h>

#include "counter.h"
#include "mote/base.h"

/* Exported by the library, but declared only in BearSSL's inner.h. Words alternate between the two
 * blocks, little-endian; `ortho` brings them into and out of bitsliced form. */
void br_aes_ct_ortho(uint32_t *q);
void br_aes_ct_bitslice_Sbox(uint32_t *q);
void br_aes_ct_bitslice_encrypt(unsigned num_rounds, const uint32_t *skey, uint32_t *q);

enum { ROUNDS = 10, WORDS = 8 /* of two blocks */ };

static uint32_t load(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void store(uint8_t *at, uint32_t word)
{
    at[0] = (uint8_t)word; /* written out: compilers turn this into one store */
    at[1] = (uint8_t)(word >> 8);
    at[2] = (uint8_t)(word >> 16);
    at[3] = (uint8_t)(word >> 24);
}

/* SubWord(RotWord()) of FIPS 197 section 5.2, for a word of each key. */
static void substitute(const uint32_t pair[2], uint32_t q[WORDS])
{
    for (unsigned i = 0; i < 2; i++)
        q[i] = pair[i] << 24 | pair[i] >> 8;
    br_aes_ct_ortho(q);
    br_aes_ct_bitslice_Sbox(q);
    br_aes_ct_ortho(q);
}

static void set_keys(void *context, const uint8_t first[AES_BLOCK], const uint8_t second[AES_BLOCK])
{
    struct bearssl_aes128_pair *state = context;
    uint32_t *keys = state->keys;
    uint32_t q[WORDS] = {0};
    uint32_t constant = 1;
    for (unsigned i = 0; i < 4; i++) {
        keys[2 * i] = load(first + 4 * i);
        keys[2 * i + 1] = load(second + 4 * i);
    }
    for (unsigned round = 1; round <= ROUNDS; round++, keys += WORDS) {
        substitute(keys + WORDS - 2, q);
        for (unsigned i = 0; i < WORDS; i++) {
            uint32_t before = i < 2 ? q[i] ^ constant : keys[WORDS + i - 2];
            keys[WORDS + i] = keys[i] ^ before;
        }
        constant = constant << 1 ^ (constant >> 7) * 0x11b;
    }
    for (unsigned round = 0; round <= ROUNDS; round++)
        br_aes_ct_ortho(state->keys + WORDS * round);
    wipe(q, sizeof q);
}

static void set_key(void *context, const uint8_t key[AES_BLOCK])
{
    set_keys(context, key, key);
}

static void encrypt_pair(void *context, uint8_t blocks[2 * AES_BLOCK])
{
    const struct bearssl_aes128_pair *state = context;
    uint32_t q[WORDS];
    for (unsigned i = 0; i < WORDS; i++)
        q[i] = load(blocks + (i & 1) * AES_BLOCK + i / 2 * 4);
    br_aes_ct_ortho(q);
    br_aes_ct_bitslice_encrypt(ROUNDS, state->keys, q);
    br_aes_ct_ortho(q);
    for (unsigned i = 0; i < WORDS; i++)
        store(blocks + (i & 1) * AES_BLOCK + i / 2 * 4, q[i]);
}

static void encrypt(void *context, uint8_t block[AES_BLOCK])
{
    uint8_t blocks[2 * AES_BLOCK] = {0};
    memcpy(blocks, block, AES_BLOCK);
    encrypt_pair(context, blocks);
    memcpy(block, blocks, AES_BLOCK);
    wipe(blocks, sizeof blocks);
}

static void ctr(void *context, uint8_t counter[AES_BLOCK], uint8_t *data, size_t len)
{
    uint8_t blocks[2 * AES_BLOCK];
    for (size_t i = 0; i < len; i++) {
        size_t at = i % sizeof blocks;
        if (at == 0) {
            memcpy(blocks, counter, AES_BLOCK);
            counter_next(counter);
            memcpy(blocks + AES_BLOCK, counter, AES_BLOCK);
            counter_next(counter);
            encrypt_pair(context, blocks);
        }
        data[i] ^= blocks[at];
    }
    wipe(blocks, sizeof blocks);
}

void bearssl_aes128_pair(struct aes128 *driver, struct bearssl_aes128_pair *state)
{
    static const struct aes128_pair pair = {set_keys, encrypt_pair, ctr};
    *driver =
        (struct aes128){.set_key = set_key, .encrypt = encrypt, .context = state, .pair = &pair};
}
