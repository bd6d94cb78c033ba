/* Numbers and the choice between ESP and AH. */
#include "transform.h"

#include <string.h>

int ipsec_fresh(const struct ipsec_sa *sa, uint32_t sequence)
{
    if (sequence == 0) {
        return MOTE_E_REPLAY; /* never sent (RFC 4303 section 2.2) */
    }
    if (sequence > sa->top) {
        return MOTE_OK;
    }
    uint32_t behind = sa->top - sequence;
    bool seen = behind >= IPSEC_WINDOW || (sa->window >> behind & 1U) != 0;
    return seen ? MOTE_E_REPLAY : MOTE_OK;
}

void ipsec_accept(struct ipsec_sa *sa, uint32_t sequence)
{
    if (sequence > sa->top) {
        uint32_t ahead = sequence - sa->top;
        sa->window = ahead >= IPSEC_WINDOW ? 0 : sa->window << ahead;
        sa->top = sequence;
    }
    uint32_t behind = sa->top - sequence;
    if (behind < IPSEC_WINDOW) {
        sa->window |= (uint64_t)1 << behind;
    }
}

/* The IV of a number. CTR and CCM need it new; CBC needs it unpredictable, which the cipher makes
 * of a new one (NIST SP 800-38A appendix C). */
static void make_iv(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto, uint32_t sequence,
                    uint8_t iv[AES_BLOCK])
{
    size_t size = ipsec_iv_size(sa);
    memset(iv, 0, AES_BLOCK);
    for (size_t i = 0; i < 4 && size > 0; i++) {
        iv[size - 1 - i] = (uint8_t)(sequence >> (8 * i));
    }
    if (sa->cipher == IPSEC_AES_CBC) {
        crypto->aes->set_key(crypto->aes->context, sa->key);
        crypto->aes->encrypt(crypto->aes->context, iv);
    }
}

int ipsec_seal(struct ipsec_sa *sa, const struct ipsec_crypto *crypto, const uint8_t *packet,
               size_t len, uint8_t *out, size_t size)
{
    uint8_t iv[AES_BLOCK];
    int error = ipsec_check(sa, crypto);
    if (error) {
        return error;
    }
    if (sa->sent >= sa->reserved || sa->reserved - sa->sent < 2) {
        return MOTE_E_STATE; /* no number saved ahead, or the last one used: 2^32 - 1 never is */
    }
    uint32_t sequence = sa->sent + 1;
    int result;
    if (sa->protocol == NEXT_AH) {
        result = ipsec_ah_seal_as(sa, crypto, packet, len, sequence, out, size);
    } else {
        make_iv(sa, crypto, sequence, iv);
        result = ipsec_esp_seal_as(sa, crypto, packet, len, sequence, iv, out, size);
    }
    if (result > 0) {
        sa->sent = sequence;
        sa->packets++;
    }
    return result;
}

int ipsec_peek(const uint8_t *packet, size_t len, uint8_t *protocol, uint32_t *spi)
{
    struct ipsec_place place;
    struct reader r;
    int error = ipsec_find_place(packet, len, &place);
    if (error) {
        return error;
    }
    if (place.protocol != NEXT_AH && place.protocol != NEXT_ESP) {
        return MOTE_E_STATE;
    }
    reader_init(&r, packet, len);
    reader_take(&r, place.at + (place.protocol == NEXT_AH ? 4 : 0));
    *protocol = place.protocol;
    *spi = reader_u32(&r);
    return r.failed ? MOTE_E_SHORT : MOTE_OK;
}

static void count(struct ipsec_sa *sa, int result)
{
    if (result >= 0) {
        sa->packets++;
    } else if (result == MOTE_E_AUTH) {
        sa->bad_icv++;
    } else if (result == MOTE_E_REPLAY) {
        sa->replays++;
    } else {
        sa->malformed++;
    }
}

int ipsec_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto, const uint8_t *packet,
               size_t len, uint8_t *out, size_t size)
{
    struct ipsec_place place;
    int result = ipsec_check(sa, crypto);
    if (result) {
        return result;
    }
    result = ipsec_find_place(packet, len, &place);
    if (!result && place.protocol != sa->protocol) {
        result = MOTE_E_STATE;
    }
    if (!result) {
        result = sa->protocol == NEXT_AH
                     ? ipsec_ah_open(sa, crypto, &place, packet, len, out, size)
                     : ipsec_esp_open(sa, crypto, &place, packet, len, out, size);
    }
    count(sa, result);
    return result;
}
