/* The integrity algorithms of ESP and AH. */
#include <string.h>

#include "mote/base.h"
#include "mote/crypto.h"
#include "mote/ipsec.h"
#include "transform.h"

static void xcbc_96(const struct ipsec_crypto *crypto, const struct ipsec_sa *sa,
                    const struct piece *whole, uint8_t mac[SHA256_SIZE])
{
    xcbc_mac_96(crypto->aes, sa->integrity_key, whole, mac);
}

const struct ipsec_integrity ipsec_xcbc_96 = {NEEDS_AES, XCBC_MAC_SIZE, xcbc_96};

static void hmac_sha1_96(const struct ipsec_crypto *crypto, const struct ipsec_sa *sa,
                         const struct piece *whole, uint8_t mac[SHA256_SIZE])
{
    hmac_sha1(crypto->sha1, sa->integrity_key, SHA1_SIZE, whole, 1, mac);
}

const struct ipsec_integrity ipsec_hmac_sha1_96 = {NEEDS_SHA1, 12, hmac_sha1_96};

static void hmac_sha256_128(const struct ipsec_crypto *crypto, const struct ipsec_sa *sa,
                            const struct piece *whole, uint8_t mac[SHA256_SIZE])
{
    hmac_sha256(crypto->sha256, sa->integrity_key, SHA256_SIZE, whole, 1, mac);
}

const struct ipsec_integrity ipsec_hmac_sha256_128 = {NEEDS_SHA256, 16, hmac_sha256_128};

void ipsec_compute_icv(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                       const struct piece *whole, uint8_t *icv)
{
    uint8_t mac[SHA256_SIZE];
    sa->integrity->compute(crypto, sa, whole, mac);
    memcpy(icv, mac, sa->integrity->icv_size);
    wipe(mac, sizeof mac);
}

int ipsec_verify_icv(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                     const struct piece *whole, const uint8_t *icv)
{
    uint8_t expected[IPSEC_ICV_MAX];
    ipsec_compute_icv(sa, crypto, whole, expected);
    bool good = equal_ct(expected, icv, sa->integrity->icv_size);
    wipe(expected, sizeof expected);
    return good ? MOTE_OK : MOTE_E_AUTH;
}
