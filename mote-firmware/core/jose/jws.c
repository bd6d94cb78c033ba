/*
 * JWS compact serialization in one buffer: header and payload are written, encoded as base64url in
 * place, hashed in place, and the signature is appended.
 */
#include "mote/jose.h"

enum { FLAG_CBOR = 0x04, FLAG_ACK = 0x08 };

/* Signs the content of `out` from `from` on: header.payload in base64url. */
static int sign_tail(const struct writer *out, size_t from, const struct jose_signer *signer,
                     uint8_t signature[P256_SIGNATURE_SIZE])
{
    struct piece input = {out->start + from, out->len - from};
    uint8_t digest[SHA256_SIZE];

    if (out->failed)
        return MOTE_E_SPACE;
    sha256_pieces(signer->hash, &input, 1, digest);
    return signer->curve->sign(signer->curve->context, signer->key, digest, signature);
}

/* Encodes the header, which starts at `from`, and appends the payload: the signing input. */
static void add_payload(struct writer *out, size_t from, const uint8_t *payload, size_t len)
{
    base64url_in_place(out, from);
    writer_u8(out, '.');
    base64url_write(out, payload, len);
}

static int finish(struct writer *out, size_t from, const struct jose_signer *signer,
                  const uint8_t *payload, size_t len)
{
    uint8_t signature[P256_SIGNATURE_SIZE];
    int error;

    add_payload(out, from, payload, len);
    error = sign_tail(out, from, signer, signature);
    if (error != MOTE_OK)
        return error;
    writer_u8(out, '.');
    base64url_write(out, signature, sizeof signature);
    return out->failed ? MOTE_E_SPACE : MOTE_OK;
}

int jws_sign(struct writer *out, const struct jose_signer *signer, const uint8_t *header,
             size_t header_len, const uint8_t *payload, size_t payload_len)
{
    size_t from = out->len;

    writer_bytes(out, header, header_len);
    return finish(out, from, signer, payload, payload_len);
}

static void member(struct writer *out, const char *name)
{
    writer_u8(out, ',');
    json_string(out, name);
    writer_u8(out, ':');
}

static void text_member(struct writer *out, const char *name, const char *value)
{
    if (value == NULL)
        return;
    member(out, name);
    json_string(out, value);
}

static void number_member(struct writer *out, const char *name, uint64_t value)
{
    member(out, name);
    writer_decimal(out, value);
}

int jose_registration(struct writer *out, const struct jose_signer *signer,
                      const struct jose_registration *registration)
{
    size_t from = out->len;

    if (registration->seq > JOSE_SEQ_MAX)
        return MOTE_E_STATE;
    writer_str(out, "{\"alg\":\"ES256\",\"typ\":\"vigil-reg\",\"cty\":\"application/link-format\"");
    member(out, "jwk");
    jwk_write(out, signer->point);
    text_member(out, "ep", registration->ep);
    text_member(out, "d", registration->domain);
    number_member(out, "lt", registration->lifetime);
    text_member(out, "et", registration->endpoint_type);
    if (registration->wake > 0)
        number_member(out, "wake", registration->wake);
    number_member(out, "seq", registration->seq);
    if (registration->ephemeral != NULL) {
        member(out, "epk");
        jwk_write(out, registration->ephemeral);
    }
    writer_u8(out, '}');
    return finish(out, from, signer, registration->links, registration->links_len);
}

/* The order of members is fixed: the mirror reconstructs these octets from a compact update
 * (docs/protocol.md section 4). */
static int update_header(struct writer *out, const struct jose_signer *signer,
                         const struct jose_update *update)
{
    if (update->seq > JOSE_SEQ_MAX || update->ack > JOSE_SEQ_MAX)
        return MOTE_E_STATE;
    writer_str(out, "{\"alg\":\"ES256\"");
    text_member(out, "cty", update->cbor ? "application/senml+cbor" : "application/senml+json");
    text_member(out, "kid", signer->kid);
    text_member(out, "res", update->path);
    number_member(out, "seq", update->seq);
    if (update->acknowledges)
        number_member(out, "ack", update->ack);
    writer_u8(out, '}');
    return MOTE_OK;
}

int jose_update(struct writer *out, const struct jose_signer *signer,
                const struct jose_update *update)
{
    size_t from = out->len;
    int error = update_header(out, signer, update);

    if (error != MOTE_OK)
        return error;
    return finish(out, from, signer, update->payload, update->payload_len);
}

int jose_update_compact(struct writer *out, const struct jose_signer *signer,
                        const struct jose_update *update)
{
    size_t from = out->len;
    uint8_t signature[P256_SIGNATURE_SIZE];
    int error = update_header(out, signer, update);

    if (error != MOTE_OK)
        return error;
    add_payload(out, from, update->payload, update->payload_len);
    error = sign_tail(out, from, signer, signature);
    if (error != MOTE_OK)
        return error;
    out->len = from; /* the JWS was only the input of the signature */
    writer_u8(out,
              (uint8_t)((update->cbor ? FLAG_CBOR : 0) | (update->acknowledges ? FLAG_ACK : 0)));
    writer_u16(out, (uint16_t)update->seq);
    if (update->acknowledges)
        writer_u16(out, (uint16_t)update->ack);
    writer_bytes(out, update->payload, update->payload_len);
    writer_bytes(out, signature, sizeof signature);
    return out->failed ? MOTE_E_SPACE : MOTE_OK;
}
