/* An actuator that commands set. Its number is printed on stdout, and a sensor reads it. */
#include <stdlib.h>
#include <string.h>

#include "port.h"

enum { WAKE_LEAST_MS = 10, WAKE_MOST_MS = 7 * 24 * 3600 * 1000 };

/* Converts seconds to milliseconds; false for a value out of range. */
static bool milliseconds(struct decimal value, uint64_t *ms)
{
    int64_t scaled = value.digits;

    if (scaled < 0 || scaled > WAKE_MOST_MS || value.places > 3)
        return false;
    for (unsigned places = value.places; places < 3; places++)
        scaled *= 10;
    *ms = (uint64_t)scaled;
    return *ms >= WAKE_LEAST_MS && *ms <= WAKE_MOST_MS;
}

static int act(void *context, const char *cty, const uint8_t *payload, size_t len)
{
    struct host_actuator *host = context;
    struct decimal value;
    uint8_t text[32];
    struct writer out;
    int error = MOTE_E_UNSUPPORTED;

    if (strcmp(cty, "application/senml+json") == 0)
        error = senml_value_read(payload, len, &value);
    else if (strcmp(cty, "text/plain") == 0)
        error = decimal_read(payload, len, &value);
    if (error != MOTE_OK)
        return error;
    if (host->wake_ms != NULL && !milliseconds(value, host->wake_ms))
        return MOTE_E_MALFORMED;
    host->value = value;
    writer_init(&out, text, sizeof text - 1);
    decimal_write(&out, value);
    printf("%s = %.*s\n", host->path, (int)writer_len(&out), (const char *)text);
    return MOTE_OK;
}

static int read_value(void *context, struct decimal *value)
{
    const struct host_actuator *host = context;

    *value = host->wake_ms != NULL ? (struct decimal){(int64_t)*host->wake_ms, 3} : host->value;
    return MOTE_OK;
}

void host_actuator(struct actuator *actuator, struct sensor *sensor, struct host_actuator *host,
                   const char *path, uint64_t *wake_ms)
{
    *host = (struct host_actuator){.path = path};
    if (strcmp(path, "wake") == 0)
        host->wake_ms = wake_ms;
    *actuator = (struct actuator){.path = path, .type = path, .act = act, .context = host};
    *sensor = (struct sensor){.path = path,
                              .type = path,
                              .unit = host->wake_ms != NULL ? "s" : "/",
                              .read = read_value,
                              .context = host};
}
