/* Times are milliseconds that wrap; two of them are compared within half the circle. */
#ifndef MOTE_CORE_RPL_CLOCK_H
#define MOTE_CORE_RPL_CLOCK_H

#include "mote/crypto.h"

#define CLOCK_HORIZON 0x40000000U /* twelve days: the longest any timer runs */

static inline bool clock_reached(uint32_t now, uint32_t at)
{
    return now - at < 0x80000000U;
}

static inline uint32_t clock_earlier(uint32_t a, uint32_t b)
{
    return clock_reached(b, a) ? a : b;
}

uint32_t rpl_random_below(const struct random *random, uint32_t limit);

#endif
