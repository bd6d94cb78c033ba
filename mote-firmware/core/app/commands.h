/* Commands, for a configuration that points at app_commands. */
#ifndef MOTE_CORE_APP_COMMANDS_H
#define MOTE_CORE_APP_COMMANDS_H

#include <stdint.h>

#include "mote/app.h"
#include "step.h"

struct app_commands {
    /* Requests the list of pending commands. */
    enum app_step (*check)(struct app *app, uint64_t now);
    /* The list, a command or a refusal has been answered. */
    enum app_step (*answered)(struct app *app, uint64_t now);
    /* The command being fetched does not fit its buffer. */
    enum app_step (*too_long)(struct app *app);
    /* Sends the refusal that is due. */
    enum app_step (*refuse)(struct app *app, uint64_t now);
};

#endif
