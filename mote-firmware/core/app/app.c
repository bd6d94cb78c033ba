/* The endpoint's life: enum app_state says which events lead where. */
#include "internal.h"

enum {
    SLOWNESS_MAX = 16,
    ASKED_PAUSE_MAX_MS = 3600 * 1000, /* an answer is not signed: nobody silences us for longer */
    CHECKS_A_WAKE_UP = 4,
    AWAKE_MAX_MS = 120 * 1000 /* each exchange is bounded, but a mirror can spin out many */
};

void app_report(const struct app *app, struct app_event event)
{
    if (app->config.report != NULL)
        app->config.report(app->config.report_context, &event);
}

/* What is under way: the sensor's path, or NULL for the registration. */
static const char *subject(const struct app *app)
{
    if (app->state == APP_CHECKING || app->state == APP_FETCHING)
        return "commands";
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

static bool actuators_valid(const struct app_config *config)
{
    for (size_t i = 0; i < config->actuator_count; i++)
        if (!path_valid(config->actuators[i].path) || !quotable(config->actuators[i].type))
            return false;
    return true;
}

int app_init(struct app *app, const struct app_config *config)
{
    *app = (struct app){.config = *config, .state = APP_BOOT};
    app->cipher.aes = config->aes;
    if (!senml_name_valid(config->ep) || (config->domain != NULL && !quotable(config->domain)) ||
        !actuators_valid(config))
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

/* Registered in an earlier life, with the same words, at the same mirror, and sure of the counter;
 * keys for the air are not kept. */
static bool may_resume(const struct app *app)
{
    const struct store_record *record = &app->store.record;

    return record->location[0] != '\0' && !app->store.slots.doubtful &&
           app->config.encryption == NULL && equal_ct(record->tag, app->tag, sizeof app->tag);
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
        app_report(app, (struct app_event){.kind = APP_EVENT_KEY, .text = app->kid});
    if (app->store.record.mirror_known)
        (void)app_mirror_take(app, app->store.record.mirror);
    reader_init(&in, first_id, sizeof first_id);
    coap_client_init(&app->client, &config->coap, reader_u16(&in));
    if (may_resume(app)) {
        app->renew_at = now + (uint64_t)config->lifetime * 750;
        app_report(
            app, (struct app_event){.kind = APP_EVENT_RESUMED, .text = app->store.record.location});
    } else {
        app->renew_at = now;
    }
    app->unconfirmed = APP_CONFIRM_ALWAYS;
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

static uint64_t bedtime(const struct app *app)
{
    return app->woke_at + AWAKE_MAX_MS;
}

uint64_t app_deadline(const struct app *app)
{
    uint64_t deadline;

    switch (app->state) {
    case APP_SLEEPING:
        return app->wake_at;
    case APP_ASKING:
    case APP_REGISTERING:
    case APP_CHECKING:
    case APP_FETCHING:
    case APP_SENDING:
        deadline = coap_client_deadline(&app->client);
        return deadline < bedtime(app) ? deadline : bedtime(app);
    case APP_BOOT:
    case APP_STOPPED:
        break;
    }
    return UINT64_MAX;
}

/* Until the next wake-up: the rhythm counts from the last one, and what was missed stays missed. */
void app_go_to_sleep(struct app *app, uint64_t now)
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

void app_failed(struct app *app, int error, uint64_t now)
{
    app_report(app,
               (struct app_event){.kind = APP_EVENT_FAILED, .text = subject(app), .error = error});
    app->trouble = true;
    app_go_to_sleep(app, now);
}

void app_refused(struct app *app, const struct coap_answer *answer)
{
    app_report(app, (struct app_event){.kind = APP_EVENT_REFUSED,
                                       .text = subject(app),
                                       .seq = app->seq,
                                       .code = answer->code,
                                       .diagnostic = answer->payload,
                                       .diagnostic_len = answer->payload_len});
    app->trouble = true;
}

void app_heed_pause(struct app *app, const struct coap_answer *answer, uint64_t now)
{
    uint64_t pause = (uint64_t)answer->max_age * 1000;

    if ((answer->code != COAP_TOO_MANY && answer->code != COAP_UNAVAILABLE) ||
        !answer->max_age_given)
        return;
    app->pause_until = now + (pause < ASKED_PAUSE_MAX_MS ? pause : ASKED_PAUSE_MAX_MS);
}

/* An acknowledgement that is due goes first: an update has room for one. */
static bool may_check(const struct app *app)
{
    return app->check_due && app->checks_left > 0 && !app->store.record.ack_due;
}

void app_proceed(struct app *app, uint64_t now)
{
    if (may_check(app))
        app->config.commands->check(app, now);
    else if (app->sensor < app->sensor_end)
        app_send_readings(app, now);
    else
        app_go_to_sleep(app, now);
}

void app_rest(struct app *app, uint64_t now)
{
    if (may_check(app))
        app->config.commands->check(app, now);
    else
        app_go_to_sleep(app, now);
}

static void wake_up(struct app *app, uint64_t now)
{
    const struct app_config *config = &app->config;

    app->wake_ups++;
    app->woke_at = now;
    app->sensor = 0;
    app->sensor_end = config->sensor_count;
    app->registered_now = false;
    app->raised_now = false;
    app->trouble = false;
    app->checks_left = CHECKS_A_WAKE_UP;
    app->check_due = config->commands != NULL && config->check_every > 0 &&
                     (app->wake_ups - 1) % config->check_every == 0;
    app->command = app->store.record.command;
    if (now >= app->renew_at)
        app_introduce(app, now);
    else
        app_proceed(app, now);
}

static void answered(struct app *app, uint64_t now)
{
    switch (app->state) {
    case APP_ASKING:
        app_question_answered(app, now);
        break;
    case APP_REGISTERING:
        app_registration_answered(app, now);
        break;
    case APP_CHECKING:
    case APP_FETCHING:
        app->config.commands->answered(app, now);
        break;
    case APP_SENDING:
        app_update_answered(app, now);
        break;
    case APP_BOOT:
    case APP_SLEEPING:
    case APP_STOPPED:
        break;
    }
}

static void in_vain(struct app *app, uint64_t now)
{
    app_report(app, (struct app_event){
                        .kind = APP_EVENT_UNANSWERED, .text = subject(app), .seq = app->seq});
    app->unconfirmed = APP_CONFIRM_ALWAYS;
    app->trouble = true;
    app_go_to_sleep(app, now);
}

static void unanswered(struct app *app, uint64_t now)
{
    if (app->state == APP_SENDING && !app->confirmable) {
        app_update_unanswered(app, now);
        return;
    }
    in_vain(app, now);
}

/* As long asleep as awake, whoever the mirror is. */
static void give_up(struct app *app, uint64_t now)
{
    coap_client_stop(&app->client);
    app->pause_until = now + AWAKE_MAX_MS;
    in_vain(app, now);
}

static void handle(struct app *app, enum coap_event event, uint64_t now)
{
    switch (event) {
    case COAP_NOTHING:
        break;
    case COAP_ANSWERED:
        answered(app, now);
        break;
    case COAP_NO_ANSWER:
        unanswered(app, now);
        break;
    case COAP_RESET:
    case COAP_BROKEN:
        app->unconfirmed = APP_CONFIRM_ALWAYS;
        app_failed(app, event == COAP_RESET ? MOTE_E_STATE : MOTE_E_MALFORMED, now);
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
    case APP_CHECKING:
    case APP_FETCHING:
    case APP_SENDING:
        if (now >= bedtime(app))
            give_up(app, now);
        else
            handle(app, coap_client_tick(&app->client, now), now);
        break;
    case APP_BOOT:
    case APP_STOPPED:
        break;
    }
}
