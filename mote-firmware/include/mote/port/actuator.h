/* An actuator, and the resource that commands address. */
#ifndef MOTE_PORT_ACTUATOR_H
#define MOTE_PORT_ACTUATOR_H

#include <stddef.h>
#include <stdint.h>

struct actuator {
    const char *path; /* as a sensor's; a sensor may have the same path */
    const char *type; /* rt of RFC 6690 */
    /* Carries out an authentic command with a payload of type `cty`. Called at most once for each
     * command. An error (MOTE_E_MALFORMED, MOTE_E_UNSUPPORTED) means that the command was not
     * carried out and is never acknowledged. */
    int (*act)(void *context, const char *cty, const uint8_t *payload, size_t len);
    void *context;
};

#endif
