/* The sensors, actuators and commanders of the process. */
#ifndef MOTE_APPS_EQUIPMENT_H
#define MOTE_APPS_EQUIPMENT_H

#include "options.h"
#include "port.h"

/* `sensors`: the sensors of `hosts`, then one for each actuator. */
struct equipment {
    struct sensor sensors[OPTIONS_SENSORS_MAX + OPTIONS_ACTUATORS_MAX];
    struct host_sensor hosts[OPTIONS_SENSORS_MAX];
    size_t sensor_count;
    struct actuator actuators[OPTIONS_ACTUATORS_MAX];
    struct host_actuator moved[OPTIONS_ACTUATORS_MAX];
    uint8_t commanders[OPTIONS_COMMANDERS_MAX][P256_PUBLIC_SIZE];
};

/* Sets up the equipment that the options name. False after an error on stderr. The actuator `wake`
 * sets `wake_ms`. */
bool equip(struct equipment *equipment, const struct options *options, uint64_t *wake_ms);

#endif
