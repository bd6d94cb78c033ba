/*
 * Compressed AH and ESP (protocol notes section 9; Raza et al. 2011):
 *   NHC_EH 0xEB or 0xED, then
 *   NHC_AH  1101 PL SPI SN NH | [next header] [payload length] [SPI] sequence number | ICV
 *   NHC_ESP 1110 SPI SPI SN NH | [SPI] sequence number | IV, ciphertext, ICV untouched
 */
#ifndef MOTE_CORE_NHC_IPSEC_H
#define MOTE_CORE_NHC_IPSEC_H

#include "mote/sixlowpan.h"

enum {
    NHC_IPSEC_AH = 0xeb,
    NHC_IPSEC_ESP = 0xed,
    NHC_IDENTIFIER = 0xf0,
    NHC_IDENTIFIER_AH = 0xd0,
    NHC_IDENTIFIER_ESP = 0xe0
};

struct nhc_ipsec_place {
    bool pending;   /* the next header comes as an NHC too */
    bool inside;    /* it does so inside the ciphertext */
    size_t next_at; /* where in the output it is named */
};

struct lowpan_nhc {
    uint8_t protocol;
    /* Reads behind NHC_EH and the octet `nhc` and writes the plain header. */
    int (*read)(struct reader *in, uint8_t nhc, struct writer *out, struct nhc_ipsec_place *place);
    /* Octets of the plain header at `in` that compress, or 0 if it must stay as it is. */
    size_t (*size)(struct reader in);
    /* Writes NHC_EH and what follows; `more`: the header behind is compressed too. */
    void (*write)(struct reader in, bool more, struct writer *out);
};

/* The one that an octet behind NHC_EH begins, NULL if we know none. The identifier nibble decides,
 * not the EID: the first implementation sent 0xEB for both. */
const struct lowpan_nhc *nhc_ipsec_find(const struct lowpan *lowpan, uint8_t nhc);

#endif
