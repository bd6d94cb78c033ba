/*
 * Compressed AH and ESP (protocol notes section 9; Raza et al. 2011):
 *   NHC_EH 0xEB or 0xED, then
 *   NHC_AH  1101 PL SPI SN NH | [next header] [payload length] [SPI] sequence number | ICV
 *   NHC_ESP 1110 SPI SPI SN NH | [SPI] sequence number | IV, ciphertext, ICV untouched
 */
#ifndef MOTE_CORE_NHC_IPSEC_H
#define MOTE_CORE_NHC_IPSEC_H

#include "mote/base.h"

enum { NHC_IPSEC_AH = 0xeb, NHC_IPSEC_ESP = 0xed };

struct nhc_ipsec_place {
    bool pending;   /* the next header comes as an NHC too */
    size_t next_at; /* where in the output it is named */
};

/* Reads what follows NHC_EH and writes the plain header. */
int nhc_ipsec_read(struct reader *in, struct writer *out, uint8_t *protocol,
                   struct nhc_ipsec_place *place);

/* Octets of the plain AH or ESP header at `in` that compress, or 0 if it must stay as it is. */
size_t nhc_ipsec_size(uint8_t protocol, struct reader in);
/* Writes NHC_EH and what follows; `more` says that the header behind an AH is compressed too. */
void nhc_ipsec_write(uint8_t protocol, struct reader in, bool more, struct writer *out);

#endif
