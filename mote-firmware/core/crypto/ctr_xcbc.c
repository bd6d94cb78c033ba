/*
 * CTR encryption and XCBC of the ciphertext, a block of each in every call of the pair. The MAC of
 * a ciphertext block is due one call after its key stream, so n blocks of text take n + 1 calls
 * instead of n for the cipher and n + 1 for the MAC, which is sequential.
 */
#include "mote/crypto.h"

#include <string.h>

#include "counter.h"

static void run(const struct ctr_xcbc *mode, bool seal, uint8_t *text, size_t len,
                uint8_t result[XCBC_MAC_SIZE])
{
    uint8_t blocks[2 * AES_BLOCK];
    uint8_t counter[AES_BLOCK];
    uint8_t *mac = blocks + AES_BLOCK;
    size_t fill = AES_BLOCK;
    memcpy(counter, mode->counter, AES_BLOCK);
    memcpy(mac, mode->header, AES_BLOCK);
    while (len > 0) {
        memcpy(blocks, counter, AES_BLOCK);
        counter_next(counter);
        mode->aes->pair->encrypt(mode->aes->context, blocks);
        fill = len < AES_BLOCK ? len : AES_BLOCK;
        for (size_t i = 0; i < fill; i++) {
            uint8_t received = text[i];
            text[i] ^= blocks[i];
            mac[i] ^= seal ? text[i] : received;
        }
        text += fill;
        len -= fill;
    }
    xcbc_end(mode->keys, mac, fill);
    mode->aes->pair->encrypt(mode->aes->context, blocks);
    memcpy(result, mac, XCBC_MAC_SIZE);
    wipe(blocks, sizeof blocks);
}

void ctr_xcbc_seal(const struct ctr_xcbc *mode, uint8_t *text, size_t len,
                   uint8_t mac[XCBC_MAC_SIZE])
{
    run(mode, true, text, len, mac);
}

int ctr_xcbc_open(const struct ctr_xcbc *mode, uint8_t *text, size_t len,
                  const uint8_t mac[XCBC_MAC_SIZE])
{
    uint8_t expected[XCBC_MAC_SIZE];
    run(mode, false, text, len, expected);
    bool good = equal_ct(expected, mac, sizeof expected);
    wipe(expected, sizeof expected);
    if (good)
        return MOTE_OK;
    wipe(text, len);
    return MOTE_E_AUTH;
}
