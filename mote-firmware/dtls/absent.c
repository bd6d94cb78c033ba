/* Replaces client.c in builds without Mbed TLS. */
#include "dtls.h"

#include "mote/base.h"

int dtls_init(struct dtls *dtls, const struct dtls_config *config)
{
    *dtls = (struct dtls){.config = *config, .state = DTLS_FAILED, .failure = DTLS_ABSENT};
    return MOTE_E_UNSUPPORTED;
}

void dtls_connect(struct dtls *dtls, uint64_t now)
{
    dtls->now = now;
    dtls->state = DTLS_FAILED;
}

int dtls_send(struct dtls *dtls, const uint8_t *message, size_t len)
{
    (void)dtls;
    (void)message;
    (void)len;
    return MOTE_E_STATE;
}

size_t dtls_receive(struct dtls *dtls, const uint8_t *datagram, size_t len, uint64_t now,
                    uint8_t *out, size_t size)
{
    (void)dtls;
    (void)datagram;
    (void)len;
    (void)now;
    (void)out;
    (void)size;
    return 0;
}

uint64_t dtls_tick(struct dtls *dtls, uint64_t now)
{
    dtls->now = now;
    return UINT64_MAX;
}

void dtls_stop(struct dtls *dtls)
{
    dtls->state = DTLS_FAILED;
}
