/* What ESP and AH share. */
#ifndef MOTE_CORE_IPSEC_TRANSFORM_H
#define MOTE_CORE_IPSEC_TRANSFORM_H

#include "mote/ipsec.h"

enum { IPV6_PAYLOAD_LEN_AT = 4, IPV6_NEXT_AT = 6 };

bool ipsec_is_ccm(const struct ipsec_sa *sa);
size_t ipsec_iv_size(const struct ipsec_sa *sa);

/* The ICV over the pieces; ipsec_icv_size octets. Not for CCM. */
void ipsec_icv(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
               const struct piece *pieces, size_t count, uint8_t icv[IPSEC_ICV_MAX]);

/* Where AH or ESP is, or would go: behind hop-by-hop, routing and (before a routing header)
 * destination headers. */
struct ipsec_place {
    size_t at;
    size_t next_at;   /* the octet that names what is at `at` */
    uint8_t protocol; /* what is named */
};
int ipsec_find_place(const uint8_t *packet, size_t len, struct ipsec_place *place);

void ipsec_set_payload_len(uint8_t *packet, size_t len);

/* ipsec_open for each protocol, `place` pointing at it. */
int ipsec_esp_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                   const struct ipsec_place *place, const uint8_t *packet, size_t len, uint8_t *out,
                   size_t size);
int ipsec_ah_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                  const struct ipsec_place *place, const uint8_t *packet, size_t len, uint8_t *out,
                  size_t size);

#endif
