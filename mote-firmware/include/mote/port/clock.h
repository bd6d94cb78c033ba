/*
 * The wall clock, if there is one. Monotonic time is not a port function: it is a parameter of each
 * event, in ms.
 */
#ifndef MOTE_PORT_CLOCK_H
#define MOTE_PORT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct wall_clock {
    /* Reads unix time in seconds; false if the clock is not set. */
    bool (*read)(void *context, uint64_t *seconds);
    void *context;
};

#endif
