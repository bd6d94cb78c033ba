#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "mote/jose.h"

#define CHECK_TEXT(out, len, text) CHECK_OCTETS(out, len, text, strlen(text))

/* RFC 7515, appendix A.3. */
static const char EXAMPLE_X[] = "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
static const char EXAMPLE_Y[] = "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0";
static const char EXAMPLE_D[] = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI";
static const char EXAMPLE_INPUT[] =
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFt"
    "cGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
static const char EXAMPLE_SIGNATURE[] =
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
static const char EXAMPLE_PAYLOAD[] =
    "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}";

struct signing {
    br_sha256_context state;
    struct sha256 hash;
    struct p256 curve;
    uint8_t key[P256_PRIVATE_SIZE];
    uint8_t point[P256_PUBLIC_SIZE];
    char kid[JOSE_JKT_LEN + 1];
    struct jose_signer signer;
};

static void decode(const char *text, uint8_t *out, size_t size)
{
    struct writer w;

    writer_init(&w, out, size);
    if (base64url_read(&w, (const uint8_t *)text, strlen(text)) != MOTE_OK)
        abort();
}

static void signing_init(struct signing *s)
{
    bearssl_sha256(&s->hash, &s->state);
    bearssl_p256(&s->curve, &br_ec_p256_m31);
    decode(EXAMPLE_D, s->key, sizeof s->key);
    decode(EXAMPLE_X, s->point, 32);
    decode(EXAMPLE_Y, s->point + 32, 32);
    jwk_thumbprint(&s->hash, s->point, s->kid);
    s->signer = (struct jose_signer){&s->hash, &s->curve, s->key, s->point, s->kid};
}

/* Verifies the JWS in `text` and returns its header and payload as text. */
static int open_jws(struct signing *s, const uint8_t *text, size_t len, char *header, char *payload,
                    size_t size)
{
    const uint8_t *dot = memchr(text, '.', len);
    const uint8_t *second =
        dot == NULL ? NULL : memchr(dot + 1, '.', len - (size_t)(dot + 1 - text));
    uint8_t signature[P256_SIGNATURE_SIZE];
    uint8_t digest[SHA256_SIZE];
    struct writer w;

    if (second == NULL)
        return MOTE_E_MALFORMED;
    writer_init(&w, (uint8_t *)header, size - 1);
    if (base64url_read(&w, text, (size_t)(dot - text)) != MOTE_OK)
        return MOTE_E_MALFORMED;
    header[writer_len(&w)] = '\0';
    writer_init(&w, (uint8_t *)payload, size - 1);
    if (base64url_read(&w, dot + 1, (size_t)(second - dot - 1)) != MOTE_OK)
        return MOTE_E_MALFORMED;
    payload[writer_len(&w)] = '\0';
    writer_init(&w, signature, sizeof signature);
    if (base64url_read(&w, second + 1, len - (size_t)(second + 1 - text)) != MOTE_OK ||
        writer_len(&w) != sizeof signature)
        return MOTE_E_MALFORMED;
    sha256_pieces(&s->hash, &(struct piece){text, (size_t)(second - text)}, 1, digest);
    return s->curve.verify(s->curve.context, s->point, digest, signature);
}

