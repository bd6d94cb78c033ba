/* Something that a commander can move, under the resource that the command names. */
#ifndef MOTE_PORT_ACTUATOR_H
#define MOTE_PORT_ACTUATOR_H

#include <stddef.h>
#include <stdint.h>

struct actuator {
    const char *path; /* as a sensor's; both may share one */
    const char *type; /* rt of RFC 6690 */
    /* Carries out a command that is authentic, for us, and new: 0, or MOTE_E_MALFORMED or
     * MOTE_E_UNSUPPORTED for a payload that means nothing here, which is then never acknowledged.
     * `cty` is the payload's type. Called at most once for each command. */
    int (*act)(void *context, const char *cty, const uint8_t *payload, size_t len);
    void *context;
};

#endif
