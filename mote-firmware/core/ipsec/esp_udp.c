/* ESP with a compressed UDP header inside: the encryption that Raza et al. (2011, section V.E) call
 * for (docs/protocol.md section 10). */
#include <string.h>

#include "esp_seal.h"
#include "mote/base.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "mote/udp_nhc.h"
#include "transform.h"

/* True if a UDP header begins here whose length, which is elided, is that of the rest. */
static bool fits(struct reader r)
{
    size_t left = r.left;
    reader_u32(&r);
    return left >= UDP_HEADER_SIZE && reader_u16(&r) == left;
}

static int esp_udp_seal(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                        const struct ipsec_position *position, const uint8_t *packet, size_t len,
                        uint32_t sequence, const uint8_t *iv, uint8_t *out, size_t size)
{
    uint8_t head[NHC_UDP_MAX];
    struct piece payload = {packet + position->at, len - position->at};
    struct reader r;
    struct writer w;
    writer_init(&w, head, sizeof head);
    if (position->protocol == NEXT_UDP) {
        reader_init(&r, payload.data, payload.len);
        if (!fits(r))
            return MOTE_E_MALFORMED;
        udp_nhc_write(&w, r);
        payload = (struct piece){payload.data + UDP_HEADER_SIZE, payload.len - UDP_HEADER_SIZE};
    }
    return esp_seal_payload(sa, crypto, position, packet, head, w.len, payload, sequence, iv, out,
                            size);
}

/* Restores the UDP header at the end of the packet's headers. Returns the packet's length. */
static int expand(uint8_t *packet, size_t at, size_t len, size_t size)
{
    struct reader r;
    struct writer w;
    uint16_t src;
    uint16_t dst;
    reader_init(&r, packet + at, len - at);
    uint8_t nhc = reader_u8(&r);
    if ((nhc & ~3U) != NHC_UDP) /* also with an elided checksum, which nobody has allowed */
        return MOTE_E_MALFORMED;
    udp_nhc_read_ports(&r, nhc & 3U, &src, &dst);
    uint16_t checksum = reader_u16(&r);
    if (r.failed)
        return MOTE_E_SHORT;
    size_t udp_len = UDP_HEADER_SIZE + r.left;
    if (udp_len > size - at)
        return MOTE_E_SPACE;
    memmove(packet + at + UDP_HEADER_SIZE, r.at, r.left);
    writer_init(&w, packet + at, UDP_HEADER_SIZE);
    writer_u16(&w, src);
    writer_u16(&w, dst);
    writer_u16(&w, (uint16_t)udp_len);
    writer_u16(&w, checksum);
    ipsec_set_payload_len(packet, at + udp_len);
    return (int)(at + udp_len);
}

static int esp_udp_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                        const struct ipsec_position *position, const uint8_t *packet, size_t len,
                        uint8_t *out, size_t size)
{
    int opened = esp_open(sa, crypto, position, packet, len, out, size);
    if (opened < 0 || out[position->next_at] != NEXT_UDP)
        return opened;
    int result = expand(out, position->at, (size_t)opened, size);
    if (result < 0)
        wipe(out, size);
    return result;
}

const struct ipsec_protocol ipsec_esp_udp = {NEXT_ESP, esp_udp_seal, esp_udp_open};
