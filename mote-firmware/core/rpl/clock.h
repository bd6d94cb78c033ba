/* Comparison of times in ms that wrap: at most 2^31 ms apart. */
#ifndef MOTE_CORE_RPL_CLOCK_H
#define MOTE_CORE_RPL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "mote/port/random.h"

#define CLOCK_HORIZON 0x40000000U /* the longest timer: twelve days */

static inline bool clock_reached(uint32_t now, uint32_t at)
{
    return now - at < 0x80000000U;
}

static inline uint32_t clock_earlier(uint32_t a, uint32_t b)
{
    return clock_reached(b, a) ? a : b;
}

/* A random number below `limit`; limit / 2 without entropy. */
uint32_t rpl_random_below(const struct random *random, uint32_t limit);

#endif
