/* Public P-256 keys as JWK. A key is read as a flat JSON object (mote/json.h). */
#include "mote/jose.h"

enum { COORDINATE = P256_PUBLIC_SIZE / 2 };

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

static bool coordinate_read(const struct json_text *value, uint8_t *out)
{
    struct writer octets;

    writer_init(&octets, out, COORDINATE);
    return base64url_read(&octets, value->at, value->len) == MOTE_OK &&
           writer_len(&octets) == COORDINATE;
}

/* One bit for each member that a public P-256 key must have. */
enum { HAS_KTY = 1, HAS_CRV = 2, HAS_X = 4, HAS_Y = 8, HAS_ALL = 15 };

static int member_read(void *context, const struct json_text *name, const struct json_text *value)
{
    uint8_t *point = context;

    if (json_is(name, "kty"))
        return json_is(value, "EC") ? HAS_KTY : MOTE_E_UNSUPPORTED;
    if (json_is(name, "crv"))
        return json_is(value, "P-256") ? HAS_CRV : MOTE_E_UNSUPPORTED;
    if (json_is(name, "x"))
        return coordinate_read(value, point) ? HAS_X : MOTE_E_MALFORMED;
    if (json_is(name, "y"))
        return coordinate_read(value, point + COORDINATE) ? HAS_Y : MOTE_E_MALFORMED;
    return 0;
}

int jwk_read(const uint8_t *text, size_t len, uint8_t point[P256_PUBLIC_SIZE])
{
    struct reader in;
    int seen;

    reader_init(&in, text, len);
    seen = json_object(&in, member_read, point);
    if (seen < 0)
        return seen;
    json_skip_space(&in);
    return in.left == 0 && seen == HAS_ALL ? MOTE_OK : MOTE_E_MALFORMED;
}

int jwks_read(const uint8_t *text, size_t len, uint8_t points[][P256_PUBLIC_SIZE], size_t max)
{
    struct json_text name;
    struct reader in;
    size_t count = 0;

    reader_init(&in, text, len);
    if (!json_take(&in, '{') || !json_string_take(&in, &name) || !json_is(&name, "keys") ||
        !json_take(&in, ':') || !json_take(&in, '['))
        return MOTE_E_MALFORMED;
    do {
        int seen;

        if (count == max)
            return MOTE_E_SPACE;
        seen = json_object(&in, member_read, points[count++]);
        if (seen != HAS_ALL)
            return seen < 0 ? seen : MOTE_E_MALFORMED;
    } while (json_take(&in, ','));
    if (!json_take(&in, ']') || !json_take(&in, '}'))
        return MOTE_E_MALFORMED;
    json_skip_space(&in);
    return in.left == 0 ? (int)count : MOTE_E_MALFORMED;
}
