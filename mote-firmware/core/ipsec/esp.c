/* ESP: SPI, sequence number, IV, ciphertext of (payload, padding, pad length, next header), ICV. */
#include "transform.h"

#include <string.h>

enum { ESP_HEADER_SIZE = 8, TRAILER_SIZE = 2 };

/* An ESP packet's parts, all inside one buffer. */
struct esp {
    uint8_t *header;
    const uint8_t *iv;
    uint8_t *text; /* plain or encrypted */
    size_t text_len;
    uint8_t *icv;
};

static struct ccm ccm_of(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                         const struct esp *esp, uint8_t nonce[11])
{
    memcpy(nonce, sa->salt, 3);
    memcpy(nonce + 3, esp->iv, 8);
    return (struct ccm){.aes = crypto->aes,
                        .length_size = 4,
                        .mic_len = (uint8_t)ipsec_icv_size(sa),
                        .nonce = nonce,
                        .header = {{esp->header, ESP_HEADER_SIZE}, {NULL, 0}}};
}

/* CTR is its own inverse (RFC 3686: salt, IV, a counter from 1). */
static void crypt_ctr(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                      const struct esp *esp)
{
    uint8_t counter[AES_BLOCK] = {[AES_BLOCK - 1] = 1};
    memcpy(counter, sa->salt, 4);
    memcpy(counter + 4, esp->iv, 8);
    aes_ctr(crypto->aes, counter, esp->text, esp->text_len);
}

static void esp_icv(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                    const struct esp *esp, uint8_t icv[IPSEC_ICV_MAX])
{
    struct piece whole = {esp->header, ESP_HEADER_SIZE + ipsec_iv_size(sa) + esp->text_len};
    ipsec_icv(sa, crypto, &whole, 1, icv);
}

static int encrypt(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                   const struct esp *esp)
{
    uint8_t nonce[11];
    if (sa->cipher != IPSEC_NULL) {
        crypto->aes->set_key(crypto->aes->context, sa->key);
    }
    if (ipsec_is_ccm(sa)) {
        struct ccm ccm = ccm_of(sa, crypto, esp, nonce);
        return ccm_seal(&ccm, esp->text, esp->text_len, esp->icv);
    }
    if (sa->cipher == IPSEC_AES_CTR) {
        crypt_ctr(sa, crypto, esp);
    } else if (sa->cipher == IPSEC_AES_CBC) {
        aes_cbc_encrypt(crypto->aes, esp->iv, esp->text, esp->text_len);
    }
    esp_icv(sa, crypto, esp, esp->icv);
    return MOTE_OK;
}

static int check_and_decrypt(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                             const struct esp *esp)
{
    uint8_t nonce[11];
    uint8_t icv[IPSEC_ICV_MAX];
    if (ipsec_is_ccm(sa)) {
        struct ccm ccm = ccm_of(sa, crypto, esp, nonce);
        crypto->aes->set_key(crypto->aes->context, sa->key);
        return ccm_open(&ccm, esp->text, esp->text_len, esp->icv);
    }
    esp_icv(sa, crypto, esp, icv);
    bool good = equal_ct(icv, esp->icv, ipsec_icv_size(sa));
    wipe(icv, sizeof icv);
    if (!good) {
        return MOTE_E_AUTH;
    }
    if (sa->cipher != IPSEC_NULL) {
        crypto->aes->set_key(crypto->aes->context, sa->key);
    }
    if (sa->cipher == IPSEC_AES_CTR) {
        crypt_ctr(sa, crypto, esp);
    } else if (sa->cipher == IPSEC_AES_CBC) {
        aes_cbc_decrypt(crypto->aes, esp->iv, esp->text, esp->text_len);
    }
    return MOTE_OK;
}

static size_t block_size(const struct ipsec_sa *sa)
{
    return sa->cipher == IPSEC_AES_CBC ? AES_BLOCK : 4;
}

/* Padding 1, 2, 3.. so that the next-header octet ends a block (RFC 4303 section 2.4). */
static void write_trailer(struct writer *w, size_t payload_len, size_t block, uint8_t next)
{
    size_t pad = (block - (payload_len + TRAILER_SIZE) % block) % block;
    for (size_t i = 1; i <= pad; i++) {
        writer_u8(w, (uint8_t)i);
    }
    writer_u8(w, (uint8_t)pad);
    writer_u8(w, next);
}

