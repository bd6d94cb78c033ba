#include "mote/crypto.h"

#include <string.h>

void xcbc_end(const struct xcbc_keys *keys, uint8_t state[AES_BLOCK], size_t fill)
{
    const uint8_t *last = keys->k[1];
    if (fill < AES_BLOCK) {
        state[fill] ^= 0x80;
        last = keys->k[2];
    }
    for (size_t i = 0; i < AES_BLOCK; i++)
        state[i] ^= last[i];
}

void xcbc_derive(const struct aes128 *aes, const uint8_t key[AES_BLOCK], struct xcbc_keys *keys)
{
    aes->set_key(aes->context, key);
    for (uint8_t i = 0; i < 3; i++) {
        memset(keys->k[i], i + 1, AES_BLOCK);
        aes->encrypt(aes->context, keys->k[i]);
    }
}

void xcbc_mac(const struct aes128 *aes, const struct xcbc_keys *keys, const struct piece *text,
              uint8_t mac[XCBC_MAC_SIZE])
{
    uint8_t state[AES_BLOCK] = {0};
    size_t fill = 0;
    for (size_t i = 0; i < text->len; i++) {
        if (fill == AES_BLOCK) { /* not the last block: another octet follows */
            aes->encrypt(aes->context, state);
            fill = 0;
        }
        state[fill++] ^= text->data[i];
    }
    xcbc_end(keys, state, fill);
    aes->encrypt(aes->context, state);
    memcpy(mac, state, XCBC_MAC_SIZE);
    wipe(state, sizeof state);
}

void xcbc_mac_96(const struct aes128 *aes, const uint8_t key[AES_BLOCK], const struct piece *text,
                 uint8_t mac[XCBC_MAC_SIZE])
{
    struct xcbc_keys keys;
    xcbc_derive(aes, key, &keys);
    aes->set_key(aes->context, keys.k[0]);
    xcbc_mac(aes, &keys, text, mac);
    wipe(&keys, sizeof keys);
}
