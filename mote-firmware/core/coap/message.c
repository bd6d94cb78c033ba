/* The codec of messages (RFC 7252 section 3) and of the block option (RFC 7959 section 2.2). */
#include "mote/coap.h"

enum { VERSION = 1, PAYLOAD_MARKER = 0xff };

/* Reads a delta or length nibble with its extension (section 3.1); 15 is reserved. */
static bool extended(struct reader *in, unsigned nibble, uint32_t *value)
{
    *value = nibble;
    if (nibble == 13)
        *value = 13u + reader_u8(in);
    else if (nibble == 14)
        *value = 269u + reader_u16(in);
    return nibble != 15 && !in->failed;
}

/* Reads the next option; false at the end, at the payload marker, or (in->failed) on an error. */
static bool option_read(struct reader *in, uint16_t *number, struct coap_option *option)
{
    uint8_t head;
    uint32_t delta;
    uint32_t len;

    if (in->left == 0 || *in->at == PAYLOAD_MARKER)
        return false;
    head = reader_u8(in);
    if (!extended(in, head >> 4, &delta) || !extended(in, head & 15, &len) ||
        *number + delta > UINT16_MAX) {
        in->failed = true;
        return false;
    }
    *number = (uint16_t)(*number + delta);
    option->number = *number;
    option->len = len;
    option->value = reader_take(in, len);
    return !in->failed;
}

static bool code_known(uint8_t code)
{
    uint8_t class = code >> 5;

    return class == 0 || class == 2 || class == 4 || class == 5;
}

static int body_parse(struct coap_message *message, struct reader *in)
{
    struct coap_option option;
    uint16_t number = 0;

    message->options = in->at;
    while (option_read(in, &number, &option))
        continue;
    if (in->failed)
        return MOTE_E_MALFORMED;
    message->options_len = (size_t)(in->at - message->options);
    message->payload = NULL;
    message->payload_len = 0;
    if (in->left == 0)
        return MOTE_OK;
    reader_u8(in);
    message->payload_len = in->left;
    message->payload = reader_take(in, in->left);
    return message->payload_len > 0 ? MOTE_OK : MOTE_E_MALFORMED;
}

int coap_parse(struct coap_message *message, const uint8_t *data, size_t len)
{
    struct reader in;
    uint8_t first;

    reader_init(&in, data, len);
    first = reader_u8(&in);
    message->type = (enum coap_type)(first >> 4 & 3);
    message->token_len = first & 15;
    message->code = reader_u8(&in);
    message->id = reader_u16(&in);
    if (in.failed)
        return MOTE_E_SHORT;
    if (first >> 6 != VERSION || message->token_len > COAP_TOKEN_MAX || !code_known(message->code))
        return MOTE_E_MALFORMED;
    if (message->code == COAP_EMPTY && in.left > 0)
        return MOTE_E_MALFORMED;
    if (!reader_copy(&in, message->token, message->token_len))
        return MOTE_E_MALFORMED;
    return body_parse(message, &in);
}

void coap_options_begin(struct coap_options *options, const struct coap_message *message)
{
    reader_init(&options->in, message->options, message->options_len);
    options->number = 0;
}

bool coap_options_next(struct coap_options *options, struct coap_option *option)
{
    return option_read(&options->in, &options->number, option);
}

bool coap_option_uint(const struct coap_option *option, uint32_t *value)
{
    struct reader in;

    if (option->len > 4)
        return false;
    reader_init(&in, option->value, option->len);
    *value = 0;
    while (in.left > 0)
        *value = *value << 8 | reader_u8(&in);
    return true;
}

void coap_begin(struct coap_builder *builder, struct writer *out, enum coap_type type, uint8_t code,
                uint16_t id, const uint8_t *token, size_t token_len)
{
    builder->out = out;
    builder->number = 0;
    writer_u8(out, (uint8_t)(VERSION << 6 | (unsigned)type << 4 | token_len));
    writer_u8(out, code);
    writer_u16(out, id);
    writer_bytes(out, token, token_len);
}

static unsigned nibble_of(size_t value)
{
    return value < 13 ? (unsigned)value : value < 269 ? 13 : 14;
}

static void extension_write(struct writer *out, size_t value)
{
    if (value >= 269)
        writer_u16(out, (uint16_t)(value - 269));
    else if (value >= 13)
        writer_u8(out, (uint8_t)(value - 13));
}

void coap_add(struct coap_builder *builder, uint16_t number, const uint8_t *value, size_t len)
{
    struct writer *out = builder->out;
    uint16_t delta = (uint16_t)(number - builder->number);

    if (number < builder->number || len > 269u + UINT16_MAX) {
        out->failed = true;
        return;
    }
    writer_u8(out, (uint8_t)(nibble_of(delta) << 4 | nibble_of(len)));
    extension_write(out, delta);
    extension_write(out, len);
    writer_bytes(out, value, len);
    builder->number = number;
}

void coap_add_uint(struct coap_builder *builder, uint16_t number, uint32_t value)
{
    uint8_t octets[4];
    struct writer out;

    writer_init(&out, octets, sizeof octets);
    for (unsigned shift = 32; shift > 0; shift -= 8) /* no leading zeros, section 3.2 */
        if (value >> (shift - 8) != 0)
            writer_u8(&out, (uint8_t)(value >> (shift - 8)));
    coap_add(builder, number, octets, writer_len(&out));
}

void coap_add_parts(struct coap_builder *builder, uint16_t number, const char *text, char separator)
{
    const char *part = text;

    for (const char *c = text;; c++) {
        if (*c != separator && *c != '\0')
            continue;
        coap_add(builder, number, (const uint8_t *)part, (size_t)(c - part));
        if (*c == '\0')
            return;
        part = c + 1;
    }
}

void coap_payload(struct coap_builder *builder, const uint8_t *payload, size_t len)
{
    if (len == 0)
        return;
    writer_u8(builder->out, PAYLOAD_MARKER);
    writer_bytes(builder->out, payload, len);
}

bool coap_block_read(const struct coap_option *option, struct coap_block *block)
{
    uint32_t value;

    if (option->len > 3 || !coap_option_uint(option, &value))
        return false;
    block->number = value >> 4;
    block->more = (value & 8) != 0;
    block->szx = value & 7;
    return block->szx <= COAP_SZX_MAX;
}

void coap_add_block(struct coap_builder *builder, uint16_t number, struct coap_block block)
{
    coap_add_uint(builder, number, block.number << 4 | (block.more ? 8u : 0u) | block.szx);
}
