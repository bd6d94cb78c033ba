#include "mirror.h"

#include <string.h>

#include "mote/cbor.h"

static int to_inbox(void *context, const uint8_t *psdu, size_t len)
{
    struct mirror *mirror = context;

    if (mirror->inbox_len == MIRROR_FRAMES)
        return MOTE_E_IO;
    memcpy(mirror->inbox[mirror->inbox_len].psdu, psdu, len);
    mirror->inbox[mirror->inbox_len++].len = len;
    return MOTE_OK;
}

static int to_outbox(void *context, const uint8_t *psdu, size_t len)
{
    struct mirror *mirror = context;

    if (mirror->outbox_len == MIRROR_FRAMES)
        return MOTE_E_IO;
    memcpy(mirror->outbox[mirror->outbox_len].psdu, psdu, len);
    mirror->outbox[mirror->outbox_len++].len = len;
    return MOTE_OK;
}

void mirror_init(struct mirror *mirror, const uint8_t own[EUI64_SIZE],
                 const uint8_t mote[EUI64_SIZE])
{
    memset(mirror, 0, sizeof *mirror);
    mirror->from_mote = (struct frame_radio){.transmit = to_inbox, .context = mirror};
    mirror->to_mote = (struct frame_radio){.transmit = to_outbox, .context = mirror};
    link_init(&mirror->link, &mirror->to_mote, NULL, own, mote, 1);
    bearssl_p256(&mirror->curve, &br_ec_p256_m31);
    bearssl_sha256(&mirror->hash, &mirror->hash_state);
    memset(mirror->key, 7, sizeof mirror->key);
}

static void octets(struct writer *w, const uint8_t *data, size_t len)
{
    cbor_head_write(w, CBOR_OCTETS, len);
    writer_bytes(w, data, len);
}

static void pair(struct writer *w, uint64_t label, uint64_t value)
{
    cbor_head_write(w, CBOR_UNSIGNED, label);
    cbor_head_write(w, CBOR_UNSIGNED, value);
}

/* The answer map with a key for agreement: time, highest, COSE_Key, window, key number. */
static int map(struct mirror *mirror, struct writer *w)
{
    uint8_t point[P256_PUBLIC_SIZE];
    uint8_t ephemeral[P256_PRIVATE_SIZE];
    int error;

    memset(ephemeral, 9, sizeof ephemeral);
    error = mirror->curve.public_key(mirror->curve.context, ephemeral, point);
    cbor_head_write(w, CBOR_MAP, 5);
    pair(w, 0, 1800000000);
    pair(w, 1, 1);
    cbor_head_write(w, CBOR_UNSIGNED, 2);
    cbor_head_write(w, CBOR_MAP, 4);
    pair(w, 1, 2);
    cbor_head_write(w, CBOR_NEGATIVE, 0);
    cbor_head_write(w, CBOR_UNSIGNED, 1);
    cbor_head_write(w, CBOR_NEGATIVE, 1);
    octets(w, point, 32);
    cbor_head_write(w, CBOR_NEGATIVE, 2);
    octets(w, point + 32, 32);
    pair(w, 3, 4096);
    pair(w, 4, 1);
    return error;
}

/* COSE_Sign1 over that map and the hash of the registration (RFC 9052, section 4.4). */
static int sign1(struct mirror *mirror, struct writer *out)
{
    static const uint8_t header[] = {0xa1, 0x01, 0x26};
    uint8_t answer[160], structure[256];
    uint8_t external[SHA256_SIZE], digest[SHA256_SIZE], signature[P256_SIGNATURE_SIZE];
    struct writer m, w;
    int error;

    sha256_pieces(&mirror->hash, &(struct piece){mirror->body, mirror->body_len}, 1, external);
    writer_init(&m, answer, sizeof answer);
    error = map(mirror, &m);
    writer_init(&w, structure, sizeof structure);
    cbor_head_write(&w, CBOR_ARRAY, 4);
    cbor_head_write(&w, CBOR_TEXT, 10);
    writer_str(&w, "Signature1");
    octets(&w, header, sizeof header);
    octets(&w, external, sizeof external);
    octets(&w, answer, writer_len(&m));
    sha256_pieces(&mirror->hash, &(struct piece){structure, writer_len(&w)}, 1, digest);
    if (error != MOTE_OK ||
        mirror->curve.sign(mirror->curve.context, mirror->key, digest, signature) != MOTE_OK)
        return -1;
    cbor_head_write(out, CBOR_TAG, 18);
    cbor_head_write(out, CBOR_ARRAY, 4);
    octets(out, header, sizeof header);
    cbor_head_write(out, CBOR_MAP, 0);
    octets(out, answer, writer_len(&m));
    octets(out, signature, sizeof signature);
    return out->failed || m.failed || w.failed ? -1 : 0;
}

