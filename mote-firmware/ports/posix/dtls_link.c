#include "dtls_link.h"

#include <string.h>

#include "mote/coap.h"

/* False for a request whose sender declined any answer (RFC 7967). */
static bool expects_answer(const uint8_t *datagram, size_t len)
{
    struct coap_message message;
    struct coap_options options;
    struct coap_option option;
    uint32_t declined = 0;

    if (coap_parse(&message, datagram, len) != MOTE_OK || message.type == COAP_CON)
        return true;
    coap_options_begin(&options, &message);
    while (coap_options_next(&options, &option))
        if (option.number == COAP_NO_RESPONSE && !coap_option_uint(&option, &declined))
            return true;
    return declined != COAP_NO_RESPONSE_ALL;
}

/* Reports a change of state, and sends or drops the datagram that waited for it. */
static void settle(struct dtls_link *secure)
{
    enum dtls_state state = secure->dtls.state;

    if (state == DTLS_CONNECTING || state == secure->reported)
        return;
    secure->reported = state;
    secure->unanswered = 0;
    if (state == DTLS_OPEN || state == DTLS_FAILED)
        secure->report(secure->report_context, &secure->dtls);
    if (state == DTLS_OPEN && secure->waiting_len > 0) {
        secure->unanswered += expects_answer(secure->waiting, secure->waiting_len);
        (void)dtls_send(&secure->dtls, secure->waiting, secure->waiting_len);
    }
    secure->waiting_len = 0;
}

static int secure_send(void *context, const uint8_t *datagram, size_t len)
{
    struct dtls_link *secure = context;

    if (len > sizeof secure->waiting)
        return MOTE_E_IO;
    if (secure->dtls.state == DTLS_OPEN && secure->unanswered < DTLS_LINK_UNANSWERED) {
        secure->unanswered += expects_answer(datagram, len);
        return dtls_send(&secure->dtls, datagram, len) == MOTE_OK ? MOTE_OK : MOTE_E_IO;
    }
    memcpy(secure->waiting, datagram, len);
    secure->waiting_len = len;
    return MOTE_OK;
}

static size_t secure_receive(void *context, uint8_t *out, size_t size, uint64_t now)
{
    struct dtls_link *secure = context;
    uint8_t datagram[LINK_DATAGRAM_MAX];
    size_t len = dtls_receive(&secure->dtls, NULL, 0, now, out, size);

    settle(secure);
    while (len == 0) {
        size_t got = secure->below.receive(secure->below.context, datagram, sizeof datagram, now);

        if (got == 0)
            break;
        len = dtls_receive(&secure->dtls, datagram, got, now, out, size);
        settle(secure);
    }
    if (len > 0)
        secure->unanswered = 0;
    return len;
}

static bool is_ready(const struct dtls_link *secure)
{
    return secure->below.ready == NULL || secure->below.ready(secure->below.context);
}

static uint64_t secure_tick(void *context, uint64_t now)
{
    struct dtls_link *secure = context;
    uint64_t at;
    uint64_t below;

    /* If a datagram waits although the session is open, the peer has forgotten the session. */
    if (secure->waiting_len > 0 && secure->dtls.state != DTLS_CONNECTING && is_ready(secure)) {
        secure->reported = DTLS_CLOSED;
        dtls_connect(&secure->dtls, now);
    }
    at = dtls_tick(&secure->dtls, now);
    settle(secure);
    below = secure->below.tick(secure->below.context, now);
    return at < below ? at : below;
}

static bool secure_busy(const void *context)
{
    const struct dtls_link *secure = context;

    return secure->waiting_len > 0 || secure->dtls.state == DTLS_CONNECTING ||
           secure->below.busy(secure->below.context);
}

static bool secure_ready(const void *context)
{
    return is_ready(context);
}

int dtls_link_open(struct dtls_link *secure, const struct dtls_config *config, struct link *link,
                   char *problem, size_t problem_size)
{
    struct dtls_config own = *config;
    int error;

    secure->below = *link;
    secure->out = link->wire;
    own.wire = &secure->out;
    own.memory = secure->memory;
    own.memory_size = sizeof secure->memory;
    error = dtls_init(&secure->dtls, &own);
    if (error != MOTE_OK) {
        snprintf(problem, problem_size,
                 error == MOTE_E_UNSUPPORTED
                     ? "this program was built without DTLS: build vigil-mote-dtls (make dtls)"
                     : "the memory for DTLS is too small for this key and identity");
        return -1;
    }
    *link = (struct link){.wire = {.send = secure_send, .context = secure},
                          .fd = secure->below.fd,
                          .receive = secure_receive,
                          .tick = secure_tick,
                          .busy = secure_busy,
                          .ready = secure_ready,
                          .awake = secure->below.awake,
                          .context = secure};
    return 0;
}

void dtls_link_close(struct dtls_link *secure)
{
    dtls_stop(&secure->dtls);
}
