/* Associations: replay window, sequence numbers, and the dispatch to ESP or AH. */
#include "mote/base.h"

#include "mote/crypto.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "transform.h"

int ipsec_replay_check(const struct ipsec_sa *sa, uint32_t sequence)
{
    if (sequence == 0)
        return MOTE_E_REPLAY; /* never sent (RFC 4303 section 2.2) */
    if (sequence > sa->top)
        return MOTE_OK;
    uint32_t behind = sa->top - sequence;
    bool seen = behind >= IPSEC_WINDOW || (sa->window >> behind & 1U) != 0;
    return seen ? MOTE_E_REPLAY : MOTE_OK;
}

void ipsec_replay_update(struct ipsec_sa *sa, uint32_t sequence)
{
    if (sequence > sa->top) {
        uint32_t ahead = sequence - sa->top;
        sa->window = ahead < IPSEC_WINDOW ? sa->window << ahead : 0;
        sa->top = sequence;
    }
    uint32_t behind = sa->top - sequence;
    if (behind < IPSEC_WINDOW)
        sa->window |= 1U << behind;
}

size_t ipsec_icv_size(const struct ipsec_sa *sa)
{
    return sa->integrity != NULL ? sa->integrity->icv_size : sa->cipher->icv_size;
}

uint8_t ipsec_protocol_number(const struct ipsec_sa *sa)
{
    return sa->protocol->number;
}

int ipsec_check(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto)
{
    unsigned lacking = (crypto->aes == NULL ? NEEDS_AES : 0U) |
                       (crypto->sha1 == NULL ? NEEDS_SHA1 : 0U) |
                       (crypto->sha256 == NULL ? NEEDS_SHA256 : 0U);
    bool esp = sa->protocol->number == NEXT_ESP;
    bool own_icv = false;
    unsigned needs = 0;
    if (sa->cipher != NULL) {
        needs = sa->cipher->needs;
        own_icv = sa->cipher->icv_size > 0;
    }
    if (sa->integrity != NULL)
        needs |= sa->integrity->needs;
    /* CCM has its own ICV and allows no other; every other cipher needs an integrity algorithm. */
    bool sound = sa->spi != 0 && esp == (sa->cipher != NULL) && own_icv == (sa->integrity == NULL);
    return sound && (needs & lacking) == 0 ? MOTE_OK : MOTE_E_UNSUPPORTED;
}

/* Checks the association and finds the position of its header in the packet. */
static int locate(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                  const uint8_t *packet, size_t len, struct ipsec_position *position)
{
    int error = ipsec_check(sa, crypto);
    return error ? error : ipsec_find_position(packet, len, position);
}

int ipsec_seal_as(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                  const uint8_t *packet, size_t len, uint32_t sequence, const uint8_t *iv,
                  uint8_t *out, size_t size)
{
    struct ipsec_position position;
    uint8_t made[AES_BLOCK];
    int error = locate(sa, crypto, packet, len, &position);
    if (error)
        return error;
    if (iv == NULL && sa->cipher != NULL && sa->cipher->make_iv != NULL) {
        sa->cipher->make_iv(sa, crypto->aes, sequence, made);
        iv = made;
    }
    return sa->protocol->seal(sa, crypto, &position, packet, len, sequence, iv, out, size);
}

int ipsec_seal(struct ipsec_sa *sa, const struct ipsec_crypto *crypto, const uint8_t *packet,
               size_t len, uint8_t *out, size_t size)
{
    uint32_t next = sa->sent + 1;
    if (next == 0 || next >= sa->reserved)
        return MOTE_E_STATE; /* no number is reserved, or all up to 2^32 - 2 are used */
    int result = ipsec_seal_as(sa, crypto, packet, len, next, NULL, out, size);
    if (result > 0) {
        sa->sent = next;
        sa->packets++;
    }
    return result;
}

int ipsec_peek(const uint8_t *packet, size_t len, uint8_t *protocol, uint32_t *spi)
{
    struct ipsec_position position;
    struct reader r;
    int error = ipsec_find_position(packet, len, &position);
    if (error)
        return error;
    if (position.protocol != NEXT_AH && position.protocol != NEXT_ESP)
        return MOTE_E_STATE;
    reader_init(&r, packet, len);
    reader_take(&r, position.at + (position.protocol == NEXT_AH ? 4 : 0));
    *protocol = position.protocol;
    *spi = reader_u32(&r);
    return r.failed ? MOTE_E_SHORT : MOTE_OK;
}

static void count(struct ipsec_sa *sa, int result)
{
    uint32_t *counter = &sa->malformed;
    if (result >= 0)
        counter = &sa->packets;
    else if (result == MOTE_E_AUTH)
        counter = &sa->bad_icv;
    else if (result == MOTE_E_REPLAY)
        counter = &sa->replays;
    ++*counter;
}

int ipsec_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto, const uint8_t *packet,
               size_t len, uint8_t *out, size_t size)
{
    struct ipsec_position position;
    int result = locate(sa, crypto, packet, len, &position);
    if (!result) {
        result = position.protocol != sa->protocol->number
                     ? MOTE_E_STATE
                     : sa->protocol->open(sa, crypto, &position, packet, len, out, size);
    }
    count(sa, result);
    return result;
}
