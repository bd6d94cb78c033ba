/* Prints events as lines for people. */
#ifndef MOTE_APPS_EVENTS_H
#define MOTE_APPS_EVENTS_H

#include "mote/app.h"

/* Prints an event. Usable as `report` of struct app_config; `context` is a struct events. */
void events_print(void *context, const struct app_event *event);

struct events {
    const char *mirror;
    const char *state;
};

/* Prints that the mote joined the mesh with this address (16 octets), or lost the mesh (NULL). */
void events_mesh(const uint8_t *address);

/* A description of an enum mote_error. */
const char *events_explain(int error);

#endif
