#include "mote/json.h"

enum { MEMBERS_MAX = 16 };

void json_skip_space(struct reader *in)
{
    while (in->left > 0 &&
           (*in->at == ' ' || *in->at == '\t' || *in->at == '\n' || *in->at == '\r'))
        reader_u8(in);
}

bool json_take(struct reader *in, char c)
{
    json_skip_space(in);
    if (in->left == 0 || *in->at != (uint8_t)c)
        return false;
    reader_u8(in);
    return true;
}

bool json_string_take(struct reader *in, struct json_text *string)
{
    if (!json_take(in, '"'))
        return false;
    *string = (struct json_text){.at = in->at, .quoted = true};
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

/* Takes a number, true, false or null; false for a nested value. */
static bool plain_take(struct reader *in, struct json_text *value)
{
    json_skip_space(in);
    *value = (struct json_text){.at = in->at};
    while (in->left > 0 &&
           ((*in->at >= 'a' && *in->at <= 'z') || (*in->at >= '0' && *in->at <= '9') ||
            *in->at == '-' || *in->at == '+' || *in->at == '.' || *in->at == 'E')) {
        reader_u8(in);
        value->len++;
    }
    return value->len > 0;
}

bool json_is(const struct json_text *text, const char *wanted)
{
    size_t i = 0;

    while (i < text->len && wanted[i] != '\0' && text->at[i] == (uint8_t)wanted[i])
        i++;
    return text->quoted && i == text->len && wanted[i] == '\0';
}

bool json_number(const struct json_text *value, uint64_t *number)
{
    *number = 0;
    for (size_t i = 0; i < value->len; i++) {
        if (value->at[i] < '0' || value->at[i] > '9' || *number > JSON_WHOLE_MAX / 10)
            return false;
        *number = *number * 10 + (uint64_t)(value->at[i] - '0');
    }
    return !value->quoted && value->len > 0 && *number <= JSON_WHOLE_MAX;
}

int json_object(struct reader *in, json_member member, void *context)
{
    int seen = 0;

    if (!json_take(in, '{'))
        return MOTE_E_MALFORMED;
    for (unsigned i = 0; i < MEMBERS_MAX; i++) {
        struct json_text name;
        struct json_text value = {.at = NULL};
        int bit;

        if (!json_string_take(in, &name) || !json_take(in, ':'))
            return MOTE_E_MALFORMED;
        if (!json_string_take(in, &value) && (value.at != NULL || !plain_take(in, &value)))
            return MOTE_E_MALFORMED;
        bit = member(context, &name, &value);
        if (bit < 0 || (seen & bit) != 0)
            return bit < 0 ? bit : MOTE_E_MALFORMED;
        seen |= bit;
        if (json_take(in, ','))
            continue;
        return json_take(in, '}') ? seen : MOTE_E_MALFORMED;
    }
    return MOTE_E_SPACE;
}
