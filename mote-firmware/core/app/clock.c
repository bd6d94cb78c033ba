#include "clock.h"

#include "mote/base.h"
#include "mote/port/clock.h"

uint64_t app_seconds(uint64_t ms)
{
    return divide(ms, 1000, NULL);
}

static bool own_time(const struct app *app, uint64_t *seconds)
{
    const struct wall_clock *clock = app->config.clock;

    return clock != NULL && clock->read(clock->context, seconds);
}

bool app_time_is_from_mirror(const struct app *app)
{
    uint64_t seconds;

    return app->clock_known && !own_time(app, &seconds);
}

bool app_time(const struct app *app, uint64_t now, uint64_t *seconds)
{
    if (own_time(app, seconds))
        return true;
    *seconds = app->clock_base + app_seconds(now);
    return app->clock_known;
}
