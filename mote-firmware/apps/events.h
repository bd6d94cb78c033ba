/* What the endpoint reports, as one line for a person. */
#ifndef MOTE_APPS_EVENTS_H
#define MOTE_APPS_EVENTS_H

#include "mote/app.h"

/* For app_config.report; `context` is a struct events. */
void events_print(void *context, const struct app_event *event);

struct events {
    const char *mirror;
    const char *state;
};

/* The mesh was joined at this address (16 octets), or lost (NULL). */
void events_mesh(const uint8_t *address);

/* A sentence for an error of app_init or app_start. */
const char *events_explain(int error);

#endif
