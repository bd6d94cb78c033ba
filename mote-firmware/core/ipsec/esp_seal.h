/*
 * Sealing of ESP, shared by ESP as it is and by ESP with a compressed UDP header inside. It is
 * inline because an image that has only one of them must not pay for the other.
 */
#ifndef MOTE_CORE_IPSEC_ESP_SEAL_H
#define MOTE_CORE_IPSEC_ESP_SEAL_H

#include "mote/base.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "transform.h"

enum { TRAILER_SIZE = 2 };

/* Finds the parts of the ESP in `octets`. */
static inline int find_parts(const struct ipsec_sa *sa, uint8_t *octets, size_t len,
                             struct ipsec_text *text)
{
    size_t before = ESP_HEADER_SIZE + sa->cipher->iv_size;
    size_t fixed = before + ipsec_icv_size(sa);
    if (len < fixed + TRAILER_SIZE)
        return MOTE_E_SHORT;
    text->header = octets;
    text->iv = octets + ESP_HEADER_SIZE;
    text->octets = octets + before;
    text->len = len - fixed;
    text->icv = text->octets + text->len;
    return (text->len & (sa->cipher->block - 1U)) == 0 ? MOTE_OK : MOTE_E_MALFORMED;
}

static inline struct piece icv_input(const struct ipsec_text *text)
{
    return (struct piece){text->header, (size_t)(text->icv - text->header)};
}

/* Padding 1, 2, 3.. so that the next-header octet ends a block (RFC 4303 section 2.4). */
static inline void write_trailer(struct writer *w, size_t payload_len, size_t block, uint8_t next)
{
    size_t pad = (0 - payload_len - TRAILER_SIZE) & (block - 1);
    for (size_t i = 1; i <= pad; i++)
        writer_u8(w, (uint8_t)i);
    writer_u8(w, (uint8_t)pad);
    writer_u8(w, next);
}

/* Seals the `head_len` octets of `head` and then `payload` in an ESP, after the headers of `packet`
 * up to `position`. */
static inline int esp_seal_payload(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                                   const struct ipsec_position *position, const uint8_t *packet,
                                   const uint8_t *head, size_t head_len, struct piece payload,
                                   uint32_t sequence, const uint8_t *iv, uint8_t *out, size_t size)
{
    struct writer w;
    struct ipsec_text text;
    writer_init(&w, out, size);
    writer_bytes(&w, packet, position->at);
    writer_u32(&w, sa->spi);
    writer_u32(&w, sequence);
    writer_bytes(&w, iv, sa->cipher->iv_size);
    if (head_len > 0)
        writer_bytes(&w, head, head_len);
    writer_bytes(&w, payload.data, payload.len);
    write_trailer(&w, head_len + payload.len, sa->cipher->block, position->protocol);
    writer_take(&w, ipsec_icv_size(sa));
    if (w.failed)
        return MOTE_E_SPACE;
    int error = find_parts(sa, out + position->at, w.len - position->at, &text);
    if (!error)
        error = sa->cipher->seal(sa, crypto->aes, &text);
    if (error)
        return error;
    if (sa->integrity != NULL) {
        struct piece whole = icv_input(&text);
        ipsec_compute_icv(sa, crypto, &whole, text.icv);
    }
    out[position->next_at] = NEXT_ESP;
    ipsec_set_payload_len(out, w.len);
    return (int)w.len;
}

/* Opens an ESP, like `open` of struct ipsec_protocol. */
int esp_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
             const struct ipsec_position *position, const uint8_t *packet, size_t len, uint8_t *out,
             size_t size);

#endif
