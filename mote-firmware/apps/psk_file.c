#include "psk_file.h"

#include <stdio.h>
#include <string.h>

#include "mote/base.h"
#include "secret_file.h"

static const char HEX[] = "hex:";

static int digit_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c);

    return at == NULL ? -1 : (int)(at - digits);
}

/* Reads pairs of digits. Returns the number of octets; 0 for other letters, an odd number or too
 * many. */
static size_t read_hex(const char *text, size_t len, uint8_t *out, size_t most)
{
    if (len % 2 != 0 || len / 2 > most)
        return 0;
    for (size_t i = 0; i < len; i += 2) {
        int high = digit_of(text[i]), low = digit_of(text[i + 1]);

        if (high < 0 || low < 0)
            return 0;
        out[i / 2] = (uint8_t)(high << 4 | low);
    }
    return len / 2;
}

static const char *read_line(struct psk *psk, const char *line, size_t len)
{
    const char *equals = memchr(line, '=', len);
    size_t identity = equals == NULL ? 0 : (size_t)(equals - line);
    size_t marked = strlen(HEX);
    const char *key;

    if (identity == 0 || identity > PSK_IDENTITY_MAX)
        return "give a line IDENTITY=KEY, with an identity of 1 to 128 octets";
    memcpy(psk->identity, line, identity);
    psk->identity[identity] = '\0';
    key = equals + 1;
    len -= identity + 1;
    psk->key_len = 0;
    if (len >= marked && memcmp(key, HEX, marked) == 0) {
        psk->key_len = read_hex(key + marked, len - marked, psk->key, sizeof psk->key);
    } else if (len <= sizeof psk->key) {
        memcpy(psk->key, key, len);
        psk->key_len = len;
    }
    return psk->key_len < PSK_KEY_MIN
               ? "a key has 8 to 128 octets, as text or as hex: and pairs of hexadecimal digits"
               : NULL;
}

int psk_file_parse(struct psk *psk, const char *text, size_t len, char *problem, size_t size)
{
    const char *end = text + len;
    const char *wrong = "give a line IDENTITY=KEY";
    unsigned lines = 0;

    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        size_t line = (size_t)((stop == NULL ? end : stop) - text);
        const char *next = text + line + 1;

        while (line > 0 && strchr(" \t\r", text[line - 1]) != NULL)
            line--;
        if (line > 0 && *text != '#') {
            wrong = read_line(psk, text, line);
            lines++;
        }
        text = next;
    }
    if (lines > 1)
        wrong = "give a single line IDENTITY=KEY: a mote has one key";
    if (wrong == NULL)
        return 0;
    wipe(psk, sizeof *psk);
    snprintf(problem, size, "%s", wrong);
    return -1;
}

int psk_file_load(struct psk *psk, const char *path, char *problem, size_t size)
{
    char text[PSK_FILE_SIZE + 1];
    char wrong[128];
    int len = secret_file_read("--psk", path, text, PSK_FILE_SIZE, problem, size);
    int error;

    if (len < 0)
        return -1;
    error = psk_file_parse(psk, text, (size_t)len, wrong, sizeof wrong);
    wipe(text, sizeof text);
    if (error != 0)
        snprintf(problem, size, "--psk %s: %s", path, wrong);
    return error;
}
