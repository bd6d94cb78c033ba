#include "contiki-port.h"

enum { TICKS_MAX_S = 3600 };

static struct {
    clock_time_t last;
    uint64_t ticks;
} passed;

uint64_t port_now(void)
{
    clock_time_t now = clock_time();

    passed.ticks += (clock_time_t)(now - passed.last);
    passed.last = now;
    return passed.ticks * 1000 / CLOCK_SECOND;
}

clock_time_t port_ticks(uint64_t now, uint64_t deadline)
{
    uint64_t left = deadline > now ? deadline - now : 0;

    if (left > TICKS_MAX_S * 1000)
        left = TICKS_MAX_S * 1000;
    left = (left * CLOCK_SECOND + 999) / 1000;
    return left > 0 ? (clock_time_t)left : 1;
}
