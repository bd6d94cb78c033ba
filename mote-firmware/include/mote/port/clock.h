/*
 * The wall clock, if there is one. Time that passes (milliseconds since some start, never going
 * back) is not asked for: it comes with each event.
 */
#ifndef MOTE_PORT_CLOCK_H
#define MOTE_PORT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct wall_clock {
    /* Unix time in seconds; false when nobody has set the clock. */
    bool (*read)(void *context, uint64_t *seconds);
    void *context;
};

#endif
