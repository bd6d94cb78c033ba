/* The sleepy endpoint with its link, drivers and buffers. */
#ifndef MOTE_PORTS_CORTEX_M_ENDPOINT_H
#define MOTE_PORTS_CORTEX_M_ENDPOINT_H

#include "link.h"
#include "mote/app.h"
#include "mote/crypto_bearssl.h"

enum {
    ENDPOINT_SZX = 4, /* blocks of 256 octets, because the datagram is kept for retransmission */
    ENDPOINT_DATAGRAM = 384,
    ENDPOINT_ANSWER = 304,
    ENDPOINT_BODY = 704
};

/* The parts that differ between images and tests. */
struct endpoint_parts {
    const char *ep;
    uint8_t own[EUI64_SIZE];
    uint8_t mirror[EUI64_SIZE];
    const struct frame_radio *radio;
    const struct link_guard *guard;
    const struct app_encryption *encryption; /* NULL: updates are only signed */
    const struct aes128 *aes;
    struct storage storage;
    struct random random;
    struct sha256 hash;
    struct sensor sensor;
    const struct actuator *actuator; /* NULL: no commands */
    const struct app_commands *commands;
    const uint8_t (*commander)[P256_PUBLIC_SIZE];
    uint64_t wake_ms;
    void (*report)(void *context, const struct app_event *event);
    void *report_context;
};

struct endpoint {
    struct app app;
    struct link link;
    struct endpoint_parts parts;
    struct p256 curve;
    struct wire wire;
    uint8_t datagram[ENDPOINT_DATAGRAM];
    uint8_t answer[ENDPOINT_ANSWER];
    uint8_t body[ENDPOINT_BODY];
};

/* 0, or the error of app_init or app_start. */
int endpoint_start(struct endpoint *endpoint, const struct endpoint_parts *parts, uint64_t now);

/* Handles a received frame (psdu NULL: none) and time-outs. */
void endpoint_turn(struct endpoint *endpoint, const uint8_t *psdu, size_t len, uint64_t now);

#endif
