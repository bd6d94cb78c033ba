#include "dtls_endpoint.h"

#include <string.h>

static int secure_send(void *context, const uint8_t *datagram, size_t len)
{
    struct dtls_endpoint *secure = context;

    if (secure->dtls.state == DTLS_OPEN)
        return dtls_send(&secure->dtls, datagram, len) == MOTE_OK ? MOTE_OK : MOTE_E_IO;
    if (len > sizeof secure->waiting)
        return MOTE_E_IO;
    memcpy(secure->waiting, datagram, len);
    secure->waiting_len = len;
    return MOTE_OK;
}

int dtls_endpoint_start(struct dtls_endpoint *secure, struct endpoint *endpoint,
                        const uint8_t *identity, size_t identity_len, const uint8_t *key,
                        size_t key_len)
{
    const struct dtls_config config = {.wire = &secure->below,
                                       .random = &endpoint->parts.random,
                                       .identity = identity,
                                       .identity_len = identity_len,
                                       .key = key,
                                       .key_len = key_len,
                                       .connection_id = true,
                                       .memory = secure->memory,
                                       .memory_size = sizeof secure->memory};

    secure->endpoint = endpoint;
    secure->below = endpoint->wire;
    endpoint->wire = (struct wire){secure_send, secure};
    return dtls_init(&secure->dtls, &config);
}

static void settle(struct dtls_endpoint *secure)
{
    if (secure->dtls.state == DTLS_OPEN && secure->waiting_len > 0)
        (void)dtls_send(&secure->dtls, secure->waiting, secure->waiting_len);
    if (secure->dtls.state != DTLS_CONNECTING)
        secure->waiting_len = 0;
}

void dtls_endpoint_turn(struct dtls_endpoint *secure, const uint8_t *psdu, size_t len, uint64_t now)
{
    struct endpoint *endpoint = secure->endpoint;
    uint8_t message[ENDPOINT_DATAGRAM];
    const uint8_t *datagram;
    size_t n =
        psdu == NULL ? 0 : link_receive(&endpoint->link, psdu, len, (uint32_t)now, &datagram);

    if (n > 0) {
        n = dtls_receive(&secure->dtls, datagram, n, now, message, sizeof message);
        if (n > 0)
            app_receive(&endpoint->app, message, n, now);
    }
    (void)dtls_tick(&secure->dtls, now);
    if (secure->waiting_len > 0)
        settle(secure);
    if (app_deadline(&endpoint->app) <= now)
        app_poll(&endpoint->app, now);
    if (secure->waiting_len > 0 && secure->dtls.state != DTLS_CONNECTING)
        dtls_connect(&secure->dtls, now);
}