static int key_text(struct mirror *mirror, struct writer *out)
{
    uint8_t point[P256_PUBLIC_SIZE];

    if (mirror->curve.public_key(mirror->curve.context, mirror->key, point) != MOTE_OK)
        return -1;
    jwk_write(out, point);
    return 0;
}

static bool find_block(const struct coap_message *request, struct coap_block *block)
{
    struct coap_options options;
    struct coap_option option;

    coap_options_begin(&options, request);
    while (coap_options_next(&options, &option))
        if (option.number == COAP_BLOCK1)
            return coap_block_read(&option, block);
    return false;
}

static void begin(struct mirror *mirror, struct coap_builder *builder, struct writer *w,
                  const struct coap_message *request, uint8_t code)
{
    bool confirmable = request->type == COAP_CON;

    coap_begin(builder, w, confirmable ? COAP_ACK : COAP_NON, code,
               confirmable ? request->id : (uint16_t)(0x7000 + mirror->updates), request->token,
               request->token_len);
}

static int register_mote(struct mirror *mirror, const struct coap_message *request,
                         struct coap_builder *builder, struct writer *w)
{
    uint8_t text[400];
    struct writer body;
    struct coap_block block = {0, false, 0};
    bool blocks = find_block(request, &block);

    if (mirror->body_len + request->payload_len > sizeof mirror->body)
        return -1;
    memcpy(mirror->body + mirror->body_len, request->payload, request->payload_len);
    mirror->body_len += request->payload_len;
    if (block.more) {
        begin(mirror, builder, w, request, COAP_CODE(2, 31));
        coap_add_block(builder, COAP_BLOCK1, block);
        return 0;
    }
    writer_init(&body, text, sizeof text);
    if (sign1(mirror, &body) != 0)
        return -1;
    begin(mirror, builder, w, request, COAP_CREATED);
    coap_add_parts(builder, COAP_LOCATION_PATH, "ms/7", '/');
    coap_add_uint(builder, COAP_CONTENT_FORMAT, COAP_FORMAT_COSE_SIGN1);
    if (blocks)
        coap_add_block(builder, COAP_BLOCK1, block);
    coap_payload(builder, text, writer_len(&body));
    return 0;
}

static int answer(struct mirror *mirror, const uint8_t *datagram, size_t len)
{
    uint8_t out[ENDPOINT_DATAGRAM], text[200];
    struct coap_message request;
    struct coap_builder builder;
    struct writer w, body;
    struct wire wire = link_wire(&mirror->link);
    int error = 0;

    if (coap_parse(&request, datagram, len) != MOTE_OK)
        return -1;
    writer_init(&w, out, sizeof out);
    writer_init(&body, text, sizeof text);
    if (request.code == COAP_GET) {
        error = key_text(mirror, &body);
        begin(mirror, &builder, &w, &request, COAP_CONTENT);
        coap_payload(&builder, text, writer_len(&body));
    } else if (request.code == COAP_POST) {
        error = register_mote(mirror, &request, &builder, &w);
    } else if (request.code == COAP_PUT) {
        mirror->updates++;
        begin(mirror, &builder, &w, &request, COAP_CHANGED);
    } else {
        return -1;
    }
    return error != 0 || w.failed ? -1 : wire.send(wire.context, out, writer_len(&w));
}

int mirror_turn(struct mirror *mirror)
{
    const uint8_t *datagram;
    int error = 0;

    for (size_t i = 0; i < mirror->inbox_len; i++) {
        size_t len =
            link_receive(&mirror->link, mirror->inbox[i].psdu, mirror->inbox[i].len, 0, &datagram);
        if (len > 0 && answer(mirror, datagram, len) != 0)
            error = -1;
    }
    mirror->inbox_len = 0;
    return error;
}
