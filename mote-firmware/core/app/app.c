/* The endpoint's life: enum app_state says which events lead where. */
#include "internal.h"

enum {
    SLOWNESS_MAX = 16,
    ASKED_PAUSE_MAX_MS = 3600 * 1000, /* an answer is not signed: nobody silences us for longer */
    CONFIRM_ALWAYS = 1 << 16
};

static void report(const struct app *app, struct app_event event)
{
    if (app->config.report != NULL)
        app->config.report(app->config.report_context, &event);
}

/* What is under way: the sensor's path, or NULL for the registration. */
static const char *subject(const struct app *app)
{
    return app->state == APP_SENDING ? app->config.sensors[app->sensor].path : NULL;
}

static bool path_valid(const char *path)
{
    char last = '/';
    size_t len = 0;

    for (; path[len] != '\0'; len++) {
        char c = path[len];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '-' || c == '.' || c == '_';

        if (len >= APP_PATH_MAX || (!plain && (c != '/' || last == '/')))
            return false;
        last = c;
    }
    return last != '/';
}

static bool quotable(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text < 0x20 || *text > 0x7e || *text == '"' || *text == '\\')
            return false;
    return true;
}

int app_init(struct app *app, const struct app_config *config)
{
    *app = (struct app){.config = *config, .state = APP_BOOT};
    app->cipher.aes = config->aes;
    if (!senml_name_valid(config->ep) || (config->domain != NULL && !quotable(config->domain)))
        return MOTE_E_MALFORMED;
    for (size_t i = 0; i < config->sensor_count; i++) {
        const struct sensor *sensor = &config->sensors[i];

        if (!path_valid(sensor->path) || !quotable(sensor->type) || !quotable(sensor->unit))
            return MOTE_E_MALFORMED;
    }
    return app_describe(app);
}

static int identity_make(struct app *app)
{
    uint8_t key[P256_PRIVATE_SIZE];
    const struct p256 *curve = app->config.curve;
    int error = curve->generate(curve->context, app->config.random, key);

    if (error == MOTE_OK)
        error = store_create(&app->store, key);
    wipe(key, sizeof key);
    return error;
}

static bool is_named(const struct app *app, const char jkt[JOSE_JKT_LEN + 1])
{
    const char *named = app->config.mirror_jkt;

    /* strict in length: a prefix is not a name */
    for (size_t i = 0; i <= JOSE_JKT_LEN; i++)
        if (named[i] != jkt[i])
            return false;
    return true;
}

/* Takes a key for the mirror's identity, unless another one was named. */
static bool mirror_take(struct app *app, const uint8_t point[P256_PUBLIC_SIZE])
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

/* Registered in an earlier life, with the same words, at the same mirror, and sure of the counter;
 * keys for the air are not kept. */
static bool may_resume(const struct app *app)
{
    const struct store_record *record = &app->store.record;

    return record->location[0] != '\0' && !app->store.doubtful && !app->config.encrypt &&
           equal_ct(record->tag, app->tag, sizeof app->tag);
}

int app_start(struct app *app, uint64_t now)
{
    const struct app_config *config = &app->config;
    uint8_t first_id[2];
    struct reader in;
    int error = store_open(&app->store, config->storage);
    bool fresh = error == MOTE_E_STATE;

    if (fresh)
        error = identity_make(app);
    if (error == MOTE_OK)
        error =
            config->curve->public_key(config->curve->context, app->store.record.key, app->point);
    if (error == MOTE_OK)
        error = config->random->fill(config->random->context, first_id, sizeof first_id);
    if (error != MOTE_OK)
        return error;
    jwk_thumbprint(config->hash, app->point, app->kid);
    if (fresh)
        report(app, (struct app_event){.kind = APP_EVENT_KEY, .text = app->kid});
    if (app->store.record.mirror_known)
        (void)mirror_take(app, app->store.record.mirror);
    reader_init(&in, first_id, sizeof first_id);
    coap_client_init(&app->client, &config->coap, reader_u16(&in));
    if (may_resume(app)) {
        app->renew_at = now + (uint64_t)config->lifetime * 750;
        report(app,
               (struct app_event){.kind = APP_EVENT_RESUMED, .text = app->store.record.location});
    } else {
        app->renew_at = now;
    }
    app->unconfirmed = CONFIRM_ALWAYS;
    app->state = APP_SLEEPING;
    app->wake_at = now;
    return MOTE_OK;
}

void app_stop(struct app *app)
{
    store_close(&app->store);
    wipe(app->cipher.key, sizeof app->cipher.key);
    wipe(app->ephemeral, sizeof app->ephemeral);
    app->state = APP_STOPPED;
}

uint64_t app_deadline(const struct app *app)
{
    switch (app->state) {
    case APP_SLEEPING:
        return app->wake_at;
    case APP_ASKING:
    case APP_REGISTERING:
    case APP_SENDING:
        return coap_client_deadline(&app->client);
    case APP_BOOT:
    case APP_STOPPED:
        break;
    }
    return UINT64_MAX;
}

