/* Any octets as a CoAP message: a parsed message is written to octets that parse to the same
 * message. The server answers any message with a valid message or none. */
#include "mote/coap.h"
#include "mote/coap_server.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int represent(void *context, struct writer *out)
{
    (void)context;
    for (int i = 0; i < 70; i++)
        writer_u8(out, (uint8_t)('0' + i % 10));
    return MOTE_OK;
}

static int accept(void *context, const uint8_t *payload, size_t len, struct writer *out)
{
    (void)context;
    writer_bytes(out, payload, len);
    return MOTE_OK;
}

/* The answer to any request is a valid message or nothing. A confirmable request has an answer. */
static void check_server(const uint8_t *data, size_t size)
{
    static const struct coap_resource resources[] = {
        {"a", "rt=\"a\"", COAP_FORMAT_TEXT, represent, accept, NULL}};
    uint8_t body[96];
    uint8_t out[128];
    const struct coap_server server = {resources, 1, 1, body, sizeof body};
    struct coap_message answer;
    size_t n = coap_serve(&server, data, size, 7, out, sizeof out);
    if (n > 0 && coap_parse(&answer, out, n) != MOTE_OK)
        abort();
    if (n == 0 && coap_parse(&answer, data, size) == MOTE_OK && answer.type == COAP_CON &&
        answer.code >> 5 == 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct coap_message message;
    struct coap_message again;
    struct coap_options options;
    struct coap_option option;
    struct coap_builder builder;
    struct writer w;
    uint8_t out[2048];
    uint32_t value;
    if (size > sizeof out || coap_parse(&message, data, size) != MOTE_OK)
        return 0;
    check_server(data, size);
    writer_init(&w, out, sizeof out);
    coap_begin(&builder, &w, message.type, message.code, message.id, message.token,
               message.token_len);
    coap_options_begin(&options, &message);
    while (coap_options_next(&options, &option)) {
        coap_option_uint(&option, &value);
        coap_add(&builder, option.number, option.value, option.len);
    }
    if (message.payload_len > 0)
        coap_payload(&builder, message.payload, message.payload_len);
    /* our form is never longer and has the same content */
    if (w.failed || w.len > size || coap_parse(&again, out, w.len) != MOTE_OK ||
        again.payload_len != message.payload_len || again.options_len > message.options_len ||
        (message.payload_len > 0 &&
         memcmp(again.payload, message.payload, message.payload_len) != 0))
        abort();
    return 0;
}
