/* The bits of IPHC (RFC 6282 section 3.1) and the address forms, for both directions. */
#ifndef MOTE_CORE_IPHC_H
#define MOTE_CORE_IPHC_H

#include <stdint.h>

#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/sixlowpan.h"

enum {
    DISPATCH_IPV6 = 0x41,
    DISPATCH_IPHC = 0x60, /* 011x xxxx */
    IPHC_TF_SHIFT = 3,
    IPHC_NH = 0x04,
    IPHC_CID = 0x80,
    IPHC_SAC = 0x40,
    IPHC_SAM_SHIFT = 4,
    IPHC_M = 0x08,
    IPHC_DAC = 0x04,

    NHC_EXTENSION = 0xe0, /* 1110 EID NH */
    NHC_NH = 0x01
};

/* Address modes: the part carried inline; context and link address supply the rest. */
enum unicast_mode { MODE_FULL = 0, MODE_64 = 1, MODE_16 = 2, MODE_LINK = 3 };
enum multicast_mode { MULTICAST_FULL = 0, MULTICAST_48 = 1, MULTICAST_32 = 2, MULTICAST_8 = 3 };

/* Octets carried inline in each mode. */
extern const uint8_t iphc_unicast_inline[4];
extern const uint8_t iphc_multicast_inline[4];

/*
 * Decodes an address from its mode and inline octets; `context` is NULL for stateless modes. The
 * compressor tries modes with these functions, so compressor and decompressor agree.
 */
int iphc_unicast(const struct lowpan_context *context, unsigned mode, const uint8_t *inline_octets,
                 const struct link_address *link, struct ipv6_address *address);
void iphc_multicast(unsigned mode, const uint8_t *inline_octets, struct ipv6_address *address);
/* RFC 6282 section 3.2.4, DAC = 1: six octets inline around a context's prefix (RFC 3306). */
int iphc_multicast_prefix(const struct lowpan_context *context, const uint8_t inline_octets[6],
                          struct ipv6_address *address);

/* The context with this identifier, or NULL. */
const struct lowpan_context *lowpan_context(const struct lowpan *lowpan, unsigned id);

#endif
