/* ESP (RFC 4303): SPI, sequence number, IV, ciphertext of (payload, padding, pad length, next
 * header), ICV. */
#include <string.h>

#include "esp_seal.h"
#include "mote/base.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "transform.h"

static int esp_seal(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                    const struct ipsec_position *position, const uint8_t *packet, size_t len,
                    uint32_t sequence, const uint8_t *iv, uint8_t *out, size_t size)
{
    const struct piece payload = {packet + position->at, len - position->at};
    return esp_seal_payload(sa, crypto, position, packet, NULL, 0, payload, sequence, iv, out,
                            size);
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
int esp_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
             const struct ipsec_position *position, const uint8_t *packet, size_t len, uint8_t *out,
             size_t size)
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
