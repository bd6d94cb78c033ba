/*
 * Public P-256 keys as JWK. Reading takes one flat JSON object, which is all that a public key
 * is: strings and simple values; nested values, which no EC key has, are refused.
 */
#include "mote/jose.h"

enum { COORDINATE = P256_PUBLIC_SIZE / 2, MEMBERS_MAX = 16 };

void json_string(struct writer *out, const char *text)
{
    static const char HEX[] = "0123456789abcdef";

    writer_u8(out, '"');
    for (const char *c = text; *c != '\0'; c++) {
        uint8_t octet = (uint8_t)*c;

        if (octet == '"' || octet == '\\') {
            writer_u8(out, '\\');
            writer_u8(out, octet);
        } else if (octet < 0x20) {
            writer_str(out, "\\u00");
            writer_u8(out, (uint8_t)HEX[octet >> 4]);
            writer_u8(out, (uint8_t)HEX[octet & 15]);
        } else {
            writer_u8(out, octet);
        }
    }
    writer_u8(out, '"');
}

void jwk_write(struct writer *out, const uint8_t point[P256_PUBLIC_SIZE])
{
    writer_str(out, "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"");
    base64url_write(out, point, COORDINATE);
    writer_str(out, "\",\"y\":\"");
    base64url_write(out, point + COORDINATE, COORDINATE);
    writer_str(out, "\"}");
}

void jwk_thumbprint(const struct sha256 *hash, const uint8_t point[P256_PUBLIC_SIZE],
                    char jkt[JOSE_JKT_LEN + 1])
{
    uint8_t text[160];
    uint8_t digest[SHA256_SIZE];
    struct writer out;
    struct piece piece;

    writer_init(&out, text, sizeof text);
    jwk_write(&out, point);
    piece = (struct piece){text, writer_len(&out)};
    sha256_pieces(hash, &piece, 1, digest);
    writer_init(&out, (uint8_t *)jkt, JOSE_JKT_LEN + 1);
    base64url_write(&out, digest, sizeof digest);
    writer_u8(&out, '\0');
}

/* Text between two quotes, which must hold no escape: base64url and names need none. */
struct text {
    const uint8_t *at;
    size_t len;
};

static void skip_space(struct reader *in)
{
    while (in->left > 0 &&
           (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r'))
        reader_u8(in);
}

static bool take(struct reader *in, char c)
{
    skip_space(in);
    if (in->left == 0 || *in->at != (uint8_t)c)
        return false;
    reader_u8(in);
    return true;
}

static bool take_string(struct reader *in, struct text *string)
{
    if (!take(in, '"'))
        return false;
    string->at = in->at;
    string->len = 0;
    while (in->left > 0) {
        uint8_t c = reader_u8(in);

        if (c == '"')
            return true;
        if (c == '\\' || c < 0x20)
            return false;
        string->len++;
    }
    return false;
}

/* A number, true, false or null; a nested value is not taken and so refused. */
static bool skip_plain(struct reader *in)
{
    size_t taken = 0;

    skip_space(in);
    while (in->left > 0 &&
           ((*in->at >= 'a' && *in->at <= 'z') || (*in->at >= '0' && *in->at <= '9') ||
            *in->at == '-' || *in->at == '+' || *in->at == '.' || *in->at == 'E')) {
        reader_u8(in);
        taken++;
    }
    return taken > 0;
}

static bool text_is(const struct text *text, const char *wanted)
{
    size_t i = 0;

    while (i < text->len && wanted[i] != '\0' && text->at[i] == (uint8_t)wanted[i])
        i++;
    return i == text->len && wanted[i] == '\0';
}

static bool coordinate_read(const struct text *value, uint8_t *out)
{
    struct writer octets;

    writer_init(&octets, out, COORDINATE);
    return base64url_read(&octets, value->at, value->len) == MOTE_OK &&
           writer_len(&octets) == COORDINATE;
}

/* One bit for each member that a public P-256 key must have. */
enum { HAS_KTY = 1, HAS_CRV = 2, HAS_X = 4, HAS_Y = 8, HAS_ALL = 15 };

/* The bit of this member, 0 for one we skip, or a negative error. */
static int member_read(const struct text *name, const struct text *value, uint8_t *point)
{
    if (text_is(name, "kty"))
        return text_is(value, "EC") ? HAS_KTY : MOTE_E_UNSUPPORTED;
    if (text_is(name, "crv"))
        return text_is(value, "P-256") ? HAS_CRV : MOTE_E_UNSUPPORTED;
    if (text_is(name, "x"))
        return coordinate_read(value, point) ? HAS_X : MOTE_E_MALFORMED;
    if (text_is(name, "y"))
        return coordinate_read(value, point + COORDINATE) ? HAS_Y : MOTE_E_MALFORMED;
    return 0;
}

int jwk_read(const uint8_t *text, size_t len, uint8_t point[P256_PUBLIC_SIZE])
{
    struct reader in;
    int seen = 0;

    reader_init(&in, text, len);
    if (!take(&in, '{'))
        return MOTE_E_MALFORMED;
    for (unsigned i = 0; i < MEMBERS_MAX; i++) {
        struct text name;
        struct text value = {NULL, 0};
        int bit;

        if (!take_string(&in, &name) || !take(&in, ':'))
            return MOTE_E_MALFORMED;
        if (!take_string(&in, &value) && (value.at != NULL || !skip_plain(&in)))
            return MOTE_E_MALFORMED;
        bit = member_read(&name, &value, point);
        if (bit < 0 || (seen & bit) != 0)
            return bit < 0 ? bit : MOTE_E_MALFORMED;
        seen |= bit;
        if (take(&in, ','))
            continue;
        if (!take(&in, '}'))
            return MOTE_E_MALFORMED;
        skip_space(&in);
        return in.left == 0 && seen == HAS_ALL ? MOTE_OK : MOTE_E_MALFORMED;
    }
    return MOTE_E_SPACE;
}
