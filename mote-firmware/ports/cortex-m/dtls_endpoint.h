/* DTLS between the endpoint and its link, with all its memory. */
#ifndef MOTE_PORTS_CORTEX_M_DTLS_ENDPOINT_H
#define MOTE_PORTS_CORTEX_M_DTLS_ENDPOINT_H

#include "dtls.h"
#include "endpoint.h"

/* For contexts and heap. ./vigil evaluate determines the least sufficient size. */
enum { DTLS_ENDPOINT_MEMORY = 17 * 256 };

struct dtls_endpoint {
    struct endpoint *endpoint;
    struct dtls dtls;
    struct wire below;
    uint8_t waiting[ENDPOINT_DATAGRAM];
    size_t waiting_len;
    _Alignas(8) uint8_t memory[DTLS_ENDPOINT_MEMORY];
};

/* Adds DTLS to the link of a started endpoint. Errors as for dtls_init. */
int dtls_endpoint_start(struct dtls_endpoint *secure, struct endpoint *endpoint,
                        const uint8_t *identity, size_t identity_len, const uint8_t *key,
                        size_t key_len);

/* Replaces endpoint_turn. */
void dtls_endpoint_turn(struct dtls_endpoint *secure, const uint8_t *psdu, size_t len,
                        uint64_t now);

#endif
