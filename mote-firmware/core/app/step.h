/*
 * Outcomes of requests, shared by registration, updates and commands. A handler never calls the
 * next handler: it returns a step, which the dispatcher (app.c) carries out.
 */
#ifndef MOTE_CORE_APP_STEP_H
#define MOTE_CORE_APP_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "mote/app.h"
#include "mote/coap.h"

/* A value of `unconfirmed` that makes the next update confirmable. */
enum { APP_CONFIRM_ALWAYS = 1 << 16 };

enum app_step {
    APP_STEP_WAIT,     /* for the answer to the request under way */
    APP_STEP_SLEEP,    /* until the next wake-up */
    APP_STEP_REGISTER, /* register, after asking for the mirror's key if that is unknown */
    APP_STEP_CONTINUE, /* request commands if that is due, else send readings, else sleep */
    APP_STEP_UPDATE    /* send the remaining readings */
};

/* Passes `event` to the configured receiver. */
void app_report(const struct app *app, const struct app_event *event);
/* The same for an event that has only a text. */
void app_report_text(const struct app *app, enum app_event_kind kind, const char *text);

/* True if commands are to be requested in this wake-up. */
bool app_will_check(const struct app *app);
/* True while the request under way is about commands. */
bool app_is_checking(const struct app *app);
/* Notes that the command being fetched is not carried out. A refusal will report the reason. */
void app_refuse_command(struct app *app, enum app_reason reason);

/* The path or "commands" that the request under way is about; NULL for the registration. */
const char *app_subject(const struct app *app);

/* Reports `error`, which ends this wake-up. Returns APP_STEP_SLEEP. */
enum app_step app_failed(struct app *app, int error);

/* Reports `error` of a request about commands, which ends the check in this wake-up. Returns
 * APP_STEP_CONTINUE: readings do not depend on commands. */
enum app_step app_check_failed(struct app *app, int error);

/* Reports that the mirror answered with an error code. Max-Age of a 4.29 or 5.xx delays the next
 * wake-up (RFC 8516; RFC 7252, 5.9.3.4). The wake-up has failed, unless the refused request was
 * about commands: such a refusal must not make readings rarer. */
void app_refused(struct app *app, uint64_t now);

/* True for 4.29 and 5.xx: the same request may succeed later, but not now. */
bool app_overloaded(uint8_t code);

/* True for 4.01, 4.04 and 4.09: the mirror has no such registration, or another key or counter. */
bool app_registration_lost(uint8_t code);

/* Makes the registration due. Returns APP_STEP_REGISTER, or APP_STEP_SLEEP if this wake-up has
 * registered already. */
enum app_step app_register_again(struct app *app, uint64_t now);

#endif
