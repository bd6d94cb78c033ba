#include "served.h"

#include <stdio.h>

#include "mote/coap.h"

/* Writes the present reading as SenML-JSON, unsigned. */
static int write_reading(void *context, struct writer *out)
{
    const struct served_sensor *served = context;
    const struct sensor *sensor = served->sensor;
    char name[APP_EP_MAX + 1 + APP_PATH_MAX + 1];
    struct senml_record record = {.name = name, .unit = sensor->unit};
    int error = sensor->read(sensor->context, &record.value);

    snprintf(name, sizeof name, "%s/%s", served->ep, sensor->path);
    return error != MOTE_OK ? error : senml_json(out, &record, 1);
}

static void serve_sensor(struct served *served, size_t i, const struct sensor *sensor,
                         const char *ep)
{
    struct served_sensor *one = &served->sensors[i];

    *one = (struct served_sensor){.sensor = sensor, .ep = ep};
    snprintf(one->attributes, sizeof one->attributes, "rt=\"%s\";if=\"core.s\";ct=%d", sensor->type,
             COAP_FORMAT_SENML_JSON);
    served->resources[i] = (struct coap_resource){.path = sensor->path,
                                                  .attributes = one->attributes,
                                                  .format = COAP_FORMAT_SENML_JSON,
                                                  .read = write_reading,
                                                  .context = one};
}

void served_init(struct served *served, const struct equipment *equipment,
                 const struct store_service *store, const char *ep)
{
    size_t count = 0;

    for (; equipment != NULL && count < equipment->sensor_count; count++)
        serve_sensor(served, count, &equipment->sensors[count], ep);
    if (store != NULL)
        count += store_service_resources(store, &served->resources[count]);
    served->server = (struct coap_server){.resources = served->resources,
                                          .resource_count = count,
                                          .block_szx = SERVED_SZX,
                                          .body = served->body,
                                          .body_size = sizeof served->body};
}
