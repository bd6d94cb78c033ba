/* Who the mirror is, where it keeps us, and what its signed answers change. */
#include "internal.h"

static bool is_named(const struct app *app, const char jkt[JOSE_JKT_LEN + 1])
{
    const char *named = app->config.mirror_jkt;

    /* strict in length: a prefix is not a name */
    for (size_t i = 0; i <= JOSE_JKT_LEN; i++)
        if (named[i] != jkt[i])
            return false;
    return true;
}

bool app_mirror_take(struct app *app, const uint8_t point[P256_PUBLIC_SIZE])
{
    char jkt[JOSE_JKT_LEN + 1];
    struct reader in;

    jwk_thumbprint(app->config.hash, point, jkt);
    if (app->config.mirror_jkt != NULL && !is_named(app, jkt))
        return false;
    reader_init(&in, point, P256_PUBLIC_SIZE);
    app->mirror_ready = reader_copy(&in, app->mirror, sizeof app->mirror);
    return true;
}

static void enter_registering(struct app *app, uint64_t now)
{
    int error;

    app->state = APP_REGISTERING;
    error = app_send_registration(app, now);
    if (error != MOTE_OK)
        app_failed(app, error, now);
}

/* Asks for the mirror's identity key. */
static int ask(struct app *app, uint64_t now)
{
    const struct coap_request request = {.code = COAP_GET,
                                         .confirmable = true,
                                         .path = "keys/mirror",
                                         .content_format = COAP_FORMAT_NONE,
                                         .accept = COAP_FORMAT_JWK};

    return app_request(app, &request, now);
}

void app_introduce(struct app *app, uint64_t now)
{
    int error;

    app->registered_now = true;
    if (app->mirror_ready) {
        enter_registering(app, now);
        return;
    }
    app->state = APP_ASKING;
    error = ask(app, now);
    if (error != MOTE_OK)
        app_failed(app, error, now);
}

void app_question_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    uint8_t point[P256_PUBLIC_SIZE];

    if (answer->code == COAP_CONTENT &&
        jwk_read(answer->payload, answer->payload_len, point) == MOTE_OK) {
        if (app_mirror_take(app, point))
            enter_registering(app, now);
        else
            app_failed(app, MOTE_E_AUTH, now);
    } else if (app->config.mirror_jkt != NULL) {
        app_refused(app, answer);
        app_go_to_sleep(app, now);
    } else {
        enter_registering(app, now);
    }
}

/*
 * Believes a signed answer: the mirror's key is pinned, the counter raised, the clock set.
 * MOTE_E_AUTH for one that is not signed although the mirror's key is known.
 */
static int believe(struct app *app, uint64_t now)
{
    const struct app_config *config = &app->config;
    const struct coap_answer *answer = &app->client.answer;
    const struct store_record *record = &app->store.record;
    const struct piece request = {config->body, app->body_len};
    struct jose_answer said;
    char jkt[JOSE_JKT_LEN + 1];
    int error = MOTE_E_AUTH;

    if (answer->content_format == COAP_FORMAT_COSE_SIGN1)
        error = jose_answer_open(config->hash, config->curve, app->mirror, &request,
                                 answer->payload, answer->payload_len, &said);
    if (error != MOTE_OK)
        return error;
    if (config->encryption != NULL && answer->code >> 5 == 2)
        error = config->encryption->agree(app, &said, &request);
    if (error != MOTE_OK)
        return error;
    app->clock_known = said.time >= now / 1000;
    app->clock_base = said.time - now / 1000;
    if (said.highest >= app->store.next)
        error = store_raise(&app->store, said.highest);
    if (error != MOTE_OK ||
        (record->mirror_known && equal_ct(record->mirror, app->mirror, sizeof app->mirror)))
        return error;
    error = store_set_mirror(&app->store, app->mirror);
    jwk_thumbprint(config->hash, app->mirror, jkt);
    app_report(app, (struct app_event){.kind = APP_EVENT_MIRROR, .text = jkt});
    return error;
}

static void registration_accepted(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    int error = MOTE_E_MALFORMED;

    if (answer->location[0] != '\0')
        error = store_set_location(&app->store, answer->location, app->tag);
    if (error != MOTE_OK) {
        app_failed(app, error, now);
        return;
    }
    app->store.slots.doubtful = false;
    app->renew_at = now + (uint64_t)app->config.lifetime * 750;
    app_report(app, (struct app_event){.kind = APP_EVENT_REGISTERED,
                                       .text = app->store.record.location,
                                       .seq = app->seq,
                                       .code = answer->code});
    app->unconfirmed = APP_CONFIRM_ALWAYS;
    app_proceed(app, now);
}

void app_registration_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    bool taken = answer->code >> 5 == 2;
    bool conflict = answer->code == COAP_CONFLICT;
    bool believed = false;

    if (taken && !app->mirror_ready && app->config.encryption != NULL) {
        app_failed(app, MOTE_E_UNSUPPORTED, now); /* nobody to share a key with */
        return;
    }
    if (app->mirror_ready && (taken || conflict)) {
        int error = believe(app, now);

        if (error != MOTE_OK) {
            app_failed(app, error, now);
            return;
        }
        believed = true;
    }
    if (taken) {
        registration_accepted(app, now);
        return;
    }
    if (conflict && believed && !app->raised_now) {
        app->raised_now = true;
        enter_registering(app, now);
        return;
    }
    app_refused(app, answer);
    app_heed_pause(app, answer, now);
    app_go_to_sleep(app, now);
}

bool app_cure(struct app *app, uint8_t code, uint64_t now)
{
    if (code != COAP_UNAUTHORIZED && code != COAP_NOT_FOUND && code != COAP_CONFLICT)
        return false;
    app->renew_at = now;
    if (!app->registered_now)
        app_introduce(app, now);
    else
        app_go_to_sleep(app, now);
    return true;
}
