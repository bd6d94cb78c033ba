/* Something that measures, and the resource under which the mirror shows it. */
#ifndef MOTE_PORT_SENSOR_H
#define MOTE_PORT_SENSOR_H

#include "mote/senml.h"

struct sensor {
    const char *path; /* unreserved letters of RFC 3986 and '/', no slash first or last */
    const char *type; /* rt of RFC 6690 */
    const char *unit; /* of RFC 8428 */
    /* Measures now; 0, or MOTE_E_IO when the sensor does not answer: this update is left out. */
    int (*read)(void *context, struct decimal *value);
    void *context;
};

#endif
