/* Any text as base64url and as a JWK: what is read is written back identically. */
#include "mote/crypto_bearssl.h"
#include "mote/jose.h"

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
    if (base64url_read(&w, text, len) != MOTE_OK || w.failed) {
        return;
    }
    base64url_write(&again, octets, w.len);
    if (again.failed || again.len != len || (len > 0 && memcmp(back, text, len) != 0)) {
        abort();
    }
}

static void check_jwk(const uint8_t *text, size_t len)
{
    uint8_t point[2][P256_PUBLIC_SIZE];
    uint8_t written[256];
    struct writer w;
    if (jwk_read(text, len, point[0]) != MOTE_OK) {
        return;
    }
    writer_init(&w, written, sizeof written);
    jwk_write(&w, point[0]);
    if (w.failed || jwk_read(written, w.len, point[1]) != MOTE_OK ||
        memcmp(point[0], point[1], sizeof point[0]) != 0) {
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size <= 1500) {
        check_base64url(data, size);
        check_jwk(data, size);
    }
    return 0;
}
