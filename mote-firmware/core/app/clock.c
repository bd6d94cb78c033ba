#include "clock.h"

#include "mote/port/clock.h"

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
    *seconds = app->clock_base + now / 1000;
    return app->clock_known;
}
