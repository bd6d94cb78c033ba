#include "keep.h"

#include "clock.h"

static void keep(const struct app *app, size_t sensor, struct decimal value, uint64_t seq,
                 uint64_t now)
{
    uint64_t time;

    if (app->config.keep != NULL && app_time(app, now, &time))
        app->config.keep(app->config.keep_context, sensor, value, time, seq);
}

void app_keep(struct app *app, struct decimal value, uint64_t now)
{
    if (app->sensor < app->kept)
        return; /* kept already: it is sent again after a new registration */
    keep(app, app->sensor, value, app->seq, now);
    app->kept = app->sensor + 1;
}

void app_keep_rest(struct app *app, uint64_t now)
{
    for (; app->kept < app->sensor_end; app->kept++) {
        const struct sensor *sensor = &app->config.sensors[app->kept];
        struct decimal value;

        if (app->config.keep != NULL && sensor->read(sensor->context, &value) == MOTE_OK)
            keep(app, app->kept, value, 0, now);
    }
}
