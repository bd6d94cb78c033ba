/*
 * The change of a station's key (docs/protocol.md section 6, Rotation). The new key is stored in
 * flash before the mirror learns it. It becomes the endpoint's key when the mirror has accepted it,
 * or no longer accepts the old key. vigil-mote has no key rotation; this code uses the endpoint's
 * store and messages from outside, while the endpoint sleeps.
 */
#ifndef MOTE_BENCH_ROTATION_H
#define MOTE_BENCH_ROTATION_H

#include "mote/app.h"

enum { ROTATION_INNER = 1024, ROTATION_BODY = 2048, ROTATION_DATAGRAM = 1280 };

/*
 * IDLE: the endpoint has one key. PENDING: a new key waits for `retry_at`, or for the endpoint's
 * registration. UNDER_WAY: the rotation was sent. A verified 2.01, or a refusal of the old key ->
 * IDLE with the new key; anything else -> PENDING.
 */
enum rotation_state { ROTATION_IDLE, ROTATION_PENDING, ROTATION_UNDER_WAY };

struct rotation {
    uint8_t key[P256_PRIVATE_SIZE]; /* in flash, as `state`, where a restart ends UNDER_WAY */
    enum rotation_state state;

    /* Lost when power fails. */
    uint64_t retry_at; /* ms of the endpoint */
    struct coap_client client;
    size_t body_len;
    uint8_t body[ROTATION_BODY];
    uint8_t inner[ROTATION_INNER];
    uint8_t datagram[ROTATION_DATAGRAM];
    uint8_t answer[512];
};

/* Makes a new key unless one waits already. */
int rotation_want(struct rotation *rotation, const struct p256 *curve, const struct random *random);

/* To be called when power is on and `app` has been started. */
void rotation_resume(struct rotation *rotation, const struct app *app);

/* The time of the next rotation_poll in ms of the endpoint; UINT64_MAX: none. While a rotation is
 * under way the endpoint is not polled. */
uint64_t rotation_deadline(const struct rotation *rotation, const struct app *app);
void rotation_poll(struct rotation *rotation, struct app *app, uint64_t now);

/* Takes a datagram of the mirror while a rotation is under way. */
void rotation_receive(struct rotation *rotation, struct app *app, const uint8_t *datagram,
                      size_t len, uint64_t now);

#endif
