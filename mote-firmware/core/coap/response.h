/* The options of a response. */
#ifndef MOTE_CORE_COAP_RESPONSE_H
#define MOTE_CORE_COAP_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mote/coap.h"

struct coap_response {
    struct coap_answer answer;
    struct coap_block block1;
    struct coap_block block2;
    bool has_block1;
    bool has_block2;
    const uint8_t *etag;
    size_t etag_len;
    const uint8_t *echo;
    size_t echo_len;
    bool location_ambiguous;
};

/* Reads the options. False if the response must be rejected: an unknown or malformed critical
 * option. */
bool coap_response_read(struct coap_response *in, const struct coap_message *message);

#endif
