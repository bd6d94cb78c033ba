/* Readings: sent one after the other, and what the mirror says to each. */
#include "internal.h"

static void accepted(struct app *app, uint8_t code)
{
    app->accepted++;
    if (code != 0)
        app->trouble = false;
    if (code != 0 && app->acknowledging)
        app->store.record.ack_due = false; /* on flash with the next record: twice does no harm */
    app_report(app, (struct app_event){.kind = APP_EVENT_SENT,
                                       .text = app->config.sensors[app->sensor].path,
                                       .seq = app->seq,
                                       .code = code,
                                       .confirmable = app->confirmable});
    app->unconfirmed = app->confirmable ? 0 : app->unconfirmed + 1;
    app->sensor++;
}

void app_send_readings(struct app *app, uint64_t now)
{
    app->state = APP_SENDING;
    while (app->sensor < app->sensor_end) {
        int error = app_send_update(app, now);

        if (error == MOTE_E_UNSUPPORTED) {
            app_report(app, (struct app_event){.kind = APP_EVENT_SENSOR,
                                               .text = app->config.sensors[app->sensor].path});
            app->sensor++;
        } else if (error != MOTE_OK) {
            app_failed(app, error, now);
            return;
        } else if (app->client.state != COAP_IDLE) {
            return;
        } else {
            accepted(app, 0); /* sent with No-Response: done */
        }
    }
    app_rest(app, now);
}

void app_update_unanswered(struct app *app, uint64_t now)
{
    accepted(app, 0);
    app_send_readings(app, now);
}

void app_update_answered(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;

    if (answer->code >> 5 == 2) {
        accepted(app, answer->code);
        app_send_readings(app, now);
        return;
    }
    app_refused(app, answer);
    app->unconfirmed = APP_CONFIRM_ALWAYS;
    if (app->acknowledging && answer->code == COAP_BAD_REQUEST)
        app->store.record.ack_due = false; /* the mirror has forgotten that command */
    if (app_cure(app, answer->code, now))
        return;
    app_heed_pause(app, answer, now);
    if (answer->code == COAP_FORBIDDEN || answer->code == COAP_TOO_MANY || answer->code >> 5 == 5) {
        app_go_to_sleep(app, now); /* true for every reading: an operator or time must help */
        return;
    }
    app->sensor++; /* this reading is refused, another need not be */
    app_send_readings(app, now);
}