int ipsec_esp_seal_as(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                      const uint8_t *packet, size_t len, uint32_t sequence, const uint8_t *iv,
                      uint8_t *out, size_t size)
{
    struct ipsec_place place;
    struct writer w;
    struct esp esp;
    int error = ipsec_find_place(packet, len, &place);
    if (error) {
        return error;
    }
    writer_init(&w, out, size);
    writer_bytes(&w, packet, place.at);
    esp.header = writer_take(&w, ESP_HEADER_SIZE);
    uint8_t *iv_at = writer_take(&w, ipsec_iv_size(sa));
    size_t text_at = w.len;
    writer_bytes(&w, packet + place.at, len - place.at);
    write_trailer(&w, len - place.at, block_size(sa), place.protocol);
    esp.text_len = w.len - text_at;
    esp.icv = writer_take(&w, ipsec_icv_size(sa));
    if (w.failed) {
        return MOTE_E_SPACE;
    }
    struct writer header;
    writer_init(&header, esp.header, ESP_HEADER_SIZE);
    writer_u32(&header, sa->spi);
    writer_u32(&header, sequence);
    memcpy(iv_at, iv, ipsec_iv_size(sa));
    esp.iv = iv_at;
    esp.text = out + text_at;
    error = encrypt(sa, crypto, &esp);
    if (error) {
        return error;
    }
    out[place.next_at] = NEXT_ESP;
    ipsec_set_payload_len(out, w.len);
    return (int)w.len;
}

/* The padding's octets are known: what differs was not made by the peer's ESP. */
static int read_trailer(const struct esp *esp, uint8_t *next, size_t *payload_len)
{
    size_t pad = esp->text[esp->text_len - 2];
    if (pad + TRAILER_SIZE > esp->text_len) {
        return MOTE_E_MALFORMED;
    }
    *next = esp->text[esp->text_len - 1];
    *payload_len = esp->text_len - TRAILER_SIZE - pad;
    for (size_t i = 0; i < pad; i++) {
        if (esp->text[*payload_len + i] != i + 1) {
            return MOTE_E_MALFORMED;
        }
    }
    return MOTE_OK;
}

static int find_parts(const struct ipsec_sa *sa, uint8_t *octets, size_t len, struct esp *esp)
{
    size_t fixed = ESP_HEADER_SIZE + ipsec_iv_size(sa) + ipsec_icv_size(sa);
    if (len < fixed + TRAILER_SIZE) {
        return MOTE_E_SHORT;
    }
    esp->header = octets;
    esp->iv = octets + ESP_HEADER_SIZE;
    esp->text = octets + ESP_HEADER_SIZE + ipsec_iv_size(sa);
    esp->text_len = len - fixed;
    esp->icv = esp->text + esp->text_len;
    return esp->text_len % block_size(sa) == 0 ? MOTE_OK : MOTE_E_MALFORMED;
}

/* Works in `out`: the whole packet is copied there, decrypted, and the payload moved up. */
int ipsec_esp_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                   const struct ipsec_place *place, const uint8_t *packet, size_t len, uint8_t *out,
                   size_t size)
{
    struct esp esp;
    struct reader r;
    uint8_t next = 0;
    size_t payload_len = 0;
    if (len > size) {
        return MOTE_E_SPACE;
    }
    if (sa->cipher == IPSEC_AES_CBC && crypto->aes->decrypt == NULL) {
        return MOTE_E_UNSUPPORTED;
    }
    memcpy(out, packet, len);
    int error = find_parts(sa, out + place->at, len - place->at, &esp);
    if (error) {
        return error;
    }
    reader_init(&r, esp.header, ESP_HEADER_SIZE);
    uint32_t spi = reader_u32(&r);
    uint32_t sequence = reader_u32(&r);
    error = spi == sa->spi ? ipsec_fresh(sa, sequence) : MOTE_E_STATE;
    if (!error) {
        error = check_and_decrypt(sa, crypto, &esp);
    }
    if (!error) {
        ipsec_accept(sa, sequence);
        error = read_trailer(&esp, &next, &payload_len);
    }
    if (error) {
        wipe(out, len);
        return error;
    }
    memmove(out + place->at, esp.text, payload_len);
    out[place->next_at] = next;
    ipsec_set_payload_len(out, place->at + payload_len);
    return (int)(place->at + payload_len);
}
