/* base64url without padding, RFC 4648, section 5, and RFC 7515, appendix C. */
#include "mote/jose.h"

static const char LETTERS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* The number of letters for `len` octets: 4 for each 3, and 2 or 3 for the last 1 or 2. */
static size_t letters_for(size_t len)
{
    return len / 3 * 4 + (len % 3 != 0 ? len % 3 + 1 : 0);
}

void base64url_write(struct writer *out, const uint8_t *data, size_t len)
{
    struct reader in;

    reader_init(&in, data, len);
    while (in.left > 0) {
        size_t count = in.left < 3 ? in.left : 3;
        uint32_t group = (uint32_t)reader_u8(&in) << 16;

        if (count > 1)
            group |= (uint32_t)reader_u8(&in) << 8;
        if (count > 2)
            group |= reader_u8(&in);
        for (size_t i = 0; i <= count; i++)
            writer_u8(out, (uint8_t)LETTERS[group >> (18 - 6 * i) & 0x3f]);
    }
}

void base64url_in_place(struct writer *out, size_t from)
{
    size_t len = out->len - from;
    size_t letters = letters_for(len);
    uint8_t *plain;

    if (out->failed || writer_take(out, letters - len) == NULL)
        return;
    /*
     * The plain octets are moved to the end of the space, so that writing never overtakes reading.
     * After i groups, 4i letters are written and 3i octets are read, and the octets start len / 3
     * later.
     */
    plain = out->start + out->len - len;
    for (size_t i = len; i > 0; i--)
        plain[i - 1] = out->start[from + i - 1];
    out->len = from;
    base64url_write(out, plain, len);
}

static int value_of(uint8_t letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return letter - 'A';
    if (letter >= 'a' && letter <= 'z')
        return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9')
        return letter - '0' + 52;
    if (letter == '-')
        return 62;
    return letter == '_' ? 63 : -1;
}

int base64url_read(struct writer *out, const uint8_t *text, size_t len)
{
    struct reader in;
    uint32_t group = 0;
    unsigned bits = 0;

    if (len % 4 == 1)
        return MOTE_E_MALFORMED;
    reader_init(&in, text, len);
    while (in.left > 0) {
        int value = value_of(reader_u8(&in));

        if (value < 0)
            return MOTE_E_MALFORMED;
        group = group << 6 | (uint32_t)value;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            writer_u8(out, (uint8_t)(group >> bits));
        }
        group &= (1u << bits) - 1;
    }
    if (group != 0)
        return MOTE_E_MALFORMED;
    return out->failed ? MOTE_E_SPACE : MOTE_OK;
}