/* Until the next wake-up: the rhythm counts from the last one, and what was missed stays missed. */
static void go_to_sleep(struct app *app, uint64_t now)
{
    uint64_t rhythm = app->config.wake_ms > 0 ? app->config.wake_ms : 1;
    uint64_t longest = app->config.slow_ms > rhythm ? app->config.slow_ms : rhythm;
    uint64_t pause = rhythm;

    if (!app->trouble)
        app->slowness = 0;
    else if (app->slowness < SLOWNESS_MAX)
        app->slowness++;
    /* The first failure keeps the rhythm: one lost datagram is no reason to be late. */
    for (unsigned i = 1; i < app->slowness && pause < longest; i++)
        pause *= 2;
    if (pause > longest)
        pause = longest;
    app->wake_at = app->woke_at + pause;
    if (app->wake_at < app->pause_until)
        app->wake_at = app->pause_until;
    if (app->wake_at <= now)
        app->wake_at += (now - app->wake_at) / rhythm * rhythm + rhythm;
    app->state = APP_SLEEPING;
}

static void give_up(struct app *app, uint64_t now)
{
    app->trouble = true;
    go_to_sleep(app, now);
}

static void failed(struct app *app, int error, uint64_t now)
{
    report(app, (struct app_event){.kind = APP_EVENT_FAILED, .text = subject(app), .error = error});
    give_up(app, now);
}

static void enter_registering(struct app *app, uint64_t now)
{
    int error;

    app->state = APP_REGISTERING;
    error = app_send_registration(app, now);
    if (error != MOTE_OK)
        failed(app, error, now);
}

/* Registers, after asking whom we register with if that is not known. */
static void introduce(struct app *app, uint64_t now)
{
    int error;

    app->registered_now = true;
    if (app->mirror_ready) {
        enter_registering(app, now);
        return;
    }
    app->state = APP_ASKING;
    error = app_send_question(app, now);
    if (error != MOTE_OK)
        failed(app, error, now);
}

static void accepted(struct app *app, uint8_t code)
{
    app->accepted++;
    if (code != 0)
        app->trouble = false;
    report(app, (struct app_event){.kind = APP_EVENT_SENT,
                                   .text = subject(app),
                                   .seq = app->seq,
                                   .code = code,
                                   .confirmable = app->confirmable});
    app->unconfirmed = app->confirmable ? 0 : app->unconfirmed + 1;
    app->sensor++;
}

/* Measures and sends from the current sensor on, until an answer has to be waited for. */
static void enter_sending(struct app *app, uint64_t now)
{
    app->state = APP_SENDING;
    while (app->sensor < app->config.sensor_count) {
        int error = app_send_update(app, now);

        if (error == MOTE_E_UNSUPPORTED) {
            report(app, (struct app_event){.kind = APP_EVENT_SENSOR, .text = subject(app)});
            app->sensor++;
        } else if (error != MOTE_OK) {
            failed(app, error, now);
            return;
        } else if (app->client.state != COAP_IDLE) {
            return;
        } else {
            accepted(app, 0); /* sent with No-Response: done */
        }
    }
    go_to_sleep(app, now);
}

static void wake_up(struct app *app, uint64_t now)
{
    app->wake_ups++;
    app->woke_at = now;
    app->sensor = 0;
    app->registered_now = false;
    app->raised_now = false;
    app->trouble = false;
    if (now >= app->renew_at)
        introduce(app, now);
    else
        enter_sending(app, now);
}

static void refused(struct app *app, const struct coap_answer *answer)
{
    report(app, (struct app_event){.kind = APP_EVENT_REFUSED,
                                   .text = subject(app),
                                   .seq = app->seq,
                                   .code = answer->code,
                                   .diagnostic = answer->payload,
                                   .diagnostic_len = answer->payload_len});
    app->trouble = true;
}

/* 4.29 and 5.03 say in Max-Age when to come back (RFC 8516; RFC 7252, 5.9.3.4). */
static void heed_pause(struct app *app, const struct coap_answer *answer, uint64_t now)
{
    uint64_t pause = (uint64_t)answer->max_age * 1000;

    if ((answer->code != COAP_TOO_MANY && answer->code != COAP_UNAVAILABLE) ||
        !answer->max_age_given)
        return;
    app->pause_until = now + (pause < ASKED_PAUSE_MAX_MS ? pause : ASKED_PAUSE_MAX_MS);
}

