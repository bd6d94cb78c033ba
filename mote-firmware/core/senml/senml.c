/* SenML packs in JSON and CBOR. */
#include "mote/senml.h"

#include "mote/cbor.h"

enum { PLACES_MAX = 18 };

/* RFC 8428, table 6. */
enum { LABEL_NAME = 0, LABEL_UNIT = 1, LABEL_VALUE = 2, LABEL_TIME = 6 };

/* RFC 8949, 3.4.4. */
enum { DECIMAL_FRACTION = 4 };

static bool is_alphanumeric(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool senml_name_valid(const char *name)
{
    if (name == NULL || !is_alphanumeric(*name))
        return false;
    for (const char *c = name; *c != '\0'; c++)
        if (!is_alphanumeric(*c) && *c != '-' && *c != ':' && *c != '.' && *c != '/' && *c != '_')
            return false;
    return true;
}

/*
 * Units of the registry are printable ASCII without quotes or backslashes, so none needs an escape.
 */
static bool unit_valid(const char *unit)
{
    for (const char *c = unit; *c != '\0'; c++)
        if (*c < 0x20 || *c > 0x7e || *c == '"' || *c == '\\')
            return false;
    return *unit != '\0';
}

static bool record_valid(const struct senml_record *record)
{
    return senml_name_valid(record->name) && record->value.places <= PLACES_MAX &&
           (record->unit == NULL || unit_valid(record->unit));
}

/* |digits|, also of INT64_MIN, whose negation does not fit int64_t. */
static uint64_t magnitude(int64_t digits)
{
    return digits < 0 ? 0u - (uint64_t)digits : (uint64_t)digits;
}

void decimal_write(struct writer *out, struct decimal value)
{
    uint64_t scale = 1;
    uint64_t rest;

    for (unsigned i = 0; i < value.places; i++)
        scale *= 10;
    if (value.digits < 0)
        writer_u8(out, '-');
    writer_decimal(out, divide(magnitude(value.digits), scale, &rest));
    if (value.places == 0)
        return;
    writer_u8(out, '.');
    while (scale > 1) {
        scale = divide(scale, 10, NULL);
        writer_u8(out, (uint8_t)('0' + divide(rest, scale, &rest)));
    }
}

static void json_record(struct writer *out, const struct senml_record *record)
{
    writer_str(out, "{\"n\":\"");
    writer_str(out, record->name);
    if (record->unit != NULL) {
        writer_str(out, "\",\"u\":\"");
        writer_str(out, record->unit);
    }
    writer_str(out, "\",\"v\":");
    decimal_write(out, record->value);
    if (record->timed) {
        writer_str(out, ",\"t\":");
        writer_decimal(out, record->time);
    }
    writer_u8(out, '}');
}

int senml_json(struct writer *out, const struct senml_record *records, size_t count)
{
    writer_u8(out, '[');
    for (size_t i = 0; i < count; i++) {
        if (!record_valid(&records[i]))
            return MOTE_E_MALFORMED;
        if (i > 0)
            writer_u8(out, ',');
        json_record(out, &records[i]);
    }
    writer_u8(out, ']');
    return out->failed ? MOTE_E_SPACE : MOTE_OK;
}

static void cbor_integer(struct writer *out, int64_t value)
{
    if (value < 0)
        cbor_head_write(out, CBOR_NEGATIVE, magnitude(value) - 1);
    else
        cbor_head_write(out, CBOR_UNSIGNED, (uint64_t)value);
}

static void cbor_text(struct writer *out, const char *text)
{
    size_t len = 0;

    while (text[len] != '\0')
        len++;
    cbor_head_write(out, CBOR_TEXT, len);
    writer_str(out, text);
}

/* Writes a decimal fraction (RFC 8949 section 3.4.4): the same number as the JSON form. */
static void cbor_decimal(struct writer *out, struct decimal value)
{
    if (value.places > 0) {
        cbor_head_write(out, CBOR_TAG, DECIMAL_FRACTION);
        cbor_head_write(out, CBOR_ARRAY, 2);
        cbor_integer(out, -(int64_t)value.places);
    }
    cbor_integer(out, value.digits);
}

static void cbor_record(struct writer *out, const struct senml_record *record)
{
    cbor_head_write(out, CBOR_MAP, 2u + (record->unit != NULL) + record->timed);
    cbor_head_write(out, CBOR_UNSIGNED, LABEL_NAME);
    cbor_text(out, record->name);
    if (record->unit != NULL) {
        cbor_head_write(out, CBOR_UNSIGNED, LABEL_UNIT);
        cbor_text(out, record->unit);
    }
    cbor_head_write(out, CBOR_UNSIGNED, LABEL_VALUE);
    cbor_decimal(out, record->value);
    if (record->timed) {
        cbor_head_write(out, CBOR_UNSIGNED, LABEL_TIME);
        cbor_head_write(out, CBOR_UNSIGNED, record->time);
    }
}

int senml_cbor(struct writer *out, const struct senml_record *records, size_t count)
{
    cbor_head_write(out, CBOR_ARRAY, count);
    for (size_t i = 0; i < count; i++) {
        if (!record_valid(&records[i]))
            return MOTE_E_MALFORMED;
        cbor_record(out, &records[i]);
    }
    return out->failed ? MOTE_E_SPACE : MOTE_OK;
}
