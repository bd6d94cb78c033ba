#include "esp.h"

#include <string.h>

#include "mote/crypto_bearssl.h"
#include "nv.h"

/* Images that only measure sizes have other algorithms (rules.mk). */
#ifndef GUARD_CIPHER
#define GUARD_CIPHER &ipsec_aes_ctr
#endif
#ifdef GUARD_AH
#define GUARD_NHC &lowpan_nhc_ah
#else
#define GUARD_NHC &lowpan_nhc_esp
#endif
#ifdef GUARD_CACHE
#undef GUARD_CIPHER
#define GUARD_CIPHER &ipsec_aes_ctr_xcbc_96
#define GUARD_INTEGRITY NULL
#endif
#ifndef GUARD_INTEGRITY
#define GUARD_INTEGRITY &ipsec_xcbc_96
#endif

/* STEP numbers are reserved at a time for sending. RECEIVED_STEP is a power of two: up to this many
 * received numbers are refused after a restart. */
enum { STEP = 256, RECEIVED_STEP = 16 };

#ifdef GUARD_CACHE
static void fill_cache(struct ipsec_sa *sa, unsigned way)
{
    static struct ipsec_cache cache[ESP_WAYS];
    struct bearssl_aes128_pair state;
    struct aes128 aes;

    bearssl_aes128_pair(&aes, &state);
    ipsec_cache_init(&cache[way], sa, &aes, NULL);
    wipe(&state, sizeof state);
}
#endif

/* Loads an association. Outbound: sets `sent` and `reserved`. Inbound: sets `top` and `window` so
 * that all numbers up to the stored one count as received. */
static void load(struct ipsec_sa *sa)
{
    for (unsigned i = 0; i < ESP_WAYS; i++, sa++) {
        const struct nv_esp *kept = &nv.esp[i];
        struct reader keys;

        reader_init(&keys, kept->keys, sizeof kept->keys);
        reader_copy(&keys, sa->key, sizeof sa->key);
        reader_copy(&keys, sa->salt, sizeof sa->salt);
        reader_copy(&keys, sa->integrity_key, AES_BLOCK);
#ifdef GUARD_AH
        sa->protocol = &ipsec_ah;
#else
        sa->protocol = &ipsec_esp;
        sa->cipher = GUARD_CIPHER;
#endif
        sa->integrity = GUARD_INTEGRITY;
        sa->spi = kept->spi;
        sa->sent = sa->reserved = sa->top = kept->number;
        sa->window = UINT32_MAX;
#ifdef GUARD_CACHE
        fill_cache(sa, i);
#endif
    }
}

typedef int (*esp_work)(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                        const uint8_t *packet, size_t len, uint8_t *out, size_t size);

#ifdef GUARD_HARDWARE
/* An AES device as in radios. This board lacks it, so only the size of its driver is meaningful. */
struct aes_device {
    uint32_t key[4], block[4], start, busy;
};
#define DEVICE ((volatile struct aes_device *)0x41000000)

static void device_set_key(void *context, const uint8_t key[AES_BLOCK])
{
    (void)context;
    for (unsigned i = 0; i < 4; i++, key += 4) {
        uint32_t word;
        memcpy(&word, key, sizeof word);
        DEVICE->key[i] = word;
    }
}

static void device_encrypt(void *context, uint8_t block[AES_BLOCK])
{
    uint32_t words[4];

    (void)context;
    memcpy(words, block, sizeof words);
    for (unsigned i = 0; i < 4; i++)
        DEVICE->block[i] = words[i];
    DEVICE->start = 1;
    while (DEVICE->busy != 0)
        ;
    for (unsigned i = 0; i < 4; i++)
        words[i] = DEVICE->block[i];
    memcpy(block, words, sizeof words);
}
#endif

/* The cipher's key schedule is on the stack, because it is made for each packet anyway. The
 * arguments have the callers' order, which saves moves. */
static int process(struct ipsec_sa *sa, const uint8_t *packet, size_t len, uint8_t *out,
                   size_t size, esp_work work)
{
#if defined GUARD_SHA1
    br_sha1_context state;
    struct sha1 sha1;
    const struct ipsec_crypto crypto = {.sha1 = &sha1};
#elif defined GUARD_INVERSE
    struct bearssl_aes128 state;
    struct aes128 aes;
    const struct ipsec_crypto crypto = {.aes = &aes};
#elif defined GUARD_CACHE
    struct bearssl_aes128_pair state;
    struct aes128 aes;
    const struct ipsec_crypto crypto = {.aes = &aes};
#else
    br_aes_ct_cbcenc_keys state;
    struct aes128 aes;
    const struct ipsec_crypto crypto = {.aes = &aes};
#endif
    int n;

#if defined GUARD_SHA1
    bearssl_sha1(&sha1, &state);
#elif defined GUARD_INVERSE
    bearssl_aes128(&aes, &state);
#elif defined GUARD_CACHE
    bearssl_aes128_pair(&aes, &state);
#elif defined GUARD_HARDWARE
    aes = (struct aes128){.set_key = device_set_key, .encrypt = device_encrypt, .context = &state};
#else
    bearssl_aes128_forward(&aes, &state);
#endif
    n = work(sa, &crypto, packet, len, out, size);
    wipe(&state, sizeof state);
    return n;
}

static int seal(void *context, const uint8_t *packet, size_t len, uint8_t *out, size_t size)
{
    struct ipsec_sa *sa = &((struct esp *)context)->sa[ESP_OUT];

    if (sa->sent + 1 >= sa->reserved && sa->reserved <= UINT32_MAX - STEP)
        nv.esp[ESP_OUT].number = sa->reserved += STEP; /* stored before the first number is used */
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
    esp->guard = (struct link_guard){.nhc = GUARD_NHC, .seal = seal, .open = open, .context = esp};
}
