#include "register.h"

#include "clock.h"
#include "encryption.h"
#include "messages.h"
#include "mote/base.h"
#include "mote/coap.h"
#include "mote/jose.h"
#include "mote/store.h"

static bool is_configured(const struct app *app, const char jkt[JOSE_JKT_LEN + 1])
{
    const char *configured = app->config.mirror_jkt;

    /* The final NUL is compared too: a prefix of a thumbprint names no key. */
    for (size_t i = 0; i <= JOSE_JKT_LEN; i++)
        if (configured[i] != jkt[i])
            return false;
    return true;
}

bool app_set_mirror_key(struct app *app, const uint8_t point[P256_PUBLIC_SIZE])
{
    char jkt[JOSE_JKT_LEN + 1];
    struct reader in;

    jwk_thumbprint(app->config.hash, point, jkt);
    if (app->config.mirror_jkt != NULL && !is_configured(app, jkt))
        return false;
    reader_init(&in, point, P256_PUBLIC_SIZE);
    app->mirror_key_known = reader_copy(&in, app->mirror_key, sizeof app->mirror_key);
    return true;
}

static enum app_step send_registration(struct app *app, uint64_t now)
{
    int error;

    app->state = APP_REGISTERING;
    error = app_send_registration(app, now);
    return error == MOTE_OK ? APP_STEP_WAIT : app_failed(app, error);
}

enum app_step app_register(struct app *app, uint64_t now)
{
    const struct coap_request request = {.code = COAP_GET,
                                         .confirmable = true,
                                         .path = "keys/mirror",
                                         .content_format = COAP_FORMAT_NONE,
                                         .accept = COAP_FORMAT_JWK};
    int error;

    app->registration_tried = true;
    if (app->mirror_key_known)
        return send_registration(app, now);
    app->state = APP_FETCHING_KEY;
    error = app_request(app, &request, now);
    return error == MOTE_OK ? APP_STEP_WAIT : app_failed(app, error);
}

enum app_step app_mirror_key_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    uint8_t point[P256_PUBLIC_SIZE];

    if (answer->code == COAP_CONTENT &&
        jwk_read(answer->payload, answer->payload_len, point) == MOTE_OK)
        return app_set_mirror_key(app, point) ? send_registration(app, now)
                                              : app_failed(app, MOTE_E_AUTH);
    if (app->config.mirror_jkt == NULL && !app_overloaded(answer->code))
        return send_registration(app, now);
    app_refused(app, now);
    return APP_STEP_SLEEP;
}

/*
 * Verifies the answer and applies its content: agrees on a key, sets the clock, raises the counter
 * and pins the mirror's key. MOTE_E_AUTH for an answer without the mirror's signature.
 */
static int apply_signed_answer(struct app *app, uint64_t now)
{
    const struct app_config *config = &app->config;
    const struct coap_answer *answer = &app->client.answer;
    const struct store_record *record = &app->store.record;
    const struct piece request = {config->body, app->body_len};
    struct jose_answer said;
    char jkt[JOSE_JKT_LEN + 1];
    int error = MOTE_E_AUTH;

    if (answer->content_format == COAP_FORMAT_COSE_SIGN1)
        error = jose_answer_open(config->hash, config->curve, app->mirror_key, &request,
                                 answer->payload, answer->payload_len, &said);
    if (error != MOTE_OK)
        return error;
    if (config->encryption != NULL && answer->code >> 5 == 2)
        error = config->encryption->agree(app, &said, &request);
    if (error != MOTE_OK)
        return error;
    app->clock_known = said.time >= app_seconds(now);
    app->clock_base = said.time - app_seconds(now);
    if (said.highest >= app->store.next)
        error = store_raise(&app->store, said.highest);
    if (error != MOTE_OK ||
        (record->mirror_known && equal_ct(record->mirror, app->mirror_key, sizeof app->mirror_key)))
        return error;
    error = store_set_mirror(&app->store, app->mirror_key);
    jwk_thumbprint(config->hash, app->mirror_key, jkt);
    app_report_text(app, APP_EVENT_MIRROR, jkt);
    return error;
}

static enum app_step registration_accepted(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    int error = MOTE_E_MALFORMED;

    if (answer->location[0] != '\0')
        error = store_set_location(&app->store, answer->location, app->tag);
    if (error != MOTE_OK)
        return app_failed(app, error);
    app->store.slots.uncertain = false;
    app->renew_at = now + (uint64_t)app->config.lifetime * 750;
    app_report(app, &(struct app_event){.kind = APP_EVENT_REGISTERED,
                                        .text = app->store.record.location,
                                        .seq = app->seq,
                                        .code = answer->code});
    app->unconfirmed = APP_CONFIRM_ALWAYS;
    return APP_STEP_CONTINUE;
}

enum app_step app_registration_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    bool accepted = answer->code >> 5 == 2;
    bool conflict = answer->code == COAP_CONFLICT;

    if (accepted && !app->mirror_key_known && app->config.encryption != NULL)
        return app_failed(app, MOTE_E_UNSUPPORTED); /* no key to agree with */
    if (app->mirror_key_known && (accepted || conflict)) {
        int error = apply_signed_answer(app, now);

        if (error != MOTE_OK) {
            /* A key that was never pinned may be forged or outdated: it is fetched again. */
            app->mirror_key_known = app->store.record.mirror_known;
            return app_failed(app, error);
        }
    }
    if (accepted)
        return registration_accepted(app, now);
    if (conflict && app->mirror_key_known && !app->counter_raised) {
        app->counter_raised = true;
        return send_registration(app, now);
    }
    app_refused(app, now);
    return APP_STEP_SLEEP;
}
