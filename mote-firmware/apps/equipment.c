#include <stdio.h>
#include <string.h>

#include "equipment.h"

static bool add_sensor(struct equipment *equipment, const char *kind)
{
    struct sensor *sensor = &equipment->sensors[equipment->sensor_count];
    struct host_sensor *host = &equipment->hosts[equipment->sensor_count];
    bool found = false;

    if (strcmp(kind, "load") == 0)
        found = load_sensor(sensor, host, "");
    else if (strcmp(kind, "memory") == 0)
        found = memory_sensor(sensor, host, "");
    else if (strcmp(kind, "disk") == 0)
        found = disk_sensor(sensor, host, "");
    else if (strcmp(kind, "network") == 0)
        found = network_sensor(sensor, host, "");
    else if (strcmp(kind, "temperature") == 0)
        found = temperature_sensor(sensor, host, "");
    else if (strncmp(kind, "csv:", 4) == 0)
        found = csv_sensor(sensor, host, kind + 4);
    equipment->sensor_count += found;
    return found;
}

static bool add_actuators(struct equipment *equipment, const struct options *options,
                          uint64_t *wake_ms)
{
    for (size_t i = 0; i < options->actuator_count; i++)
        if (!host_actuator(&equipment->actuators[i], &equipment->sensors[equipment->sensor_count++],
                           &equipment->moved[i], options->actuators[i], wake_ms)) {
            fprintf(stderr,
                    "vigil-mote: --actuator %s: give a path of 1 to %d letters, then the "
                    "attributes of its link, for instance level;minimum=0;maximum=100\n",
                    options->actuators[i], HOST_ACTUATOR_PATH_MAX - 1);
            return false;
        }
    return true;
}

static bool read_commander(const char *path, uint8_t point[P256_PUBLIC_SIZE])
{
    char text[1024];
    FILE *file = fopen(path, "re");
    size_t len = file != NULL ? fread(text, 1, sizeof text, file) : 0;
    bool right =
        len > 0 && len < sizeof text && jwk_read((const uint8_t *)text, len, point) == MOTE_OK;

    if (file != NULL)
        fclose(file);
    if (!right)
        fprintf(stderr, "vigil-mote: --commander %s: give a file that holds a P-256 key as JWK\n",
                path);
    return right;
}

static bool read_commanders(struct equipment *equipment, const struct options *options)
{
    for (size_t i = 0; i < options->commander_count; i++)
        if (!read_commander(options->commanders[i], equipment->commanders[i]))
            return false;
    return true;
}

static bool add_sensors(struct equipment *equipment, const struct options *options)
{
    for (size_t i = 0; i < options->sensor_count; i++)
        if (!add_sensor(equipment, options->sensors[i])) {
            fprintf(
                stderr,
                "vigil-mote: --sensor %s: this machine cannot read it; give load, memory, "
                "disk, network, temperature or csv:PATH (its first line ending in `name (unit)`)\n",
                options->sensors[i]);
            return false;
        }
    if (options->sensor_count > 0)
        return true;
    add_sensor(equipment, "load");
    add_sensor(equipment, "memory");
    add_sensor(equipment, "temperature");
    if (equipment->sensor_count == 0)
        fprintf(stderr, "vigil-mote: this machine has no load, memory or temperature to read; "
                        "give --sensor csv:PATH\n");
    return equipment->sensor_count > 0;
}

bool equip(struct equipment *equipment, const struct options *options, uint64_t *wake_ms)
{
    if (!add_sensors(equipment, options) || !read_commanders(equipment, options))
        return false;
    return add_actuators(equipment, options, wake_ms);
}
