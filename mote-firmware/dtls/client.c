/*
 * The client on Mbed TLS. `receive` below passes a datagram to the library during the call that
 * brought it. Between calls only the library keeps data.
 */
#include "dtls.h"

#include <string.h>

#include "mbedtls/memory_buffer_alloc.h"
#include "mbedtls/ssl.h"
#include "mote/base.h"

enum {
    /* The gateway repeats in the same way: after 2, 4 and 8 s, then the handshake fails. */
    FIRST_REPEAT_MS = 2000,
    LAST_REPEAT_MS = 8000,
    ALIGNED = 8
};

struct dtls_session {
    mbedtls_ssl_config config;
    mbedtls_ssl_context ssl;
};

enum { SESSION_SIZE = (sizeof(struct dtls_session) + ALIGNED - 1) / ALIGNED * ALIGNED };

static const int suites[] = {MBEDTLS_TLS_PSK_WITH_AES_128_CCM_8, 0};

/* ---- what the library calls ---- */

static int fill(void *context, unsigned char *out, size_t len)
{
    const struct random *random = ((struct dtls *)context)->config.random;

    return random->fill(random->context, out, len) == MOTE_OK ? 0 : MBEDTLS_ERR_SSL_HW_ACCEL_FAILED;
}

/* A datagram that the link refuses is lost; the timer of the handshake or of CoAP repeats it. */
static int send(void *context, const unsigned char *datagram, size_t len)
{
    const struct wire *wire = ((struct dtls *)context)->config.wire;

    (void)wire->send(wire->context, datagram, len);
    return (int)len;
}

static int receive(void *context, unsigned char *out, size_t size)
{
    struct dtls *dtls = context;
    size_t len = dtls->datagram_len;

    if (len == 0)
        return MBEDTLS_ERR_SSL_WANT_READ;
    dtls->datagram_len = 0;
    if (len > size)
        return MBEDTLS_ERR_SSL_WANT_READ; /* longer than any record that is accepted */
    memcpy(out, dtls->datagram, len);
    return (int)len;
}

static void set_timer(void *context, uint32_t warn_ms, uint32_t expire_ms)
{
    struct dtls *dtls = context;

    dtls->timing = expire_ms != 0;
    dtls->warn_at = dtls->now + warn_ms;
    dtls->expire_at = dtls->now + expire_ms;
}

static int get_timer(void *context)
{
    const struct dtls *dtls = context;

    if (!dtls->timing)
        return -1;
    return (dtls->now >= dtls->warn_at) + (dtls->now >= dtls->expire_at);
}

/* Called when the handshake has its keys. Only the library uses them. */
static void keys_known(void *context, mbedtls_ssl_key_export_type type, const unsigned char *secret,
                       size_t secret_len, const unsigned char client_random[32],
                       const unsigned char server_random[32], mbedtls_tls_prf_types prf)
{
    (void)type;
    (void)secret;
    (void)secret_len;
    (void)client_random;
    (void)server_random;
    (void)prf;
    ((struct dtls *)context)->keyed = true;
}

/* ---- the session ---- */

static int configure(struct dtls *dtls)
{
    const struct dtls_config *config = &dtls->config;
    mbedtls_ssl_config *conf = &dtls->session->config;
    int error = mbedtls_ssl_config_defaults(
        conf, MBEDTLS_SSL_IS_CLIENT, MBEDTLS_SSL_TRANSPORT_DATAGRAM, MBEDTLS_SSL_PRESET_DEFAULT);

    mbedtls_ssl_conf_rng(conf, fill, dtls);
    mbedtls_ssl_conf_ciphersuites(conf, suites);
    mbedtls_ssl_conf_handshake_timeout(conf, FIRST_REPEAT_MS, LAST_REPEAT_MS);
    if (error == 0)
        error = mbedtls_ssl_conf_cid(conf, 0, MBEDTLS_SSL_UNEXPECTED_CID_IGNORE);
    if (error == 0)
        error = mbedtls_ssl_conf_psk(conf, config->key, config->key_len, config->identity,
                                     config->identity_len);
    return error;
}

static int set_up(struct dtls *dtls)
{
    mbedtls_ssl_context *ssl = &dtls->session->ssl;
    int error = mbedtls_ssl_setup(ssl, &dtls->session->config);

    mbedtls_ssl_set_bio(ssl, dtls, send, receive, NULL);
    mbedtls_ssl_set_timer_cb(ssl, dtls, set_timer, get_timer);
    mbedtls_ssl_set_export_keys_cb(ssl, keys_known, dtls);
    mbedtls_ssl_set_mtu(ssl, DTLS_DATAGRAM_MAX);
    return error;
}

