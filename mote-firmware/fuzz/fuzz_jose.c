/* Any text as base64url, as a JWK (a parsed key is written back identically), as a JWK set, as the
 * content of commands and answers with a valid signature, and as a command's value. */
#include "mote/crypto_bearssl.h"
#include "mote/jose.h"
#include "mote/senml.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_base64url(const uint8_t *text, size_t len)
{
    uint8_t octets[2048];
    uint8_t back[4096];
    struct writer w;
    struct writer again;
    writer_init(&w, octets, sizeof octets);
    writer_init(&again, back, sizeof back);
    if (base64url_read(&w, text, len) != MOTE_OK || w.failed)
        return;
    base64url_write(&again, octets, w.len);
    if (again.failed || again.len != len || (len > 0 && memcmp(back, text, len) != 0))
        abort();
}

static void check_jwk(const uint8_t *text, size_t len)
{
    uint8_t point[2][P256_PUBLIC_SIZE];
    uint8_t written[256];
    struct writer w;
    if (jwk_read(text, len, point[0]) != MOTE_OK)
        return;
    writer_init(&w, written, sizeof written);
    jwk_write(&w, point[0]);
    if (w.failed || jwk_read(written, w.len, point[1]) != MOTE_OK ||
        memcmp(point[0], point[1], sizeof point[0]) != 0)
        abort();
}

static int anything(void *context, const uint8_t point[P256_PUBLIC_SIZE],
                    const uint8_t hash[SHA256_SIZE], const uint8_t signature[P256_SIGNATURE_SIZE])
{
    (void)context;
    (void)point;
    (void)hash;
    (void)signature;
    return MOTE_OK;
}

/* Checks the text unchanged, and as the header and payload of a well-formed command. */
static void check_command(const uint8_t *text, size_t len)
{
    static const uint8_t commanders[1][P256_PUBLIC_SIZE] = {{1}};
    static const uint8_t signature[P256_SIGNATURE_SIZE] = {2};
    br_sha256_context hash_state;
    struct sha256 hash;
    const struct p256 curve = {.verify = anything};
    struct jose_authority authority = {.hash = &hash,
                                       .curve = &curve,
                                       .commanders = commanders,
                                       .commander_count = 1,
                                       .ep = "mote"};
    uint8_t jws[4096];
    uint8_t scratch[512];
    uint8_t points[2][P256_PUBLIC_SIZE];
    struct jose_command command;
    struct writer w;
    bearssl_sha256(&hash, &hash_state);
    (void)jwks_read(text, len, points, 2);
    memcpy(jws, text, len);
    (void)jose_command_open(&authority, jws, len, scratch, sizeof scratch, &command);
    writer_init(&w, jws, sizeof jws);
    base64url_write(&w, text, len / 2);
    writer_u8(&w, '.');
    base64url_write(&w, text + len / 2, len - len / 2);
    writer_u8(&w, '.');
    base64url_write(&w, signature, sizeof signature);
    if (!w.failed &&
        jose_command_open(&authority, jws, writer_len(&w), scratch, sizeof scratch, &command) ==
            MOTE_OK &&
        (command.seq == 0 || command.payload_len != len - len / 2))
        abort();
}

static void check_answer(const uint8_t *data, size_t len)
{
    static const uint8_t mirror[P256_PUBLIC_SIZE] = {1};
    const struct piece request = {mirror, sizeof mirror};
    const struct p256 curve = {.verify = anything};
    br_sha256_context hash_state;
    struct sha256 hash;
    struct jose_answer answer;
    bearssl_sha256(&hash, &hash_state);
    (void)jose_answer_open(&hash, &curve, mirror, &request, data, len, &answer);
}

/* A parsed number is written as a text that parses to the same number. */
static void check_value(const uint8_t *text, size_t len)
{
    uint8_t written[32];
    struct decimal value;
    struct decimal again;
    struct writer w;
    if (senml_value_read(text, len, &value) != MOTE_OK &&
        decimal_read(text, len, &value) != MOTE_OK)
        return;
    writer_init(&w, written, sizeof written);
    decimal_write(&w, value);
    if (w.failed || decimal_read(written, writer_len(&w), &again) != MOTE_OK ||
        again.digits != value.digits || again.places != value.places)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= 1500) {
        check_base64url(data, size);
        check_jwk(data, size);
        check_command(data, size);
        check_answer(data, size);
        check_value(data, size);
    }
    return 0;
}
