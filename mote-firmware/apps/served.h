/* The sensors and the block stores as CoAP resources of a mote that is always awake. */
#ifndef MOTE_APPS_SERVED_H
#define MOTE_APPS_SERVED_H

#include "equipment.h"
#include "mote/coap_server.h"
#include "store_service.h"

enum {
    SERVED_SZX = 2, /* 64 octets a block: one frame each */
    SERVED_BODY = 512,
    SERVED_MAX = OPTIONS_SENSORS_MAX + OPTIONS_ACTUATORS_MAX
};

/* One sensor under the endpoint's name. */
struct served_sensor {
    const struct sensor *sensor;
    const char *ep;
    char attributes[96];
};

struct served {
    struct served_sensor sensors[SERVED_MAX];
    struct coap_resource resources[SERVED_MAX + STORE_SERVICE_RESOURCES];
    uint8_t body[SERVED_BODY];
    struct coap_server server;
};

/* Serves the sensors of `equipment` and the resources of `store`; NULL: none. */
void served_init(struct served *served, const struct equipment *equipment,
                 const struct store_service *store, const char *ep);

#endif
