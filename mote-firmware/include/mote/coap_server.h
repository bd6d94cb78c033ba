/*
 * A CoAP server (RFC 7252; blocks of RFC 7959): a pure function from request to response. It is
 * stateless: no table of peers, no retransmission, no deduplication. GET is idempotent, and POST
 * handlers must be idempotent.
 */
#ifndef MOTE_COAP_SERVER_H
#define MOTE_COAP_SERVER_H

#include "mote/base.h"

struct coap_resource {
    const char *path;       /* "load" */
    const char *attributes; /* of its link, such as rt="load";ct=110; NULL: none */
    int32_t format;
    /* Writes the representation. An error is answered: MOTE_E_AUTH with 4.03, MOTE_E_STATE
     * with 4.09, others with 5.03. NULL: GET is not allowed. */
    int (*read)(void *context, struct writer *out);
    /* Takes the payload of a POST and writes the payload of the answer, which fits one block.
     * Errors as for `read`; MOTE_E_MALFORMED is answered with 4.00. NULL: POST is not allowed. */
    int (*post)(void *context, const uint8_t *payload, size_t len, struct writer *out);
    void *context;
};

struct coap_server {
    const struct coap_resource *resources;
    size_t resource_count;
    uint8_t block_szx; /* the largest block sent */
    uint8_t *body;     /* the buffer of a representation */
    size_t body_size;
};

/*
 * Answers a request. Returns the length of the response in `out`; 0: no response (not a request, or
 * a non-confirmable one with an error). A CoAP ping is answered with RST (RFC 7252 section 4.3).
 * `id` is the message id of the response to a non-confirmable request. /.well-known/core lists the
 * resources (RFC 6690). A request whose answer could not be sent is refused before its handler is
 * called: with 4.06 for another format, with 4.02 for a later block of the answer to a POST.
 */
size_t coap_serve(const struct coap_server *server, const uint8_t *datagram, size_t len,
                  uint16_t id, uint8_t *out, size_t size);

#endif
