#include "esp.h"

#include "mote/crypto_bearssl.h"
#include "nv.h"

/* Sequence numbers reserved at a time when sending; and when receiving, a power of two, as many of
 * which are refused after a restart. */
enum { STEP = 256, RECEIVED_STEP = 16 };

/* Loads an association. Outbound: `sent` and `reserved`. Inbound: `top` and `window`, all numbers
 * up to the stored one counting as received. */
static void load(struct ipsec_sa *sa)
{
    for (unsigned i = 0; i < ESP_WAYS; i++, sa++) {
        const struct nv_esp *kept = &nv.esp[i];
        struct reader keys;

        reader_init(&keys, kept->keys, sizeof kept->keys);
        reader_copy(&keys, sa->key, sizeof sa->key);
        reader_copy(&keys, sa->salt, sizeof sa->salt);
        reader_copy(&keys, sa->integrity_key, AES_BLOCK);
        sa->protocol = &ipsec_esp;
        sa->cipher = &ipsec_aes_ctr;
        sa->integrity = &ipsec_xcbc_96;
        sa->spi = kept->spi;
        sa->sent = sa->reserved = sa->top = kept->number;
        sa->window = UINT64_MAX;
    }
}

typedef int (*esp_work)(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                        const uint8_t *packet, size_t len, uint8_t *out, size_t size);

/* The cipher's key schedule is on the stack, because it is made for each packet anyway. The order
 * of arguments is that of the callers, which saves moves. */
static int process(struct ipsec_sa *sa, const uint8_t *packet, size_t len, uint8_t *out,
                   size_t size, esp_work work)
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
        nv.esp[ESP_OUT].number = sa->reserved += STEP; /* stored before the first of them is used */
    return process(sa, packet, len, out, size, ipsec_seal);
}

static int open(void *context, const uint8_t *packet, size_t len, uint8_t *out, size_t size)
{
    struct ipsec_sa *sa = &((struct esp *)context)->sa[ESP_IN];
    int n = process(sa, packet, len, out, size, ipsec_open);

    if (sa->top > nv.esp[ESP_IN].number)
        nv.esp[ESP_IN].number =
            sa->top | (RECEIVED_STEP - 1); /* stored before the packet is used */
    return n;
}

void esp_init(struct esp *esp)
{
    load(esp->sa);
    esp->guard =
        (struct link_guard){.nhc = &lowpan_nhc_esp, .seal = seal, .open = open, .context = esp};
}
