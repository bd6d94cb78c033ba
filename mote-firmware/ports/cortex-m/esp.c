#include "esp.h"

#include <string.h>

#include "mote/crypto_bearssl.h"
#include "nv.h"

enum { STEP = 256 }; /* numbers saved ahead at a time */

static void load(struct ipsec_sa *sa, unsigned i)
{
    const uint8_t *keys = nv.esp_keys[i];

    *sa = (struct ipsec_sa){.protocol = NEXT_ESP,
                            .spi = nv.esp_spi[i],
                            .cipher = IPSEC_AES_CTR,
                            .integrity = IPSEC_XCBC_96,
                            .integrity_key_len = 16};
    memcpy(sa->key, keys, 16);
    memcpy(sa->salt, keys + 16, 4);
    memcpy(sa->integrity_key, keys + 20, 16);
}

void esp_init(struct esp *esp)
{
    load(&esp->out, 0);
    load(&esp->in, 1);
    esp->out.sent = esp->out.reserved = nv.esp_reserved;
}

/* The cipher's key schedule lies on the stack: it is made anew for each packet anyway. */
static int seal(void *context, const uint8_t *packet, size_t len, uint8_t *out, size_t size)
{
    struct esp *esp = context;
    br_aes_ct_cbcenc_keys state;
    struct aes128 aes;
    const struct ipsec_crypto crypto = {.aes = &aes};
    int n;

    if (esp->out.sent + 1 >= esp->out.reserved) {
        if (nv.esp_reserved > UINT32_MAX - STEP)
            return MOTE_E_STATE;
        nv.esp_reserved += STEP; /* saved before the first of them is used */
        esp->out.reserved = nv.esp_reserved;
    }
    bearssl_aes128_forward(&aes, &state);
    n = ipsec_seal(&esp->out, &crypto, packet, len, out, size);
    wipe(&state, sizeof state);
    return n;
}

static int open(void *context, const uint8_t *packet, size_t len, uint8_t *out, size_t size)
{
    struct esp *esp = context;
    br_aes_ct_cbcenc_keys state;
    struct aes128 aes;
    const struct ipsec_crypto crypto = {.aes = &aes};
    int n;

    bearssl_aes128_forward(&aes, &state);
    n = ipsec_open(&esp->in, &crypto, packet, len, out, size);
    wipe(&state, sizeof state);
    return n;
}

struct link_guard esp_guard(struct esp *esp)
{
    return (struct link_guard){.seal = seal, .open = open, .context = esp};
}
