/* An actuator that commands set. Its number is printed on stdout, and a sensor reads it. */
#include <stdlib.h>
#include <string.h>

#include "port.h"

enum { WAKE_LEAST_MS = 10, WAKE_MOST_MS = 7 * 24 * 3600 * 1000 };

/* Converts seconds to milliseconds; false, and `ms` unchanged, for a value out of range. */
static bool milliseconds(struct decimal value, uint64_t *ms)
{
    int64_t scaled = value.digits;

    if (scaled < 0 || scaled > WAKE_MOST_MS || value.places > 3)
        return false;
    for (unsigned places = value.places; places < 3; places++)
        scaled *= 10;
    if (scaled < WAKE_LEAST_MS || scaled > WAKE_MOST_MS)
        return false;
    *ms = (uint64_t)scaled;
    return true;
}

enum { PLACES = 9, UNITS = 1000000000, LARGEST = 9 };

/* A number in units of 10^-9, for exact comparisons. */
static bool in_units(struct decimal value, int64_t *units)
{
    int64_t scaled = value.digits;

    if (value.places > PLACES)
        return false;
    for (unsigned places = value.places; places < PLACES; places++) {
        if (scaled > LARGEST * (int64_t)UNITS * (UNITS / 10) ||
            scaled < -LARGEST * (int64_t)UNITS * (UNITS / 10))
            return false;
        scaled *= 10;
    }
    *units = scaled;
    return true;
}

/* The text of an attribute after its `=` and quote; NULL if there is none. */
static const char *attribute(const char *attributes, const char *name)
{
    const char *at = attributes;
    size_t len = strlen(name);

    while ((at = strchr(at, ';')) != NULL) {
        at++;
        if (strncmp(at, name, len) == 0 && at[len] == '=')
            return at + len + 1 + (at[len + 1] == '"');
    }
    return NULL;
}

/* False if there is no such attribute, or it is no number. */
static bool number(const char *attributes, const char *name, int64_t *units)
{
    const char *text = attribute(attributes, name);
    struct decimal value;

    return text != NULL && decimal_parse(text, &value) && in_units(value, units);
}

static bool enumerated(const char *words, int64_t units)
{
    struct decimal value;
    int64_t one;

    while (decimal_parse(words, &value)) {
        if (in_units(value, &one) && one == units)
            return true;
        words += strcspn(words, " \";");
        words += strspn(words, " ");
    }
    return false;
}

bool host_value_accepted(const char *attributes, struct decimal value)
{
    const char *words = attribute(attributes, "enum");
    int64_t units;
    int64_t limit;

    if (!in_units(value, &units))
        return false;
    if (words != NULL)
        return enumerated(words, units);
    return !(number(attributes, "minimum", &limit) && units < limit) &&
           !(number(attributes, "maximum", &limit) && units > limit) &&
           !(number(attributes, "multipleOf", &limit) && limit > 0 && units % limit != 0);
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
    if (host->attributes != NULL && !host_value_accepted(host->attributes, value))
        return MOTE_E_MALFORMED;
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

bool host_actuator(struct actuator *actuator, struct sensor *sensor, struct host_actuator *host,
                   const char *text, uint64_t *wake_ms)
{
    size_t len = strcspn(text, ";");

    *host = (struct host_actuator){.attributes = text[len] == ';' ? text + len : NULL};
    if (len == 0 || len >= sizeof host->path)
        return false;
    memcpy(host->path, text, len);
    if (strcmp(host->path, "wake") == 0) {
        host->wake_ms = wake_ms;
        if (host->attributes == NULL)
            host->attributes = ";minimum=0.01;maximum=604800";
    }
    *actuator =
        (struct actuator){.path = host->path, .type = host->path, .act = act, .context = host};
    *sensor = (struct sensor){.path = host->path,
                              .type = host->path,
                              .unit = host->wake_ms != NULL ? "s" : "/",
                              .read = read_value,
                              .context = host,
                              .attributes = host->attributes};
    return true;
}
