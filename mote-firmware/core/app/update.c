#include "update.h"

#include "clock.h"
#include "messages.h"
#include "mote/base.h"
#include "mote/coap.h"

/* A 4.03 may also mean that an operator has to approve the key. Then it costs only one registration
 * an hour. */
enum { CLOCK_RENEWAL_MS = 3600 * 1000 };

/* Ends the current reading: the mirror answered with `code`, or no answer was requested (0). */
static void update_done(struct app *app, uint8_t code)
{
    app->accepted++;
    if (code != 0) {
        app->update_accepted = true;
        app->renew_clock_at = 0;
        app->wake_up_failed = false;
    }
    if (code != 0 && app->acknowledging)
        app->store.record.ack_due = false; /* stored with the next record: repeating it is safe */
    app_report(app, &(struct app_event){.kind = APP_EVENT_SENT,
                                        .text = app->config.sensors[app->sensor].path,
                                        .seq = app->seq,
                                        .code = code,
                                        .confirmable = app->confirmable});
    app->unconfirmed = app->confirmable ? 0 : app->unconfirmed + 1;
    app->sensor++;
}

enum app_step app_send_readings(struct app *app, uint64_t now)
{
    app->state = APP_SENDING;
    while (app->sensor < app->sensor_end) {
        int error = app_send_update(app, now);

        if (error == MOTE_E_UNSUPPORTED) {
            app_report_text(app, APP_EVENT_SENSOR, app->config.sensors[app->sensor].path);
            app->sensor++;
        } else if (error != MOTE_OK) {
            return app_failed(app, error);
        } else if (app->client.state != COAP_IDLE) {
            return APP_STEP_WAIT;
        } else {
            update_done(app, 0); /* sent with No-Response */
        }
    }
    return APP_STEP_CONTINUE;
}

enum app_step app_update_unanswered(struct app *app)
{
    update_done(app, 0);
    return APP_STEP_CONTINUE;
}

/* True if the mirror may have refused the reading because of its time: the mirror's clock was ahead
 * when it answered the registration, and has been corrected. Another registration obtains the new
 * time. */
static bool renews_clock(struct app *app, uint64_t now)
{
    if (!app_time_is_from_mirror(app) || app->registration_tried || now < app->renew_clock_at)
        return false;
    app->renew_clock_at = now + CLOCK_RENEWAL_MS;
    return true;
}

enum app_step app_update_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;

    if (answer->code >> 5 == 2) {
        update_done(app, answer->code);
        return APP_STEP_CONTINUE;
    }
    app_refused(app, now);
    app->unconfirmed = APP_CONFIRM_ALWAYS;
    /* The mirror no longer knows the acknowledged command: its answer says so, or it derived
     * another command's number. */
    if (app->acknowledging && (answer->code == COAP_BAD_REQUEST ||
                               (answer->code == COAP_UNAUTHORIZED && app->registration_tried)))
        app->store.record.ack_due = false;
    if (app_registration_lost(answer->code) ||
        (answer->code == COAP_FORBIDDEN && renews_clock(app, now)))
        return app_register_again(app, now);
    if (answer->code == COAP_FORBIDDEN || app_overloaded(answer->code))
        return APP_STEP_SLEEP; /* every reading would be refused until an operator acts or time
                                  passes */
    app->sensor++;
    return APP_STEP_CONTINUE;
}
