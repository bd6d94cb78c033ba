/* Commands, for a configuration that points at app_commands. */
#ifndef MOTE_CORE_APP_COMMANDS_H
#define MOTE_CORE_APP_COMMANDS_H

#include <stdint.h>

#include "mote/app.h"
#include "step.h"

struct app_commands {
    /* Requests the list of pending commands. */
    enum app_step (*check)(struct app *app, uint64_t now);
    /* The list or a command has been answered. */
    enum app_step (*answered)(struct app *app, uint64_t now);
};

#endif