int dtls_init(struct dtls *dtls, const struct dtls_config *config)
{
    *dtls = (struct dtls){.config = *config, .state = DTLS_CLOSED};
    if (config->memory_size < SESSION_SIZE)
        return MOTE_E_SPACE;
    mbedtls_memory_buffer_alloc_init(config->memory + SESSION_SIZE,
                                     config->memory_size - SESSION_SIZE);
    dtls->session = (struct dtls_session *)(void *)config->memory;
    mbedtls_ssl_config_init(&dtls->session->config);
    mbedtls_ssl_init(&dtls->session->ssl);
    if (configure(dtls) == 0 && set_up(dtls) == 0)
        return MOTE_OK;
    dtls_stop(dtls);
    return MOTE_E_SPACE;
}

void dtls_stop(struct dtls *dtls)
{
    if (dtls->session == NULL)
        return;
    mbedtls_ssl_free(&dtls->session->ssl);
    mbedtls_ssl_config_free(&dtls->session->config);
    mbedtls_memory_buffer_alloc_free();
    wipe(dtls->config.memory, dtls->config.memory_size);
    dtls->session = NULL;
    dtls->state = DTLS_CLOSED;
}

/* ---- the handshake ---- */

static enum dtls_failure failure_of(const struct dtls *dtls, int error)
{
    if (error == MBEDTLS_ERR_SSL_TIMEOUT && !dtls->heard)
        return DTLS_SILENT;
    if ((error == MBEDTLS_ERR_SSL_TIMEOUT || error == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE) &&
        dtls->keyed)
        return DTLS_KEY;
    return error == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE ? DTLS_REFUSED : DTLS_PROTOCOL;
}

static void advance(struct dtls *dtls)
{
    mbedtls_ssl_context *ssl = &dtls->session->ssl;
    int enabled = MBEDTLS_SSL_CID_DISABLED;
    int result = mbedtls_ssl_handshake(ssl);

    if (result == MBEDTLS_ERR_SSL_WANT_READ || result == MBEDTLS_ERR_SSL_WANT_WRITE)
        return;
    if (result != 0) {
        dtls->state = DTLS_FAILED;
        dtls->failure = failure_of(dtls, result);
        return;
    }
    dtls->state = DTLS_OPEN;
    dtls->with_id = mbedtls_ssl_get_peer_cid(ssl, &enabled, NULL, NULL) == 0 &&
                    enabled == MBEDTLS_SSL_CID_ENABLED;
}

void dtls_connect(struct dtls *dtls, uint64_t now)
{
    mbedtls_ssl_context *ssl;

    if (dtls->session == NULL)
        return;
    ssl = &dtls->session->ssl;
    dtls->now = now;
    dtls->heard = dtls->keyed = dtls->with_id = dtls->timing = false;
    dtls->state = DTLS_CONNECTING;
    if (mbedtls_ssl_session_reset(ssl) != 0 ||
        mbedtls_ssl_set_cid(
            ssl, dtls->config.connection_id ? MBEDTLS_SSL_CID_ENABLED : MBEDTLS_SSL_CID_DISABLED,
            (const unsigned char *)"", 0) != 0) {
        dtls->state = DTLS_FAILED;
        dtls->failure = DTLS_PROTOCOL;
        return;
    }
    advance(dtls);
}

uint64_t dtls_tick(struct dtls *dtls, uint64_t now)
{
    dtls->now = now;
    if (dtls->state == DTLS_CONNECTING && dtls->timing && now >= dtls->expire_at)
        advance(dtls);
    return dtls->state == DTLS_CONNECTING && dtls->timing ? dtls->expire_at : UINT64_MAX;
}

/* ---- messages ---- */

int dtls_send(struct dtls *dtls, const uint8_t *message, size_t len)
{
    int sent;

    if (dtls->state != DTLS_OPEN)
        return MOTE_E_STATE;
    if (len == 0 || len > DTLS_CONTENT_MAX)
        return MOTE_E_SPACE;
    sent = mbedtls_ssl_write(&dtls->session->ssl, message, len);
    return sent == (int)len ? MOTE_OK : MOTE_E_IO;
}

size_t dtls_receive(struct dtls *dtls, const uint8_t *datagram, size_t len, uint64_t now,
                    uint8_t *out, size_t size)
{
    int got = 0;

    if (dtls->state != DTLS_CONNECTING && dtls->state != DTLS_OPEN)
        return 0;
    dtls->now = now;
    dtls->datagram = datagram;
    dtls->datagram_len = datagram == NULL ? 0 : len;
    dtls->heard = dtls->heard || dtls->datagram_len > 0;
    if (dtls->state == DTLS_CONNECTING)
        advance(dtls);
    /* A due flight was sent first, and the datagram was not examined. */
    if (dtls->state == DTLS_CONNECTING && dtls->datagram_len > 0)
        advance(dtls);
    if (dtls->state == DTLS_OPEN)
        got = mbedtls_ssl_read(&dtls->session->ssl, out, size);
    dtls->datagram_len = 0;
    if (got == MBEDTLS_ERR_SSL_PEER_CLOSE_NOTIFY || got == MBEDTLS_ERR_SSL_FATAL_ALERT_MESSAGE)
        dtls->state = DTLS_CLOSED;
    return got > 0 ? (size_t)got : 0;
}
