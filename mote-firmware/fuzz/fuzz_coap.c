/* Any octets as a CoAP message: what parses is written back to one that parses the same way. */
#include "mote/coap.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    if (size > sizeof out || coap_parse(&message, data, size) != MOTE_OK) {
        return 0;
    }
    writer_init(&w, out, sizeof out);
    coap_begin(&builder, &w, message.type, message.code, message.id, message.token,
               message.token_len);
    coap_options_begin(&options, &message);
    while (coap_options_next(&options, &option)) {
        coap_option_uint(&option, &value);
        coap_add(&builder, option.number, option.value, option.len);
    }
    if (message.payload_len > 0) {
        coap_payload(&builder, message.payload, message.payload_len);
    }
    /* ours is never longer, and says the same */
    if (w.failed || w.len > size || coap_parse(&again, out, w.len) != MOTE_OK ||
        again.payload_len != message.payload_len || again.options_len > message.options_len ||
        (message.payload_len > 0 &&
         memcmp(again.payload, message.payload, message.payload_len) != 0)) {
        abort();
    }
    return 0;
}
