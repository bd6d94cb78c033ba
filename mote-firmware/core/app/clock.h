/* Unix time. */
#ifndef MOTE_CORE_APP_CLOCK_H
#define MOTE_CORE_APP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "mote/app.h"

uint64_t app_seconds(uint64_t ms);

/* Unix time in seconds from the port's clock, else from the mirror's last verified answer. False if
 * neither is known. */
bool app_time(const struct app *app, uint64_t now, uint64_t *seconds);

/* True if app_time gives the time of the mirror's answer. */
bool app_time_is_from_mirror(const struct app *app);

#endif