static void question_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    uint8_t point[P256_PUBLIC_SIZE];

    if (answer->code == COAP_CONTENT &&
        jwk_read(answer->payload, answer->payload_len, point) == MOTE_OK) {
        if (mirror_take(app, point))
            enter_registering(app, now);
        else
            failed(app, MOTE_E_AUTH, now);
    } else if (app->config.mirror_jkt != NULL) {
        refused(app, answer);
        go_to_sleep(app, now);
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
    if (config->encrypt && answer->code >> 5 == 2) {
        const struct jose_signer signer = app_signer(app);

        error = said.agreed ? jose_cipher_agree(&app->cipher, &signer, app->ephemeral,
                                                said.ephemeral, &request)
                            : MOTE_E_UNSUPPORTED;
        app->cipher.number = said.key_number;
        wipe(app->ephemeral, sizeof app->ephemeral);
    }
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
    report(app, (struct app_event){.kind = APP_EVENT_MIRROR, .text = jkt});
    return error;
}

static void registration_accepted(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    int error = MOTE_E_MALFORMED;

    if (answer->location[0] != '\0')
        error = store_set_location(&app->store, answer->location, app->tag);
    if (error != MOTE_OK) {
        failed(app, error, now);
        return;
    }
    app->store.doubtful = false;
    app->renew_at = now + (uint64_t)app->config.lifetime * 750;
    report(app, (struct app_event){.kind = APP_EVENT_REGISTERED,
                                   .text = app->store.record.location,
                                   .seq = app->seq,
                                   .code = answer->code});
    app->unconfirmed = CONFIRM_ALWAYS;
    enter_sending(app, now);
}

static void registration_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    bool taken = answer->code >> 5 == 2;
    bool conflict = answer->code == COAP_CONFLICT;
    bool believed = false;

    if (taken && !app->mirror_ready && app->config.encrypt) {
        failed(app, MOTE_E_UNSUPPORTED, now); /* nobody to share a key with */
        return;
    }
    if (app->mirror_ready && (taken || conflict)) {
        int error = believe(app, now);

        if (error != MOTE_OK) {
            failed(app, error, now);
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
    refused(app, answer);
    heed_pause(app, answer, now);
    go_to_sleep(app, now);
}

/* These mean that the mirror and we differ over who we are or where we stand. */
static bool cured_by_registering(uint8_t code)
{
    return code == COAP_UNAUTHORIZED || code == COAP_NOT_FOUND || code == COAP_CONFLICT;
}

static void update_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;

    if (answer->code >> 5 == 2) {
        accepted(app, answer->code);
        enter_sending(app, now);
        return;
    }
    refused(app, answer);
    app->unconfirmed = CONFIRM_ALWAYS;
    if (cured_by_registering(answer->code)) {
        app->renew_at = now;
        if (!app->registered_now)
            introduce(app, now);
        else
            go_to_sleep(app, now);
        return;
    }
    heed_pause(app, answer, now);
    if (answer->code == COAP_FORBIDDEN || answer->code == COAP_TOO_MANY || answer->code >> 5 == 5) {
        go_to_sleep(app, now); /* true for every reading: an operator or time must help */
        return;
    }
    app->sensor++; /* this reading is refused, another need not be */
    enter_sending(app, now);
}

static void unanswered(struct app *app, uint64_t now)
{
    if (app->state == APP_SENDING && !app->confirmable) {
        accepted(app, 0);
        enter_sending(app, now);
        return;
    }
    report(app,
           (struct app_event){.kind = APP_EVENT_UNANSWERED, .text = subject(app), .seq = app->seq});
    app->unconfirmed = CONFIRM_ALWAYS;
    give_up(app, now);
}

static void handle(struct app *app, enum coap_event event, uint64_t now)
{
    switch (event) {
    case COAP_NOTHING:
        break;
    case COAP_ANSWERED:
        if (app->state == APP_ASKING)
            question_answered(app, now);
        else if (app->state == APP_REGISTERING)
            registration_answered(app, now);
        else
            update_answered(app, now);
        break;
    case COAP_NO_ANSWER:
        unanswered(app, now);
        break;
    case COAP_RESET:
        app->unconfirmed = CONFIRM_ALWAYS;
        failed(app, MOTE_E_STATE, now);
        break;
    case COAP_BROKEN:
        app->unconfirmed = CONFIRM_ALWAYS;
        failed(app, MOTE_E_MALFORMED, now);
        break;
    }
}

void app_receive(struct app *app, const uint8_t *datagram, size_t len, uint64_t now)
{
    if (app->state != APP_BOOT && app->state != APP_STOPPED)
        handle(app, coap_client_receive(&app->client, datagram, len, now), now);
}

void app_poll(struct app *app, uint64_t now)
{
    switch (app->state) {
    case APP_SLEEPING:
        if (now >= app->wake_at)
            wake_up(app, now);
        break;
    case APP_ASKING:
    case APP_REGISTERING:
    case APP_SENDING:
        handle(app, coap_client_tick(&app->client, now), now);
        break;
    case APP_BOOT:
    case APP_STOPPED:
        break;
    }
}
