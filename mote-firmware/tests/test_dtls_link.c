/*
 * The link over DTLS, with a simulated DTLS: waiting datagrams, reports, and repeated handshakes.
 */
#include "dtls_link.h"
#include "harness.h"

/* ---- a DTLS whose handshake ends when the test says so ---- */

static unsigned handshakes;
static bool expired; /* the next check for a message ends the handshake */
static char sent[64];

int dtls_init(struct dtls *dtls, const struct dtls_config *config)
{
    *dtls = (struct dtls){.config = *config};
    return MOTE_OK;
}

void dtls_connect(struct dtls *dtls, uint64_t now)
{
    dtls->now = now;
    dtls->state = DTLS_CONNECTING;
    handshakes++;
}

int dtls_send(struct dtls *dtls, const uint8_t *message, size_t len)
{
    if (dtls->state != DTLS_OPEN)
        return MOTE_E_STATE;
    snprintf(sent, sizeof sent, "%.*s", (int)len, (const char *)message);
    return dtls->config.wire->send(dtls->config.wire->context, message, len);
}

/* "open", "fail" and "close" are the peer's handshake; anything else is a message. */
size_t dtls_receive(struct dtls *dtls, const uint8_t *datagram, size_t len, uint64_t now,
                    uint8_t *out, size_t size)
{
    dtls->now = now;
    if (datagram == NULL) {
        if (expired)
            dtls->state = DTLS_FAILED;
        expired = false;
        return 0;
    }
    if (len == 4 && memcmp(datagram, "open", 4) == 0) {
        dtls->state = DTLS_OPEN;
    } else if (len == 4 && memcmp(datagram, "fail", 4) == 0) {
        dtls->state = DTLS_FAILED;
    } else if (len == 5 && memcmp(datagram, "close", 5) == 0) {
        dtls->state = DTLS_CLOSED;
    } else if (dtls->state == DTLS_OPEN && len <= size) {
        memcpy(out, datagram, len);
        return len;
    }
    return 0;
}

uint64_t dtls_tick(struct dtls *dtls, uint64_t now)
{
    dtls->now = now;
    return dtls->state == DTLS_CONNECTING ? now + 2000 : UINT64_MAX;
}

void dtls_stop(struct dtls *dtls)
{
    dtls->state = DTLS_CLOSED;
}

/* ---- the link below ---- */

static const char *arriving; /* the next datagram */
static bool has_route;
static unsigned opened, failed;

static int below_send(void *context, const uint8_t *datagram, size_t len)
{
    (void)context;
    (void)datagram;
    (void)len;
    return MOTE_OK;
}

static size_t below_receive(void *context, uint8_t *out, size_t size, uint64_t now)
{
    size_t len = arriving == NULL ? 0 : strlen(arriving);

    (void)context;
    (void)now;
    if (len > size)
        abort();
    if (len > 0)
        memcpy(out, arriving, len);
    arriving = NULL;
    return len;
}

static uint64_t below_tick(void *context, uint64_t now)
{
    (void)context;
    return now + 5000;
}

static bool below_busy(const void *context)
{
    (void)context;
    return false;
}

static bool below_ready(const void *context)
{
    (void)context;
    return has_route;
}

static void report(void *context, const struct dtls *dtls)
{
    (void)context;
    opened += dtls->state == DTLS_OPEN;
    failed += dtls->state == DTLS_FAILED;
}

static struct dtls_link secure;
static struct link link;

static void begin(void)
{
    const struct dtls_config config = {.connection_id = true};
    char problem[100] = "";

    memset(&secure, 0, sizeof secure);
    secure.report = report;
    handshakes = opened = failed = 0;
    sent[0] = '\0';
    has_route = true;
    link = (struct link){.wire = {below_send, NULL},
                         .fd = 3,
                         .receive = below_receive,
                         .tick = below_tick,
                         .busy = below_busy,
                         .ready = below_ready};
    CHECK_INT(dtls_link_open(&secure, &config, &link, problem, sizeof problem), 0);
    CHECK_INT(link.fd, 3);
}

static int say(const char *text)
{
    return link.wire.send(link.wire.context, (const uint8_t *)text, strlen(text));
}

static size_t hear(const char *text)
{
    uint8_t out[64];

    arriving = text;
    return link.receive(link.context, out, sizeof out, 0);
}

static void open_session(void)
{
    CHECK_INT(say("first"), MOTE_OK);
    link.tick(link.context, 0);
    CHECK_INT(hear("open"), 0);
}

