#include "config.h"

#include <stddef.h>

#include "mote/port/actuator.h"
#include "mote/port/sensor.h"
#include "mote/senml.h"

static bool path_valid(const char *path)
{
    char last = '/';
    size_t len = 0;

    for (; path[len] != '\0'; len++) {
        char c = path[len];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '-' || c == '.' || c == '_';

        if (len >= APP_PATH_MAX || (!plain && (c != '/' || last == '/')))
            return false;
        last = c;
    }
    return last != '/';
}

/* True if `text` needs no escape in a quoted string. */
static bool quotable(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text < 0x20 || *text > 0x7e || *text == '"' || *text == '\\')
            return false;
    return true;
}

bool app_config_valid(const struct app_config *config)
{
    if (!senml_name_valid(config->ep) || (config->domain != NULL && !quotable(config->domain)))
        return false;
    for (size_t i = 0; i < config->actuator_count; i++)
        if (!path_valid(config->actuators[i].path) || !quotable(config->actuators[i].type))
            return false;
    for (size_t i = 0; i < config->sensor_count; i++) {
        const struct sensor *sensor = &config->sensors[i];

        if (!path_valid(sensor->path) || !quotable(sensor->type) || !quotable(sensor->unit))
            return false;
    }
    return true;
}
