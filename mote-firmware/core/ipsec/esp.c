/* ESP (RFC 4303): SPI, sequence number, IV, ciphertext of (payload, padding, pad length, next
 * header), ICV. */
#include <string.h>

#include "mote/base.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "transform.h"

enum { TRAILER_SIZE = 2 };

/* Finds the parts of the ESP in `octets`. */
static int find_parts(const struct ipsec_sa *sa, uint8_t *octets, size_t len,
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

static struct piece icv_input(const struct ipsec_text *text)
{
    return (struct piece){text->header, (size_t)(text->icv - text->header)};
}

/* Padding 1, 2, 3.. so that the next-header octet ends a block (RFC 4303 section 2.4). */
static void write_trailer(struct writer *w, size_t payload_len, size_t block, uint8_t next)
{
    size_t pad = (0 - payload_len - TRAILER_SIZE) & (block - 1);
    for (size_t i = 1; i <= pad; i++)
        writer_u8(w, (uint8_t)i);
    writer_u8(w, (uint8_t)pad);
    writer_u8(w, next);
}

static int esp_seal(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                    const struct ipsec_position *position, const uint8_t *packet, size_t len,
                    uint32_t sequence, const uint8_t *iv, uint8_t *out, size_t size)
{
    struct writer w;
    struct ipsec_text text;
    writer_init(&w, out, size);
    writer_bytes(&w, packet, position->at);
    writer_u32(&w, sa->spi);
    writer_u32(&w, sequence);
    writer_bytes(&w, iv, sa->cipher->iv_size);
    writer_bytes(&w, packet + position->at, len - position->at);
    write_trailer(&w, len - position->at, sa->cipher->block, position->protocol);
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

static int check_and_decrypt(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                             const struct ipsec_text *text)
{
    struct piece whole = icv_input(text);
    int error = sa->integrity == NULL ? MOTE_OK : ipsec_verify_icv(sa, crypto, &whole, text->icv);
    return error ? error : sa->cipher->open(sa, crypto->aes, text);
}

/* Reads the trailer and checks the padding octets 1, 2, 3 ... (RFC 4303 section 2.4). */
static int read_trailer(const struct ipsec_text *text, uint8_t *next, size_t *payload_len)
{
    const uint8_t *trailer = text->octets + text->len - TRAILER_SIZE;
    size_t pad = trailer[0];
    if (pad + TRAILER_SIZE > text->len)
        return MOTE_E_MALFORMED;
    *next = trailer[1];
    *payload_len = text->len - TRAILER_SIZE - pad;
    for (; pad > 0; pad--)
        if (*--trailer != pad)
            return MOTE_E_MALFORMED;
    return MOTE_OK;
}

/* Copies the packet to `out`, decrypts it there and moves the payload to where ESP was. */
static int esp_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                    const struct ipsec_position *position, const uint8_t *packet, size_t len,
                    uint8_t *out, size_t size)
{
    struct ipsec_text text;
    struct reader r;
    uint8_t next = 0;
    size_t payload_len = 0;
    if (len > size)
        return MOTE_E_SPACE;
    memcpy(out, packet, len);
    int error = find_parts(sa, out + position->at, len - position->at, &text);
    if (error)
        return error;
    reader_init(&r, text.header, ESP_HEADER_SIZE);
    uint32_t spi = reader_u32(&r);
    uint32_t sequence = reader_u32(&r);
    error = spi == sa->spi ? ipsec_replay_check(sa, sequence) : MOTE_E_STATE;
    if (!error)
        error = check_and_decrypt(sa, crypto, &text);
    if (!error) {
        ipsec_replay_update(sa, sequence);
        error = read_trailer(&text, &next, &payload_len);
    }
    if (error) {
        wipe(out, len);
        return error;
    }
    memmove(out + position->at, text.octets, payload_len);
    out[position->next_at] = next;
    ipsec_set_payload_len(out, position->at + payload_len);
    return (int)(position->at + payload_len);
}

const struct ipsec_protocol ipsec_esp = {NEXT_ESP, esp_seal, esp_open};