TEST(sends_the_waiting_datagram_when_the_session_begins)
{
    begin();
    CHECK_INT(say("old"), MOTE_OK);
    CHECK(link.busy(link.context));
    CHECK_INT(handshakes, 0);
    CHECK_INT(link.tick(link.context, 10), 2010);
    CHECK_INT(handshakes, 1);
    CHECK_INT(say("new"), MOTE_OK);
    CHECK_INT(hear("open"), 0);
    CHECK(strcmp(sent, "new") == 0);
    CHECK_INT(opened, 1);
    CHECK(!link.busy(link.context));
    CHECK_INT(link.tick(link.context, 10), 5010);
    CHECK_INT(hear("answer"), 6);
    CHECK_INT(say("more"), MOTE_OK);
    CHECK(strcmp(sent, "more") == 0);
    CHECK_INT(handshakes, 1);
}

TEST(waits_for_a_route_before_the_handshake)
{
    begin();
    has_route = false;
    CHECK_INT(say("first"), MOTE_OK);
    link.tick(link.context, 0);
    CHECK_INT(handshakes, 0);
    has_route = true;
    link.tick(link.context, 0);
    CHECK_INT(handshakes, 1);
}

TEST(reports_a_failure_once_and_tries_again_with_the_next_datagram)
{
    begin();
    CHECK_INT(say("first"), MOTE_OK);
    link.tick(link.context, 0);
    CHECK_INT(hear("fail"), 0);
    CHECK_INT(hear("noise"), 0);
    link.tick(link.context, 0);
    CHECK_INT(failed, 1);
    CHECK_INT(handshakes, 1);
    CHECK(!link.busy(link.context));
    CHECK_INT(say("again"), MOTE_OK);
    CHECK_INT(hear("noise"), 0);
    link.tick(link.context, 0);
    CHECK_INT(handshakes, 2);
    CHECK_INT(hear("open"), 0);
    CHECK(strcmp(sent, "again") == 0);
}

TEST(reports_a_handshake_that_ends_without_a_datagram)
{
    begin();
    CHECK_INT(say("first"), MOTE_OK);
    link.tick(link.context, 0);
    expired = true;
    CHECK_INT(hear(NULL), 0);
    CHECK_INT(failed, 1);
    CHECK(!link.busy(link.context));
}

TEST(repeats_the_handshake_when_the_peer_forgot_the_session)
{
    begin();
    open_session();
    for (unsigned i = 1; i < DTLS_LINK_UNANSWERED; i++)
        CHECK_INT(say("lost"), MOTE_OK);
    link.tick(link.context, 0);
    CHECK_INT(handshakes, 1);
    CHECK_INT(say("kept"), MOTE_OK);
    link.tick(link.context, 0);
    CHECK_INT(handshakes, 2);
    CHECK_INT(hear("open"), 0);
    CHECK(strcmp(sent, "kept") == 0);
    CHECK_INT(opened, 2);
}

TEST(requests_that_decline_an_answer_keep_the_session)
{
    /* NON PUT with No-Response 26 (RFC 7967): delta 258 is 13, 245 */
    static const char declined[] = "\x50\x03\x12\x34\xd1\xf5\x1a";

    begin();
    open_session();
    for (unsigned i = 0; i < 3 * DTLS_LINK_UNANSWERED; i++)
        CHECK_INT(say(declined), MOTE_OK);
    link.tick(link.context, 0);
    CHECK_INT(handshakes, 1);
    CHECK(strcmp(sent, declined) == 0);
}

TEST(an_answer_keeps_the_session)
{
    begin();
    open_session();
    for (unsigned i = 0; i < 3 * DTLS_LINK_UNANSWERED; i++) {
        CHECK_INT(say("request"), MOTE_OK);
        CHECK_INT(hear("answer"), 6);
    }
    link.tick(link.context, 0);
    CHECK_INT(handshakes, 1);
}

TEST(repeats_the_handshake_after_the_peer_closed)
{
    begin();
    open_session();
    CHECK_INT(hear("close"), 0);
    CHECK_INT(say("next"), MOTE_OK);
    link.tick(link.context, 0);
    CHECK_INT(handshakes, 2);
    CHECK_INT(hear("open"), 0);
    CHECK(strcmp(sent, "next") == 0);
    dtls_link_close(&secure);
}

int main(void)
{
    RUN(sends_the_waiting_datagram_when_the_session_begins);
    RUN(waits_for_a_route_before_the_handshake);
    RUN(reports_a_failure_once_and_tries_again_with_the_next_datagram);
    RUN(reports_a_handshake_that_ends_without_a_datagram);
    RUN(repeats_the_handshake_when_the_peer_forgot_the_session);
    RUN(requests_that_decline_an_answer_keep_the_session);
    RUN(an_answer_keeps_the_session);
    RUN(repeats_the_handshake_after_the_peer_closed);
    return harness_report();
}
