/*
 * Compressed AH and ESP (docs/protocol.md section 9; Raza et al. 2011):
 *   NHC_EH 0xEB or 0xED, then
 *   NHC_AH  1101 PL SPI SN NH | [next header] [payload length] [SPI] sequence number | ICV
 *   NHC_ESP 1110 SPI SPI SN NH | [SPI] sequence number | IV, ciphertext, ICV untouched
 * 1100 and 1111 mark the same forms with only the low octets of the sequence number.
 */
#ifndef MOTE_CORE_NHC_IPSEC_H
#define MOTE_CORE_NHC_IPSEC_H

#include "mote/base.h"
#include "mote/sixlowpan.h"

enum {
    NHC_IPSEC_AH = 0xeb,
    NHC_IPSEC_ESP = 0xed,
    NHC_IDENTIFIER = 0xe0,
    NHC_IDENTIFIER_AH = 0xc0,  /* of both forms of AH */
    NHC_IDENTIFIER_ESP = 0xe0, /* of both forms of ESP */
    /* The bit that distinguishes the forms: set in AH's form with a whole number, and in ESP's form
     * with an elided one. */
    NHC_FORM = 0x10
};

/* The next header after a decompressed one. */
struct nhc_ipsec_next {
    bool pending;   /* an NHC follows */
    uint8_t low;    /* LOWPAN_LOW_1 or LOWPAN_LOW_2 of this header, or 0 */
    size_t next_at; /* offset of the next-header octet in the output */
};

struct lowpan_nhc {
    uint8_t protocol;
    /* Reads the fields after NHC_EH and the octet `nhc`; writes the uncompressed header. */
    int (*read)(struct reader *in, uint8_t nhc, struct writer *out, struct nhc_ipsec_next *after);
    /* The size of the uncompressed header at `in`, or 0 if it has no compressed form. */
    size_t (*size)(struct reader in);
    /* Writes NHC_EH, NHC octet and fields; `more`: the header after it is compressed too. */
    void (*write)(struct reader in, bool more, struct writer *out);
};

/* The form that starts with the octet `nhc` after NHC_EH, or NULL. Only its identifier decides,
 * because the first implementation sent the EID 0xEB for both. */
const struct lowpan_nhc *nhc_ipsec_find(const struct lowpan *lowpan, uint8_t nhc);

#endif
