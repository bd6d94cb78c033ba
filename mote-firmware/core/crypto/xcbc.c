#include "mote/crypto.h"

#include <string.h>

static void xor_block(uint8_t block[AES_BLOCK], const uint8_t other[AES_BLOCK])
{
    for (size_t i = 0; i < AES_BLOCK; i++)
        block[i] ^= other[i];
}

void xcbc_mac_96(const struct aes128 *aes, const uint8_t key[AES_BLOCK], const struct piece *pieces,
                 size_t count, uint8_t mac[XCBC_MAC_SIZE])
{
    /* keys[1] to keys[3] are K1 to K3 of RFC 3566 section 4; keys[0] is the CBC-MAC. */
    uint8_t keys[4][AES_BLOCK];
    uint8_t *state = keys[0];
    size_t fill = 0;
    aes->set_key(aes->context, key);
    for (uint8_t i = 3; i > 0; i--) {
        memset(keys[i], i, AES_BLOCK);
        aes->encrypt(aes->context, keys[i]);
    }
    aes->set_key(aes->context, keys[1]);
    memset(state, 0, AES_BLOCK);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < pieces[i].len; j++) {
            if (fill == AES_BLOCK) { /* not the last block: another octet follows */
                aes->encrypt(aes->context, state);
                fill = 0;
            }
            state[fill++] ^= pieces[i].data[j];
        }
    }
    const uint8_t *last = keys[2];
    if (fill < AES_BLOCK) {
        state[fill] ^= 0x80;
        last = keys[3];
    }
    xor_block(state, last);
    aes->encrypt(aes->context, state);
    memcpy(mac, state, XCBC_MAC_SIZE);
    wipe(keys, sizeof keys);
}
