/* Updates: one signed reading at a time. */
#ifndef MOTE_CORE_APP_UPDATE_H
#define MOTE_CORE_APP_UPDATE_H

#include <stdint.h>

#include "mote/app.h"
#include "step.h"

/* Reads and sends, starting with the current sensor, until a request waits for its answer. */
enum app_step app_send_readings(struct app *app, uint64_t now);

enum app_step app_update_answered(struct app *app, uint64_t now);

/* The wait for the answer to a non-confirmable update is over. */
enum app_step app_update_unanswered(struct app *app);

#endif
