/* Sequence numbers of which a packet carries only the low octets. As with the extended numbers of
 * RFC 4303 appendix A, the window of the association says which number they stand for. */
#include "mote/base.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "transform.h"

/* Finds the number in the outermost AH or ESP; MOTE_E_STATE if that is not the association's. */
static int find(const struct ipsec_sa *sa, const uint8_t *packet, size_t len, size_t *at,
                uint32_t *sequence)
{
    struct ipsec_position position;
    struct reader r;
    int error = ipsec_find_position(packet, len, &position);
    if (error)
        return error;
    if (position.protocol != sa->protocol->number)
        return MOTE_E_STATE;
    reader_init(&r, packet, len);
    reader_take(&r, position.at + (position.protocol == NEXT_AH ? 4U : 0U));
    uint32_t spi = reader_u32(&r);
    *at = len - r.left;
    *sequence = reader_u32(&r);
    if (r.failed)
        return MOTE_E_SHORT;
    return spi == sa->spi ? MOTE_OK : MOTE_E_STATE;
}

int ipsec_sequence(const struct ipsec_sa *sa, const uint8_t *packet, size_t len, uint32_t *sequence)
{
    size_t at;
    return find(sa, packet, len, &at, sequence);
}

int ipsec_whole_sequence(const struct ipsec_sa *sa, uint32_t low, size_t octets, uint32_t *sequence)
{
    uint32_t lowest = sa->top >= IPSEC_WINDOW ? sa->top - IPSEC_WINDOW + 1 : 1;
    uint32_t ahead = (low - lowest) & ((UINT32_C(1) << (8 * octets)) - 1);
    if (ahead > UINT32_MAX - lowest)
        return MOTE_E_REPLAY; /* no such number is left */
    *sequence = lowest + ahead;
    return MOTE_OK;
}

int ipsec_restore_sequence(const struct ipsec_sa *sa, uint8_t *packet, size_t len, size_t octets)
{
    struct writer w;
    uint32_t sequence;
    size_t at;
    int error = find(sa, packet, len, &at, &sequence);
    if (!error)
        error = ipsec_whole_sequence(sa, sequence, octets, &sequence);
    if (error)
        return error;
    writer_init(&w, packet + at, sizeof sequence);
    writer_u32(&w, sequence);
    return MOTE_OK;
}
