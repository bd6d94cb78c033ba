/* The endpoint's life and the dispatch of events; enum app_state lists the transitions. */
#include "mote/app.h"

#include "clock.h"
#include "commands.h"
#include "config.h"
#include "keep.h"
#include "messages.h"
#include "mote/base.h"
#include "register.h"
#include "step.h"
#include "update.h"

enum {
    BACKOFF_MAX = 16,
    CHECKS_A_WAKE_UP = 4,
    AWAKE_MAX_MS = 120 * 1000 /* each exchange is bounded, but a slow mirror can cause many */
};

int app_init(struct app *app, const struct app_config *config)
{
    *app = (struct app){.config = *config, .state = APP_BOOT};
    app->cipher.aes = config->aes;
    return app_config_valid(config) ? app_prepare_registration(app) : MOTE_E_MALFORMED;
}

static int make_identity(struct app *app)
{
    uint8_t key[P256_PRIVATE_SIZE];
    const struct p256 *curve = app->config.curve;
    int error = curve->generate(curve->context, app->config.random, key);

    if (error == MOTE_OK)
        error = store_create(&app->store, key);
    wipe(key, sizeof key);
    return error;
}

/* True if the stored registration is still valid: it has the present parameters and mirror, and no
 * sequence number is uncertain. Update keys are not stored, so an encrypting endpoint always
 * registers again. So does one that keeps readings and has no clock, because they need the time. */
