/* What a response says besides its payload. */
#ifndef MOTE_CORE_COAP_RESPONSE_H
#define MOTE_CORE_COAP_RESPONSE_H

#include "mote/coap.h"

/* What the options of a response say, read once. */
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
    bool location_bad;
};

/* False for one that is to be rejected: a critical option that we do not know or cannot read. */
bool coap_response_read(struct coap_response *in, const struct coap_message *message);

#endif
