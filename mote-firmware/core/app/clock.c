#include "clock.h"

#include "mote/port/clock.h"

bool app_time(const struct app *app, uint64_t now, uint64_t *seconds)
{
    const struct wall_clock *clock = app->config.clock;

    if (clock != NULL && clock->read(clock->context, seconds))
        return true;
    *seconds = app->clock_base + now / 1000;
    return app->clock_known;
}
