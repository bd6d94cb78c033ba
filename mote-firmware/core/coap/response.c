#include "response.h"

#include "mote/base.h"

/*
 * Appends a segment of Location-Path. An empty segment, or one with '/', makes the path ambiguous.
 */
static void location_part(struct coap_response *in, struct writer *location,
                          const struct coap_option *option)
{
    if (option->len == 0)
        in->location_ambiguous = true;
    for (size_t i = 0; i < option->len; i++)
        if (option->value[i] == '/' || option->value[i] < 0x20)
            in->location_ambiguous = true;
    if (location->len > 0)
        writer_u8(location, '/');
    writer_bytes(location, option->value, option->len);
}

/* False for an option that requires rejection of the response (RFC 7252 section 5.4.1). */
static bool option_understood(struct coap_response *in, struct writer *location,
                              const struct coap_option *option)
{
    uint32_t value = 0;

    switch (option->number) {
    case COAP_CONTENT_FORMAT:
        if (!coap_option_uint(option, &value) || value > UINT16_MAX)
            return false;
        in->answer.content_format = (int32_t)value;
        return true;
    case COAP_MAX_AGE:
        in->answer.max_age_given = coap_option_uint(option, &in->answer.max_age);
        return true;
    case COAP_LOCATION_PATH:
        location_part(in, location, option);
        return true;
    case COAP_BLOCK1:
        in->has_block1 = coap_block_read(option, &in->block1);
        return in->has_block1;
    case COAP_BLOCK2:
        in->has_block2 = coap_block_read(option, &in->block2);
        return in->has_block2;
    case COAP_ETAG:
        in->etag = option->value;
        in->etag_len = option->len;
        return option->len >= 1 && option->len <= 8;
    case COAP_ECHO:
        in->echo = option->value;
        in->echo_len = option->len;
        return option->len >= 1 && option->len <= COAP_ECHO_MAX;
    default:
        return option->number % 2 == 0; /* elective options may be ignored */
    }
}

bool coap_response_read(struct coap_response *in, const struct coap_message *message)
{
    struct coap_options options;
    struct coap_option option;
    struct writer location;

    *in = (struct coap_response){0};
    in->answer.code = message->code;
    in->answer.content_format = COAP_FORMAT_NONE;
    in->answer.max_age = 60;
    writer_init(&location, (uint8_t *)in->answer.location, sizeof in->answer.location - 1);
    coap_options_begin(&options, message);
    while (coap_options_next(&options, &option))
        if (!option_understood(in, &location, &option))
            return false;
    if (location.failed || in->location_ambiguous)
        in->answer.location[0] = '\0';
    return true;
}
