/* Algorithms that use the cache of their association. */
#include <string.h>

#include "mote/base.h"
#include "mote/crypto.h"
#include "mote/ipsec.h"
#include "transform.h"

/* Gives a driver the keys that the association's algorithms need. */
static void expand(const struct ipsec_sa *sa, const struct aes128 *aes)
{
    const uint8_t *k1 = sa->cache->subkeys.k[0];
    if (sa->integrity == NULL)
        aes->pair->set_keys(aes->context, sa->key, k1);
    else
        aes->set_key(aes->context, k1);
}

/* The driver of the association, or the shared one. */
static const struct aes128 *expanded(const struct ipsec_sa *sa, const struct aes128 *aes)
{
    if (sa->cache->expanded != NULL)
        return sa->cache->expanded;
    expand(sa, aes);
    return aes;
}

void ipsec_cache_init(struct ipsec_cache *cache, struct ipsec_sa *sa, const struct aes128 *aes,
                      const struct aes128 *own)
{
    xcbc_derive(aes, sa->integrity_key, &cache->subkeys);
    cache->expanded = own;
    sa->cache = cache;
    if (own != NULL)
        expand(sa, own);
}

static void xcbc_96_cached(const struct ipsec_crypto *crypto, const struct ipsec_sa *sa,
                           const struct piece *whole, uint8_t mac[SHA256_SIZE])
{
    if (sa->cache == NULL)
        xcbc_mac_96(crypto->aes, sa->integrity_key, whole, mac);
    else
        xcbc_mac(expanded(sa, crypto->aes), &sa->cache->subkeys, whole, mac);
}

const struct ipsec_integrity ipsec_xcbc_96_cached = {NEEDS_AES, XCBC_MAC_SIZE, xcbc_96_cached};

static int start(const struct ipsec_sa *sa, const struct aes128 *aes, const struct ipsec_text *text,
                 struct ctr_xcbc *mode)
{
    if (sa->cache == NULL || aes->pair == NULL)
        return MOTE_E_UNSUPPORTED;
    *mode = (struct ctr_xcbc){.aes = expanded(sa, aes),
                              .keys = &sa->cache->subkeys,
                              .header = text->header,
                              .counter = {[AES_BLOCK - 1] = 1}};
    memcpy(mode->counter, sa->salt, 4);
    memcpy(mode->counter + 4, text->iv, 8);
    return MOTE_OK;
}

static int seal(const struct ipsec_sa *sa, const struct aes128 *aes, const struct ipsec_text *text)
{
    struct ctr_xcbc mode;
    int error = start(sa, aes, text, &mode);
    if (!error)
        ctr_xcbc_seal(&mode, text->octets, text->len, text->icv);
    return error;
}

static int open(const struct ipsec_sa *sa, const struct aes128 *aes, const struct ipsec_text *text)
{
    struct ctr_xcbc mode;
    int error = start(sa, aes, text, &mode);
    return error ? error : ctr_xcbc_open(&mode, text->octets, text->len, text->icv);
}

const struct ipsec_cipher ipsec_aes_ctr_xcbc_96 = {.needs = NEEDS_AES,
                                                   .iv_size = AES_BLOCK - ESP_HEADER_SIZE,
                                                   .block = 4,
                                                   .icv_size = XCBC_MAC_SIZE,
                                                   .seal = seal,
                                                   .open = open,
                                                   .make_iv = ipsec_sequence_iv};
