/* ESP packets of stored ciphertext. */
#include "mote/base.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "transform.h"

int ipsec_compose(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                  const struct ipv6_header *ip, const struct ipsec_sealed *sealed,
                  uint32_t sequence, uint8_t *out, size_t size)
{
    struct writer w;
    struct ipv6_header header = *ip;
    size_t icv_len = ipsec_icv_size(sa);
    int error = ipsec_check(sa, crypto);

    if (!error && (sa->cipher == NULL || sa->integrity == NULL))
        error = MOTE_E_UNSUPPORTED;
    if (error)
        return error;
    header.next_header = NEXT_ESP;
    header.payload_len = (uint16_t)(ESP_HEADER_SIZE + sa->cipher->iv_size + sealed->len + icv_len);
    writer_init(&w, out, size);
    ipv6_write(&header, &w);
    size_t covered = w.len;
    writer_u32(&w, sa->spi);
    writer_u32(&w, sequence);
    writer_bytes(&w, sealed->iv, sa->cipher->iv_size);
    writer_bytes(&w, sealed->text, sealed->len);
    struct piece whole = {out + covered, w.len - covered};
    uint8_t *icv = writer_take(&w, icv_len);
    if (w.failed)
        return MOTE_E_SPACE;
    if (sealed->icv == NULL) {
        ipsec_compute_icv(sa, crypto, &whole, icv);
    } else {
        w.len -= icv_len;
        writer_bytes(&w, sealed->icv, icv_len);
    }
    return (int)w.len;
}
