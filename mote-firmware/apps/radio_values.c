#include "radio_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void radio_address(const struct sha256 *hash, const char *ep, uint8_t eui64[EUI64_SIZE])
{
    static const char purpose[] = "vigil-mote eui64 ";
    const struct piece pieces[] = {{(const uint8_t *)purpose, sizeof purpose - 1},
                                   {(const uint8_t *)ep, strlen(ep)}};
    uint8_t digest[SHA256_SIZE];

    sha256_pieces(hash, pieces, 2, digest);
    memcpy(eui64, digest, EUI64_SIZE);
    eui64[0] = (uint8_t)((digest[0] | 2) & ~1);
}

bool radio_key_read(const char *text, uint8_t key[AES_BLOCK])
{
    static const char hexadecimal[] = "0123456789abcdefABCDEF";
    char line[2 * AES_BLOCK + 1] = "";
    bool given = strlen(text) == 2 * AES_BLOCK && strspn(text, hexadecimal) == 2 * AES_BLOCK;
    FILE *file = given ? NULL : fopen(text, "re");
    size_t len;

    if (file != NULL) {
        len = fread(line, 1, sizeof line - 1, file);
        fclose(file);
    } else {
        len = (size_t)snprintf(line, sizeof line, "%s", text);
    }
    len = len == 2 * AES_BLOCK && strspn(line, hexadecimal) == len ? AES_BLOCK : 0;
    for (size_t i = 0; i < len; i++) {
        const char digits[] = {line[2 * i], line[2 * i + 1], '\0'};

        key[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    wipe(line, sizeof line);
    return len == AES_BLOCK;
}
