#include "step.h"

#include <stddef.h>

/* Answers are not signed. The limit keeps a forged answer from silencing the endpoint. */
enum { RETRY_DELAY_MAX_MS = 3600 * 1000 };

void app_report(const struct app *app, const struct app_event *event)
{
    if (app->config.report != NULL)
        app->config.report(app->config.report_context, event);
}

void app_report_text(const struct app *app, enum app_event_kind kind, const char *text)
{
    app_report(app, &(struct app_event){.kind = kind, .text = text});
}

bool app_is_checking(const struct app *app)
{
    return app->state == APP_LISTING_COMMANDS || app->state == APP_FETCHING_COMMAND ||
           app->state == APP_REFUSING;
}

void app_refuse_command(struct app *app, enum app_reason reason)
{
    app->reason = reason;
    app->refusal_tried = false;
}

bool app_will_check(const struct app *app)
{
    return app->check_due && app->checks_left > 0;
}

const char *app_subject(const struct app *app)
{
    if (app_is_checking(app))
        return "commands";
    return app->state == APP_SENDING ? app->config.sensors[app->sensor].path : NULL;
}

static void report_failure(const struct app *app, int error)
{
    app_report(app, &(struct app_event){
                        .kind = APP_EVENT_FAILED, .text = app_subject(app), .error = error});
}

enum app_step app_failed(struct app *app, int error)
{
    report_failure(app, error);
    app->wake_up_failed = true;
    return APP_STEP_SLEEP;
}

enum app_step app_check_failed(struct app *app, int error)
{
    report_failure(app, error);
    app->checks_left = 0;
    return APP_STEP_CONTINUE;
}

void app_refused(struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &app->client.answer;
    uint64_t delay = (uint64_t)answer->max_age * 1000;

    app_report(app, &(struct app_event){.kind = APP_EVENT_REFUSED,
                                        .text = app_subject(app),
                                        .seq = app->seq,
                                        .code = answer->code,
                                        .diagnostic = answer->payload,
                                        .diagnostic_len = answer->payload_len});
    app->wake_up_failed = app->wake_up_failed || !app_is_checking(app);
    if (app_overloaded(answer->code) && answer->max_age_given)
        app->retry_at = now + (delay < RETRY_DELAY_MAX_MS ? delay : RETRY_DELAY_MAX_MS);
}

bool app_overloaded(uint8_t code)
{
    return code == COAP_TOO_MANY || code >> 5 == 5;
}

bool app_registration_lost(uint8_t code)
{
    return code == COAP_UNAUTHORIZED || code == COAP_NOT_FOUND || code == COAP_CONFLICT;
}

enum app_step app_register_again(struct app *app, uint64_t now)
{
    app->renew_at = now;
    return app->registration_tried ? APP_STEP_SLEEP : APP_STEP_REGISTER;
}