TEST(writes_the_base64url_of_rfc_4648_and_rfc_7515)
{
    const char *const cases[][2] = {{"", ""},
                                    {"f", "Zg"},
                                    {"fo", "Zm8"},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg"},
                                    {"fooba", "Zm9vYmE"},
                                    {"foobar", "Zm9vYmFy"},
                                    {"\x03\xec\xff\xe0\xc1", "A-z_4ME"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t out[16];
        uint8_t back[16];
        struct writer w;

        writer_init(&w, out, sizeof out);
        base64url_write(&w, (const uint8_t *)cases[i][0], strlen(cases[i][0]));
        CHECK_TEXT(out, writer_len(&w), cases[i][1]);
        writer_init(&w, back, sizeof back);
        CHECK_INT(base64url_read(&w, out, strlen(cases[i][1])), MOTE_OK);
        CHECK_TEXT(back, writer_len(&w), cases[i][0]);
    }
}

TEST(encodes_in_place_and_from_elsewhere_alike)
{
    struct dice dice = {7};

    for (size_t len = 0; len < 200; len++) {
        uint8_t plain[200];
        uint8_t out[300];
        uint8_t wanted[300];
        struct writer w;
        struct writer reference;

        dice_fill(&dice, plain, len);
        writer_init(&reference, wanted, sizeof wanted);
        base64url_write(&reference, plain, len);
        /* exactly the needed space, after three octets that stay */
        writer_init(&w, out, 3 + writer_len(&reference));
        writer_str(&w, "abc");
        writer_bytes(&w, plain, len);
        base64url_in_place(&w, 3);
        CHECK_OCTETS(out + 3, writer_len(&w) - 3, wanted, writer_len(&reference));
        CHECK_OCTETS(out, 3, "abc", 3);
    }
}

TEST(refuses_ambiguous_base64url)
{
    const char *const cases[] = {"Zg==", "Zh", "Zm9", "A", "AAAAA", "Zm+v", "Zm/v", "Z g"};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t out[16];
        struct writer w;

        writer_init(&w, out, sizeof out);
        CHECK_INT(base64url_read(&w, (const uint8_t *)cases[i], strlen(cases[i])),
                  MOTE_E_MALFORMED);
    }
}

TEST(makes_the_signing_input_of_rfc_7515_and_verifies_it)
{
    static const char HEADER[] = "{\"alg\":\"ES256\"}";
    struct signing s;
    uint8_t out[512];
    char header[256];
    char payload[256];
    char example[512];
    struct writer w;

    signing_init(&s);
    writer_init(&w, out, sizeof out);
    CHECK_INT(jws_sign(&w, &s.signer, (const uint8_t *)HEADER, strlen(HEADER),
                       (const uint8_t *)EXAMPLE_PAYLOAD, strlen(EXAMPLE_PAYLOAD)),
              MOTE_OK);
    CHECK_OCTETS(out, strlen(EXAMPLE_INPUT), EXAMPLE_INPUT, strlen(EXAMPLE_INPUT));
    CHECK_INT(open_jws(&s, out, writer_len(&w), header, payload, sizeof header), MOTE_OK);

    snprintf(example, sizeof example, "%s.%s", EXAMPLE_INPUT, EXAMPLE_SIGNATURE);
    CHECK_INT(
        open_jws(&s, (const uint8_t *)example, strlen(example), header, payload, sizeof header),
        MOTE_OK);
    CHECK(strcmp(payload, EXAMPLE_PAYLOAD) == 0);
}

