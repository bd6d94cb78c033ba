#include "endpoint.h"

#include <string.h>

static struct app_config configuration(struct endpoint *endpoint)
{
    const struct endpoint_parts *parts = &endpoint->parts;

    return (struct app_config){.ep = parts->ep,
                               .mirror = "the mirror of this radio",
                               .lifetime = 24 * 3600,
                               .wake_ms = parts->wake_ms,
                               .backoff_max_ms = 60 * 1000,
                               .listen_ms = 500,
                               .confirm_every = 64,
                               .form = APP_FORM_COMPACT,
                               .cbor = true,
                               .sensors = &parts->sensor,
                               .sensor_count = 1,
                               .commands = parts->commands,
                               .check_every = 1,
                               .actuators = parts->actuator,
                               .actuator_count = parts->actuator != NULL,
                               .commanders = parts->commander,
                               .commander_count = parts->commander != NULL,
                               .encryption = parts->encryption,
                               .aes = parts->aes,
                               .storage = &parts->storage,
                               .random = &parts->random,
                               .hash = &parts->hash,
                               .curve = &endpoint->curve,
                               .coap = {.wire = &endpoint->wire,
                                        .datagram = endpoint->datagram,
                                        .datagram_size = sizeof endpoint->datagram,
                                        .answer = endpoint->answer,
                                        .answer_size = sizeof endpoint->answer,
                                        .block_szx = ENDPOINT_SZX,
                                        .ack_timeout_ms = 2000,
                                        .max_retransmit = 2,
                                        .separate_ms = 10 * 1000},
                               .body = endpoint->body,
                               .body_size = sizeof endpoint->body,
                               .report = parts->report,
                               .report_context = parts->report_context};
}

int endpoint_start(struct endpoint *endpoint, const struct endpoint_parts *parts, uint64_t now)
{
    struct app_config config;
    uint16_t first;
    int error;

    endpoint->parts = *parts;
    bearssl_p256(&endpoint->curve, &br_ec_p256_m31);
    error = parts->random.fill(parts->random.context, (uint8_t *)&first, sizeof first);
    if (error != MOTE_OK)
        return error;
    link_init(&endpoint->link, parts->radio, parts->guard, parts->own, parts->mirror, first);
    endpoint->wire = link_wire(&endpoint->link);
    config = configuration(endpoint);
    error = app_init(&endpoint->app, &config);
    return error == MOTE_OK ? app_start(&endpoint->app, now) : error;
}

void endpoint_turn(struct endpoint *endpoint, const uint8_t *psdu, size_t len, uint64_t now)
{
    const uint8_t *datagram;
    size_t n =
        psdu == NULL ? 0 : link_receive(&endpoint->link, psdu, len, (uint32_t)now, &datagram);

    if (n > 0)
        app_receive(&endpoint->app, datagram, n, now);
    if (app_deadline(&endpoint->app) <= now)
        app_poll(&endpoint->app, now);
}
