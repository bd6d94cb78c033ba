/* A sensor, and the resource under which the mirror serves its readings. */
#ifndef MOTE_PORT_SENSOR_H
#define MOTE_PORT_SENSOR_H

#include "mote/senml.h"

struct sensor {
    const char *path; /* unreserved letters of RFC 3986 and '/', not starting or ending with '/' */
    const char *type; /* rt of RFC 6690 */
    const char *unit; /* of RFC 8428 */
    /* Measures now. 0, or MOTE_E_IO if there is no value: the update is omitted. */
    int (*read)(void *context, struct decimal *value);
    void *context;
    /* Further attributes of its link, for instance `;minimum=0;maximum=100`, or NULL. Those that
     * declare the values of commands are in docs/protocol.md section 8. */
    const char *attributes;
};

#endif
