/* Commands: JWS compact serialization, header.payload.signature. */
#include "mote/jose.h"

enum {
    SIGNATURE_LETTERS = 86,
    HAS_ALG = 1,
    HAS_TYP = 2,
    HAS_KID = 4,
    HAS_EP = 8,
    HAS_D = 16,
    HAS_RES = 32,
    HAS_SEQ = 64,
    HAS_EXP = 128,
    HAS_CTY = 256,
    NEEDED = HAS_ALG | HAS_TYP | HAS_KID | HAS_EP | HAS_RES | HAS_SEQ | HAS_CTY
};

struct header {
    const struct jose_authority *authority;
    struct jose_command *command;
    const uint8_t *commander; /* the key that `kid` names */
};

static int kid_read(struct header *header, const struct json_text *kid)
{
    const struct jose_authority *authority = header->authority;
    char jkt[JOSE_JKT_LEN + 1];

    for (size_t i = 0; i < authority->commander_count; i++) {
        jwk_thumbprint(authority->hash, authority->commanders[i], jkt);
        if (json_is(kid, jkt))
            header->commander = authority->commanders[i];
    }
    return header->commander != NULL ? HAS_KID : MOTE_E_AUTH;
}

static int text_copy(const struct json_text *value, char *out, size_t size, int bit)
{
    struct writer text;

    writer_init(&text, (uint8_t *)out, size);
    writer_bytes(&text, value->at, value->len);
    writer_u8(&text, '\0');
    return text.failed || !value->quoted ? MOTE_E_MALFORMED : bit;
}

static int number_read(const struct json_text *value, uint64_t *number, int bit)
{
    return json_number(value, number) && *number > 0 ? bit : MOTE_E_MALFORMED;
}

static int member_read(void *context, const struct json_text *name, const struct json_text *value)
{
    struct header *header = context;
    const char *domain = header->authority->domain;

    if (json_is(name, "alg"))
        return json_is(value, "ES256") ? HAS_ALG : MOTE_E_UNSUPPORTED;
    if (json_is(name, "typ"))
        return json_is(value, "vigil-cmd") ? HAS_TYP : MOTE_E_UNSUPPORTED;
    if (json_is(name, "kid"))
        return kid_read(header, value);
    if (json_is(name, "ep"))
        return json_is(value, header->authority->ep) ? HAS_EP : MOTE_E_STATE;
    if (json_is(name, "d"))
        return json_is(value, domain != NULL ? domain : "") ? HAS_D : MOTE_E_STATE;
    if (json_is(name, "res"))
        return text_copy(value, header->command->path, sizeof header->command->path, HAS_RES);
    if (json_is(name, "cty"))
        return text_copy(value, header->command->cty, sizeof header->command->cty, HAS_CTY);
    if (json_is(name, "seq"))
        return number_read(value, &header->command->seq, HAS_SEQ);
    if (json_is(name, "exp"))
        return number_read(value, &header->command->expires, HAS_EXP);
    return json_is(name, "crit") ? MOTE_E_UNSUPPORTED : 0;
}

static int header_read(struct header *header, const uint8_t *text, size_t len, uint8_t *scratch,
                       size_t size)
{
    struct writer plain;
    struct reader in;
    int seen;

    writer_init(&plain, scratch, size);
    if (base64url_read(&plain, text, len) != MOTE_OK)
        return plain.failed ? MOTE_E_SPACE : MOTE_E_MALFORMED;
    reader_init(&in, scratch, writer_len(&plain));
    seen = json_object(&in, member_read, header);
    if (seen < 0)
        return seen;
    if (in.left > 0 || (seen & NEEDED) != NEEDED)
        return MOTE_E_MALFORMED;
    return (seen & HAS_D) != 0 || header->authority->domain == NULL ? MOTE_OK : MOTE_E_STATE;
}

static int check_signature(const struct header *header, const uint8_t *jws, size_t signed_len,
                           const uint8_t *letters, size_t count)
{
    const struct jose_authority *authority = header->authority;
    const struct piece text = {jws, signed_len};
    uint8_t signature[P256_SIGNATURE_SIZE];
    uint8_t digest[SHA256_SIZE];
    struct writer out;

    writer_init(&out, signature, sizeof signature);
    if (count != SIGNATURE_LETTERS || base64url_read(&out, letters, count) != MOTE_OK)
        return MOTE_E_MALFORMED;
    sha256_pieces(authority->hash, &text, 1, digest);
    return authority->curve->verify(authority->curve->context, header->commander, digest,
                                    signature);
}

/* Takes the letters up to the next dot, and the dot; NULL if there is none. */
static const uint8_t *part_take(struct reader *in, size_t *len)
{
    const uint8_t *start = in->at;

    for (*len = 0; in->left > 0; ++*len)
        if (reader_u8(in) == '.')
            return start;
    return NULL;
}

int jose_command_open(const struct jose_authority *authority, uint8_t *jws, size_t len,
                      uint8_t *scratch, size_t scratch_size, struct jose_command *command)
{
    struct header header = {.authority = authority, .command = command};
    struct reader in;
    struct writer payload;
    const uint8_t *letters[2];
    size_t lens[2];
    int error;

    *command = (struct jose_command){.seq = 0};
    reader_init(&in, jws, len);
    letters[0] = part_take(&in, &lens[0]);
    letters[1] = part_take(&in, &lens[1]);
    if (letters[1] == NULL)
        return MOTE_E_MALFORMED;
    error = header_read(&header, letters[0], lens[0], scratch, scratch_size);
    if (error == MOTE_OK)
        error = check_signature(&header, jws, lens[0] + 1 + lens[1], in.at, in.left);
    if (error != MOTE_OK)
        return error;
    /* Four letters become three octets, so writing never overtakes reading. */
    writer_init(&payload, jws + lens[0] + 1, lens[1]);
    error = base64url_read(&payload, letters[1], lens[1]);
    command->payload = payload.start;
    command->payload_len = writer_len(&payload);
    return error;
}
