/* Readings that the mote keeps, whether or not they reach the mirror. */
#ifndef MOTE_CORE_APP_KEEP_H
#define MOTE_CORE_APP_KEEP_H

#include "mote/app.h"

/* Keeps the reading of the present sensor, if it is the first of this wake-up. */
void app_keep(struct app *app, struct decimal value, uint64_t now);
/* Reads and keeps the sensors of this wake-up that were not read. */
void app_keep_rest(struct app *app, uint64_t now);

#endif
