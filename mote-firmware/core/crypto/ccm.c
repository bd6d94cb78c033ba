/*
 * CCM* on the driver's block encryption. `mac` is the running CBC-MAC. `fill` is the number of
 * octets mixed into its current block; a full block is encrypted at once.
 */
#include "mote/crypto.h"

#include <string.h>

struct mac_state {
    const struct aes128 *aes;
    uint8_t mac[AES_BLOCK];
    size_t fill;
};

static void mac_octets(struct mac_state *state, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        state->mac[state->fill++] ^= data[i];
        if (state->fill == AES_BLOCK) {
            state->aes->encrypt(state->aes->context, state->mac);
            state->fill = 0;
        }
    }
}

static void mac_pad(struct mac_state *state)
{
    if (state->fill > 0) { /* zero padding changes nothing */
        state->aes->encrypt(state->aes->context, state->mac);
        state->fill = 0;
    }
}

static size_t nonce_len(const struct ccm *ccm)
{
    return 15U - ccm->length_size;
}

static size_t header_len(const struct ccm *ccm)
{
    return ccm->header[0].len + ccm->header[1].len;
}

static void put_length(uint8_t block[AES_BLOCK], size_t length_size, uint64_t len)
{
    for (size_t i = 0; i < length_size; i++) {
        block[AES_BLOCK - 1 - i] = (uint8_t)len;
        len >>= 8;
    }
}

static int check(const struct ccm *ccm, size_t len)
{
    bool mic = ccm->mic_len == 0 || (ccm->mic_len >= 4 && ccm->mic_len <= 16);
    bool fits = ccm->length_size >= 2 && ccm->length_size <= 8 &&
                (ccm->length_size >= sizeof(size_t) || len >> (8 * ccm->length_size) == 0);
    if (!mic || ccm->mic_len % 4 != 0 || !fits || header_len(ccm) >= 0xff00)
        return MOTE_E_UNSUPPORTED;
    return MOTE_OK;
}

static void first_block(const struct ccm *ccm, size_t len, uint8_t block[AES_BLOCK])
{
    unsigned has_header = header_len(ccm) > 0 ? 0x40U : 0;
    unsigned mic_field = ccm->mic_len > 0 ? (ccm->mic_len - 2U) / 2U : 0;
    block[0] = (uint8_t)(has_header | mic_field << 3 | (ccm->length_size - 1U));
    memcpy(block + 1, ccm->nonce, nonce_len(ccm));
    put_length(block, ccm->length_size, len);
}

static void authenticate(const struct ccm *ccm, const uint8_t *message, size_t len,
                         uint8_t mac[AES_BLOCK])
{
    struct mac_state state = {.aes = ccm->aes, .fill = 0};
    first_block(ccm, len, state.mac);
    ccm->aes->encrypt(ccm->aes->context, state.mac);
    if (header_len(ccm) > 0) {
        uint8_t prefix[2] = {(uint8_t)(header_len(ccm) >> 8), (uint8_t)header_len(ccm)};
        mac_octets(&state, prefix, sizeof prefix);
        mac_octets(&state, ccm->header[0].data, ccm->header[0].len);
        mac_octets(&state, ccm->header[1].data, ccm->header[1].len);
        mac_pad(&state);
    }
    mac_octets(&state, message, len);
    mac_pad(&state);
    memcpy(mac, state.mac, AES_BLOCK);
    wipe(&state, sizeof state);
}

static void counter_block(const struct ccm *ccm, uint64_t counter, uint8_t block[AES_BLOCK])
{
    block[0] = (uint8_t)(ccm->length_size - 1U);
    memcpy(block + 1, ccm->nonce, nonce_len(ccm));
    put_length(block, ccm->length_size, counter);
}

/* A counter has 2 octets or more, so the checked length never carries out of it. */
static void crypt(const struct ccm *ccm, uint8_t *message, size_t len)
{
    uint8_t block[AES_BLOCK];
    counter_block(ccm, 1, block);
    aes_ctr(ccm->aes, block, message, len);
}

static void make_mic(const struct ccm *ccm, const uint8_t *message, size_t len,
                     uint8_t mac[AES_BLOCK])
{
    uint8_t block[AES_BLOCK];
    authenticate(ccm, message, len, mac);
    counter_block(ccm, 0, block);
    ccm->aes->encrypt(ccm->aes->context, block);
    for (size_t i = 0; i < AES_BLOCK; i++)
        mac[i] ^= block[i];
    wipe(block, sizeof block);
}

int ccm_seal(const struct ccm *ccm, uint8_t *message, size_t len, uint8_t *mic)
{
    uint8_t mac[AES_BLOCK];
    int error = check(ccm, len);
    if (error)
        return error;
    if (ccm->mic_len > 0) {
        make_mic(ccm, message, len, mac);
        memcpy(mic, mac, ccm->mic_len);
    }
    crypt(ccm, message, len);
    return MOTE_OK;
}

int ccm_open(const struct ccm *ccm, uint8_t *message, size_t len, const uint8_t *mic)
{
    uint8_t mac[AES_BLOCK];
    int error = check(ccm, len);
    if (error)
        return error;
    crypt(ccm, message, len);
    if (ccm->mic_len > 0) {
        make_mic(ccm, message, len, mac);
        if (!equal_ct(mac, mic, ccm->mic_len)) {
            wipe(message, len);
            error = MOTE_E_AUTH;
        }
        wipe(mac, sizeof mac); /* the valid MIC of a forged message must not leak */
    }
    return error;
}
