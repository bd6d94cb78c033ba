/*
 * A CoAP server for a few resources that are read (RFC 7252; blocks of RFC 7959): a pure function
 * from one request to one answer. It keeps nothing between requests, since reading twice does no
 * harm: no table of peers to fill, no retransmission, no deduplication.
 */
#ifndef MOTE_COAP_SERVER_H
#define MOTE_COAP_SERVER_H

#include "mote/coap.h"

struct coap_resource {
    const char *path;       /* "load" */
    const char *attributes; /* of its link: rt="load";ct=110; NULL: none */
    int32_t format;
    /* Writes the representation; 0, or an error for which 5.03 is answered. */
    int (*read)(void *context, struct writer *out);
    void *context;
};

struct coap_server {
    const struct coap_resource *resources;
    size_t resource_count;
    uint8_t block_szx; /* no larger block is given, asked for or not */
    uint8_t *body;     /* where a representation is written */
    size_t body_size;
};

/*
 * Answers a request: the length in `out`, 0 when there is nothing to say (no request, or not
 * confirmable and wrong). A ping is answered with a reset (RFC 7252, 4.3). `id` is for the answer
 * to a non-confirmable request. /.well-known/core lists the resources (RFC 6690).
 */
size_t coap_serve(const struct coap_server *server, const uint8_t *datagram, size_t len,
                  uint16_t id, uint8_t *out, size_t size);

#endif