static bool may_resume(const struct app *app, uint64_t now)
{
    const struct store_record *record = &app->store.record;
    uint64_t seconds;

    return record->location[0] != '\0' && !app->store.slots.uncertain &&
           app->config.encryption == NULL &&
           (app->config.keep == NULL || app_time(app, now, &seconds)) &&
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
        error = make_identity(app);
    if (error == MOTE_OK)
        error =
            config->curve->public_key(config->curve->context, app->store.record.key, app->point);
    if (error == MOTE_OK)
        error = config->random->fill(config->random->context, first_id, sizeof first_id);
    if (error != MOTE_OK)
        return error;
    jwk_thumbprint(config->hash, app->point, app->kid);
    if (fresh)
        app_report_text(app, APP_EVENT_KEY, app->kid);
    if (app->store.record.mirror_known)
        (void)app_set_mirror_key(app, app->store.record.mirror);
    reader_init(&in, first_id, sizeof first_id);
    coap_client_init(&app->client, &config->coap, reader_u16(&in));
    if (may_resume(app, now)) {
        app->renew_at = now + (uint64_t)config->lifetime * 750;
        app_report_text(app, APP_EVENT_RESUMED, app->store.record.location);
    } else {
        app->renew_at = now;
    }
    app->unconfirmed = APP_CONFIRM_ALWAYS;
    if (config->commands != NULL && app->store.record.command > app->store.record.acted) {
        /* Power failed while the command was carried out, or the mirror knows its result. */
        app->command = app->store.record.command;
        app_refuse_command(app, APP_REASON_FAILED);
    }
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

static uint64_t awake_limit(const struct app *app)
{
    return app->woke_at + AWAKE_MAX_MS;
}

uint64_t app_deadline(const struct app *app)
{
    uint64_t deadline;

    switch (app->state) {
    case APP_SLEEPING:
        return app->wake_at;
    case APP_FETCHING_KEY:
    case APP_REGISTERING:
    case APP_LISTING_COMMANDS:
    case APP_FETCHING_COMMAND:
    case APP_REFUSING:
    case APP_SENDING:
        deadline = coap_client_deadline(&app->client);
        return deadline < awake_limit(app) ? deadline : awake_limit(app);
    case APP_BOOT:
    case APP_STOPPED:
        break;
    }
    return UINT64_MAX;
}

/* Wake-ups are `wake_ms` apart, counted from the last one; missed ones are skipped. */
static void go_to_sleep(struct app *app, uint64_t now)
{
    uint64_t period = app->config.wake_ms > 0 ? app->config.wake_ms : 1;
    uint64_t longest = app->config.backoff_max_ms > period ? app->config.backoff_max_ms : period;
    uint64_t pause = period;

    app_keep_rest(app, now);
    if (!app->wake_up_failed)
        app->backoff = 0;
    else if (app->backoff < BACKOFF_MAX)
        app->backoff++;
    /* The first failure changes nothing: one lost datagram must not delay the next wake-up. */
    for (unsigned i = 1; i < app->backoff && pause < longest; i++)
        pause *= 2;
    if (pause > longest)
        pause = longest;
    app->wake_at = app->woke_at + pause;
    if (app->wake_at < app->retry_at)
        app->wake_at = app->retry_at;
    if (app->wake_at <= now)
        app->wake_at += divide(now - app->wake_at, period, NULL) * period + period;
    app->state = APP_SLEEPING;
}

/* Requests commands after the first accepted update, because only then the mirror knows the
 * endpoint's address (docs/protocol.md section 8). Without a reading to send there is no such
 * update. A pending acknowledgement or refusal is sent first, because only one can be pending. */
static enum app_step next_request(struct app *app, uint64_t now)
{
    bool readings_left = app->sensor < app->sensor_end;

    if (app_will_check(app) && !app->store.record.ack_due && app->reason == APP_REASON_NONE &&
        (app->update_accepted || !readings_left))
        return app->config.commands->check(app, now);
    if (readings_left)
        return APP_STEP_UPDATE;
    if (app->reason != APP_REASON_NONE && !app->refusal_tried)
        return app->config.commands->refuse(app, now);
    return APP_STEP_SLEEP;
}

static void carry_out(struct app *app, enum app_step step, uint64_t now)
{
    while (step != APP_STEP_WAIT) {
        switch (step) {
        case APP_STEP_SLEEP:
            go_to_sleep(app, now);
            return;
        case APP_STEP_REGISTER:
            step = app_register(app, now);
            break;
        case APP_STEP_CONTINUE:
            step = next_request(app, now);
            break;
        case APP_STEP_UPDATE:
            step = app_send_readings(app, now);
            break;
        case APP_STEP_WAIT:
            break;
        }
    }
}

static enum app_step wake_up(struct app *app, uint64_t now)
{
    const struct app_config *config = &app->config;

    app->wake_ups++;
    app->woke_at = now;
    app->sensor = 0;
    app->kept = 0;
    app->sensor_end = config->sensor_count;
    app->registration_tried = false;
    app->counter_raised = false;
    app->update_accepted = false;
    app->refusal_tried = false;
    app->wake_up_failed = false;
    app->checks_left = CHECKS_A_WAKE_UP;
    if (config->commands != NULL && config->check_every > 0 &&
        (app->wake_ups - 1) % config->check_every == 0)
        app->check_due = true;
    app->listed = 0;
    return now >= app->renew_at ? APP_STEP_REGISTER : APP_STEP_CONTINUE;
}

static enum app_step answered(struct app *app, uint64_t now)
{
    switch (app->state) {
    case APP_FETCHING_KEY:
        return app_mirror_key_answered(app, now);
    case APP_REGISTERING:
        return app_registration_answered(app, now);
    case APP_LISTING_COMMANDS:
    case APP_FETCHING_COMMAND:
    case APP_REFUSING:
        return app->config.commands->answered(app, now);
    case APP_SENDING:
        return app_update_answered(app, now);
    case APP_BOOT:
    case APP_SLEEPING:
    case APP_STOPPED:
        break;
    }
    return APP_STEP_WAIT;
}

static enum app_step no_answer(struct app *app)
{
    app_report(app, &(struct app_event){
                        .kind = APP_EVENT_UNANSWERED, .text = app_subject(app), .seq = app->seq});
    app->unconfirmed = APP_CONFIRM_ALWAYS;
    app->wake_up_failed = true;
    return APP_STEP_SLEEP;
}

/* Ends a wake-up that has lasted too long, and sleeps for as long as it lasted. */
static enum app_step give_up(struct app *app, uint64_t now)
{
    coap_client_stop(&app->client);
    app->retry_at = now + AWAKE_MAX_MS;
    return no_answer(app);
}

static enum app_step exchange_failed(struct app *app, int error)
{
    app->unconfirmed = APP_CONFIRM_ALWAYS;
    return app_is_checking(app) ? app_check_failed(app, error) : app_failed(app, error);
}

static enum app_step step_after(struct app *app, enum coap_event event, uint64_t now)
{
    switch (event) {
    case COAP_NOTHING:
        break;
    case COAP_ANSWERED:
        return answered(app, now);
    case COAP_NO_ANSWER:
        return app->state == APP_SENDING && !app->confirmable ? app_update_unanswered(app)
                                                              : no_answer(app);
    case COAP_RESET:
        return exchange_failed(app, MOTE_E_STATE);
    case COAP_TOO_LONG:
        if (app->state == APP_FETCHING_COMMAND)
            return app->config.commands->too_long(app);
        return exchange_failed(app, MOTE_E_SPACE);
    case COAP_PROTOCOL_ERROR:
        return exchange_failed(app, MOTE_E_MALFORMED);
    }
    return APP_STEP_WAIT;
}

void app_receive(struct app *app, const uint8_t *datagram, size_t len, uint64_t now)
{
    if (app->state == APP_BOOT || app->state == APP_STOPPED)
        return;
    carry_out(app, step_after(app, coap_client_receive(&app->client, datagram, len, now), now),
              now);
}

void app_poll(struct app *app, uint64_t now)
{
    enum app_step step = APP_STEP_WAIT;

    switch (app->state) {
    case APP_SLEEPING:
        if (now >= app->wake_at)
            step = wake_up(app, now);
        break;
    case APP_FETCHING_KEY:
    case APP_REGISTERING:
    case APP_LISTING_COMMANDS:
    case APP_FETCHING_COMMAND:
    case APP_REFUSING:
    case APP_SENDING:
        step = now >= awake_limit(app) ? give_up(app, now)
                                       : step_after(app, coap_client_tick(&app->client, now), now);
        break;
    case APP_BOOT:
    case APP_STOPPED:
        break;
    }
    carry_out(app, step, now);
}

uint64_t app_measure(struct app *app, uint64_t now)
{
    uint64_t due = app->measure_at > app->wake_at ? app->measure_at : app->wake_at;

    if (app->state != APP_SLEEPING)
        return UINT64_MAX;
    if (now < due)
        return due;
    app->kept = 0;
    app->sensor_end = app->config.sensor_count;
    app_keep_rest(app, now);
    app->measure_at = now + (app->config.wake_ms > 0 ? app->config.wake_ms : 1);
    return app->measure_at;
}