TEST(makes_the_thumbprints_of_rfc_7638_and_rfc_9449)
{
    /* RFC 7638, 3.1, has an RSA key. Its canonical text goes through the same two steps. */
    static const char RSA[] =
        "{\"e\":\"AQAB\",\"kty\":\"RSA\",\"n\":\""
        "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1"
        "L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4"
        "QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbO"
        "pbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csF"
        "Cur-kEgU8awapJzKnqDKgw"
        "\"}";
    struct signing s;
    char jkt[JOSE_JKT_LEN + 1];
    uint8_t point[P256_PUBLIC_SIZE];

    uint8_t digest[SHA256_SIZE];
    struct writer w;

    signing_init(&s);
    sha256_pieces(&s.hash, &(struct piece){(const uint8_t *)RSA, strlen(RSA)}, 1, digest);
    writer_init(&w, (uint8_t *)jkt, sizeof jkt);
    base64url_write(&w, digest, sizeof digest);
    CHECK_TEXT(jkt, writer_len(&w), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
    /* RFC 9449, section 6.1 */
    decode("l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs", point, 32);
    decode("9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA", point + 32, 32);
    jwk_thumbprint(&s.hash, point, jkt);
    CHECK_TEXT(jkt, strlen(jkt), "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I");
}

TEST(writes_the_registration_with_its_members_in_the_agreed_order)
{
    static const char LINKS[] = "</load>;rt=\"load\"";
    const struct jose_registration registration = {.ep = "mote \"1\"",
                                                   .domain = "home",
                                                   .endpoint_type = "sensor",
                                                   .lifetime = 3600,
                                                   .wake = 10,
                                                   .seq = 65,
                                                   .links = (const uint8_t *)LINKS,
                                                   .links_len = sizeof LINKS - 1};
    struct signing s;
    uint8_t out[1024];
    char header[700];
    char payload[700];
    char wanted[700];
    struct writer w;

    signing_init(&s);
    writer_init(&w, out, sizeof out);
    CHECK_INT(jose_registration(&w, &s.signer, &registration), MOTE_OK);
    CHECK_INT(open_jws(&s, out, writer_len(&w), header, payload, sizeof header), MOTE_OK);
    snprintf(
        wanted, sizeof wanted,
        "{\"alg\":\"ES256\",\"typ\":\"vigil-reg\",\"cty\":\"application/link-format\",\"jwk\":"
        "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"%s\",\"y\":\"%s\"},\"ep\":\"mote \\\"1\\\"\","
        "\"d\":\"home\",\"lt\":3600,\"et\":\"sensor\",\"wake\":10,\"seq\":65}",
        EXAMPLE_X, EXAMPLE_Y);
    CHECK_TEXT(header, strlen(header), wanted);
    CHECK(strcmp(payload, LINKS) == 0);
}

TEST(the_compact_update_omits_what_the_mirror_knows)
{
    static const char PACK[] = "[{\"n\":\"m/t\",\"u\":\"Cel\",\"v\":23.1}]";
    struct jose_update update = {.path = "temp",
                                 .seq = 0x12345,
                                 .payload = (const uint8_t *)PACK,
                                 .payload_len = sizeof PACK - 1};
    struct signing s;
    uint8_t jws[1024];
    uint8_t compact[1024];
    char header[300];
    char payload[300];
    char wanted[300];
    uint8_t signature[70];
    struct writer full;
    struct writer shortened;
    struct writer w;

    signing_init(&s);
    for (int with_ack = 0; with_ack < 2; with_ack++) {
        size_t start = with_ack ? 5 : 3;

        update.acknowledges = with_ack;
        update.ack = 0x10007;
        writer_init(&full, jws, sizeof jws);
        CHECK_INT(jose_update(&full, &s.signer, &update), MOTE_OK);
        CHECK_INT(open_jws(&s, jws, writer_len(&full), header, payload, sizeof header), MOTE_OK);
        snprintf(wanted, sizeof wanted,
                 "{\"alg\":\"ES256\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"res\":"
                 "\"temp\",\"seq\":74565%s}",
                 s.kid, with_ack ? ",\"ack\":65543" : "");
        CHECK_TEXT(header, strlen(header), wanted);

        writer_init(&shortened, compact, sizeof compact);
        CHECK_INT(jose_update_compact(&shortened, &s.signer, &update), MOTE_OK);
        CHECK_OCTETS(compact, start, with_ack ? "\x08\x23\x45\x00\x07" : "\x00\x23\x45", start);
        CHECK_TEXT(compact + start, sizeof PACK - 1, PACK);
        CHECK_INT(writer_len(&shortened),
                  (size_t)JOSE_COMPACT_OVERHEAD + (with_ack ? 2u : 0u) + sizeof PACK - 1);
        /* RFC 6979 makes both signatures the same octets. */
        writer_init(&w, signature, sizeof signature);
        CHECK_INT(base64url_read(&w, jws + writer_len(&full) - 86, 86), MOTE_OK);
        CHECK_OCTETS(compact + writer_len(&shortened) - 64, 64, signature, writer_len(&w));
    }
}

TEST(reports_a_jws_that_does_not_fit)
{
    const struct jose_update update = {
        .path = "temp", .seq = 1, .payload = (const uint8_t *)"[]", .payload_len = 2};
    struct signing s;
    uint8_t out[512];
    struct writer w;
    size_t needed;

    signing_init(&s);
    writer_init(&w, out, sizeof out);
    REQUIRE(jose_update(&w, &s.signer, &update) == MOTE_OK);
    needed = writer_len(&w);
    for (size_t size = 0; size < needed; size += 7) {
        writer_init(&w, out, size);
        CHECK_INT(jose_update(&w, &s.signer, &update), MOTE_E_SPACE);
    }
    writer_init(&w, out, needed);
    CHECK_INT(jose_update(&w, &s.signer, &update), MOTE_OK);
}

TEST(signs_no_number_that_json_readers_would_round)
{
    struct jose_update update = {.path = "temp",
                                 .seq = JOSE_SEQ_MAX + 1,
                                 .payload = (const uint8_t *)"[]",
                                 .payload_len = 2};
    struct signing s;
    uint8_t out[512];
    struct writer w;

    signing_init(&s);
    writer_init(&w, out, sizeof out);
    CHECK_INT(jose_update(&w, &s.signer, &update), MOTE_E_STATE);
    update.seq--;
    writer_init(&w, out, sizeof out);
    CHECK_INT(jose_update(&w, &s.signer, &update), MOTE_OK);
}

TEST(reads_jwks_in_any_order_and_refuses_other_text)
{
    const char *const good[] = {
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"}",
        " { \"use\" : \"sig\" , \"x\":\"%s\",\n\"y\":\"%s\",\"ext\":true,\"n\":1.5e3,"
        "\"crv\":\"P-256\",\"kty\":\"EC\" } "};
    const char *const bad[] = {
        "{\"kty\":\"EC\",\"crv\":\"P-384\",\"x\":\"%s\",\"y\":\"%s\"}",
        "{\"kty\":\"RSA\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"}",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%sAA\",\"y\":\"%s\"}",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"x\":\"%s\"}",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"} x",
        "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"",
        "{\"kty\":\"EC\",\"key_ops\":[\"sign\"],\"crv\":\"P-256\",\"x\":\"%s\",\"y\":\"%s\"}",
        "{\"kty\":\"EC\",\"x\":\"%s\",\"y\":\"%s\"}"};
    struct signing s;
    uint8_t point[P256_PUBLIC_SIZE];
    char text[400];

    signing_init(&s);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        snprintf(text, sizeof text, good[i], EXAMPLE_X, EXAMPLE_Y);
        CHECK_INT(jwk_read((const uint8_t *)text, strlen(text), point), MOTE_OK);
        CHECK_OCTETS(point, sizeof point, s.point, sizeof s.point);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, bad[i], EXAMPLE_X, EXAMPLE_Y);
        CHECK(jwk_read((const uint8_t *)text, strlen(text), point) < 0);
    }
}

int main(void)
{
    RUN(writes_the_base64url_of_rfc_4648_and_rfc_7515);
    RUN(encodes_in_place_and_from_elsewhere_alike);
    RUN(refuses_ambiguous_base64url);
    RUN(makes_the_signing_input_of_rfc_7515_and_verifies_it);
    RUN(makes_the_thumbprints_of_rfc_7638_and_rfc_9449);
    RUN(writes_the_registration_with_its_members_in_the_agreed_order);
    RUN(the_compact_update_omits_what_the_mirror_knows);
    RUN(reports_a_jws_that_does_not_fit);
    RUN(signs_no_number_that_json_readers_would_round);
    RUN(reads_jwks_in_any_order_and_refuses_other_text);
    return harness_report();
}
