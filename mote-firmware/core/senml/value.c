/* The parser of values in commands. */
#include "mote/senml.h"

#include "mote/json.h"

enum { DIGITS_MAX = 18, HAS_VALUE = 1 };

int decimal_read(const uint8_t *text, size_t len, struct decimal *value)
{
    struct reader in;
    bool negative = len > 0 && *text == '-';
    bool fraction = false;
    unsigned digits = 0;

    *value = (struct decimal){0, 0};
    reader_init(&in, text, len);
    if (negative)
        reader_u8(&in);
    while (in.left > 0) {
        uint8_t c = reader_u8(&in);

        if (c == '.' && !fraction && digits > 0 && in.left > 0) {
            fraction = true;
            continue;
        }
        if (c < '0' || c > '9')
            return MOTE_E_MALFORMED;
        if (digits++ == DIGITS_MAX)
            return MOTE_E_SPACE;
        value->digits = value->digits * 10 + (c - '0');
        value->places = (uint8_t)(value->places + fraction);
    }
    if (negative)
        value->digits = -value->digits;
    return digits > 0 ? MOTE_OK : MOTE_E_MALFORMED;
}

static int member_read(void *context, const struct json_text *name, const struct json_text *value)
{
    int error;

    if (!json_is(name, "v"))
        return 0;
    error = value->quoted ? MOTE_E_MALFORMED : decimal_read(value->at, value->len, context);
    return error == MOTE_OK ? HAS_VALUE : error;
}

int senml_value_read(const uint8_t *text, size_t len, struct decimal *value)
{
    struct reader in;
    int seen;

    reader_init(&in, text, len);
    if (!json_take(&in, '['))
        return MOTE_E_MALFORMED;
    seen = json_object(&in, member_read, value);
    if (seen < 0)
        return seen;
    return seen == HAS_VALUE ? MOTE_OK : MOTE_E_MALFORMED;
}
