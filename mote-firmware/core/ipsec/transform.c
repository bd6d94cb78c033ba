#include "transform.h"

#include <string.h>

bool ipsec_is_ccm(const struct ipsec_sa *sa)
{
    return sa->protocol == NEXT_ESP && sa->cipher >= IPSEC_AES_CCM_8;
}

size_t ipsec_iv_size(const struct ipsec_sa *sa)
{
    return sa->cipher == IPSEC_NULL ? 0 : sa->cipher == IPSEC_AES_CBC ? AES_BLOCK : 8;
}

size_t ipsec_icv_size(const struct ipsec_sa *sa)
{
    static const uint8_t of_ccm[3] = {8, 12, 16};
    static const uint8_t of_integrity[4] = {0, XCBC_MAC_SIZE, 12, 16};
    if (ipsec_is_ccm(sa)) {
        return of_ccm[sa->cipher - IPSEC_AES_CCM_8];
    }
    return of_integrity[sa->integrity];
}

static bool has_drivers(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto)
{
    bool aes =
        sa->integrity == IPSEC_XCBC_96 || (sa->protocol == NEXT_ESP && sa->cipher != IPSEC_NULL);
    return (!aes || crypto->aes != NULL) &&
           (sa->integrity != IPSEC_HMAC_SHA1_96 || crypto->sha1 != NULL) &&
           (sa->integrity != IPSEC_HMAC_SHA256_128 || crypto->sha256 != NULL);
}

int ipsec_check(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto)
{
    static const uint8_t key_len[4] = {0, 16, 20, 32};
    bool esp = sa->protocol == NEXT_ESP;
    if ((!esp && sa->protocol != NEXT_AH) || sa->cipher > IPSEC_AES_CCM_16 ||
        sa->integrity > IPSEC_HMAC_SHA256_128 || sa->spi == 0 || !has_drivers(sa, crypto)) {
        return MOTE_E_UNSUPPORTED;
    }
    /* CCM has its own ICV and takes no other; everything else must have one. */
    bool integrity = sa->integrity != IPSEC_NONE;
    if (integrity == ipsec_is_ccm(sa)) {
        return MOTE_E_UNSUPPORTED;
    }
    return sa->integrity_key_len == key_len[sa->integrity] ? MOTE_OK : MOTE_E_UNSUPPORTED;
}

void ipsec_icv(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
               const struct piece *pieces, size_t count, uint8_t icv[IPSEC_ICV_MAX])
{
    uint8_t mac[SHA256_SIZE];
    switch (sa->integrity) {
    case IPSEC_XCBC_96:
        xcbc_mac_96(crypto->aes, sa->integrity_key, pieces, count, mac);
        break;
    case IPSEC_HMAC_SHA1_96:
        hmac_sha1(crypto->sha1, sa->integrity_key, sa->integrity_key_len, pieces, count, mac);
        break;
    default:
        hmac_sha256(crypto->sha256, sa->integrity_key, sa->integrity_key_len, pieces, count, mac);
        break;
    }
    memcpy(icv, mac, ipsec_icv_size(sa));
    wipe(mac, sizeof mac);
}

/* A destination header goes before the routing header it belongs to, else with the payload. */
static bool before_routing(uint8_t protocol, struct reader r)
{
    return protocol == NEXT_DESTINATION && reader_u8(&r) == NEXT_ROUTING;
}

int ipsec_find_place(const uint8_t *packet, size_t len, struct ipsec_place *place)
{
    struct ipv6_header header;
    struct reader r;
    int error = ipv6_parse(&header, packet, len);
    if (error) {
        return error;
    }
    reader_init(&r, packet, len);
    reader_take(&r, IPV6_HEADER_SIZE);
    *place = (struct ipsec_place){IPV6_HEADER_SIZE, IPV6_NEXT_AT, header.next_header};
    while (place->protocol == NEXT_HOP_BY_HOP || place->protocol == NEXT_ROUTING ||
           before_routing(place->protocol, r)) {
        struct reader peek = r;
        uint8_t next = reader_u8(&peek);
        size_t size = (reader_u8(&peek) + 1U) * 8U;
        place->next_at = len - r.left;
        if (reader_take(&r, size) == NULL) {
            return MOTE_E_SHORT;
        }
        place->protocol = next;
    }
    place->at = len - r.left;
    return MOTE_OK;
}

void ipsec_set_payload_len(uint8_t *packet, size_t len)
{
    packet[IPV6_PAYLOAD_LEN_AT] = (uint8_t)((len - IPV6_HEADER_SIZE) >> 8);
    packet[IPV6_PAYLOAD_LEN_AT + 1] = (uint8_t)(len - IPV6_HEADER_SIZE);
}
