#include "esp.h"

#include "mote/crypto_bearssl.h"
#include "nv.h"

enum { STEP = 256 }; /* numbers saved ahead at a time */

static void load(struct ipsec_sa *sa)
{
    for (unsigned i = 0; i < ESP_WAYS; i++, sa++) {
        struct reader keys;

        sa->protocol = &ipsec_esp;
        sa->cipher = &ipsec_aes_ctr;
        sa->integrity = &ipsec_xcbc_96;
        sa->spi = nv.esp_spi[i];
        reader_init(&keys, nv.esp_keys[i], sizeof nv.esp_keys[i]);
        reader_copy(&keys, sa->key, sizeof sa->key);
        reader_copy(&keys, sa->salt, sizeof sa->salt);
        reader_copy(&keys, sa->integrity_key, 16);
    }
}

typedef int (*esp_work)(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                        const uint8_t *packet, size_t len, uint8_t *out, size_t size);

/* The cipher's key schedule lies on the stack: it is made anew for each packet anyway. */
static int work_on(struct ipsec_sa *sa, esp_work work, const uint8_t *packet, size_t len,
                   uint8_t *out, size_t size)
{
    br_aes_ct_cbcenc_keys state;
    struct aes128 aes;
    const struct ipsec_crypto crypto = {.aes = &aes};
    int n;

    bearssl_aes128_forward(&aes, &state);
    n = work(sa, &crypto, packet, len, out, size);
    wipe(&state, sizeof state);
    return n;
}

static int seal(void *context, const uint8_t *packet, size_t len, uint8_t *out, size_t size)
{
    struct ipsec_sa *sa = &((struct esp *)context)->sa[ESP_OUT];

    if (sa->sent + 1 >= sa->reserved && sa->reserved <= UINT32_MAX - STEP)
        nv.esp_reserved = sa->reserved += STEP; /* saved before the first of them is used */
    return work_on(sa, ipsec_seal, packet, len, out, size);
}

static int open(void *context, const uint8_t *packet, size_t len, uint8_t *out, size_t size)
{
    return work_on(&((struct esp *)context)->sa[ESP_IN], ipsec_open, packet, len, out, size);
}

void esp_init(struct esp *esp)
{
    struct ipsec_sa *out = &esp->sa[ESP_OUT];

    load(esp->sa);
    out->sent = out->reserved = nv.esp_reserved;
    esp->guard =
        (struct link_guard){.nhc = &lowpan_nhc_esp, .seal = seal, .open = open, .context = esp};
}
