#include "station.h"

#include <string.h>

#include "mote/coap.h"
#ifdef MONTH_OPENSSL
#include "openssl_p256.h"
#endif

enum { RADIO_SZX = 5, SERVED_BLOCK = 2, RETRY_US = 500000, BURST_US = 5000 };

static uint64_t app_now(const struct station *station)
{
    return (station->mesh->air.now - station->boot_us) / 1000;
}

static struct net *net_of(struct station *station)
{
    return &station->mesh->motes[station->id].net;
}

/* ---- the port ---- */

static int roll(void *context, uint8_t *out, size_t len)
{
    struct station *station = context;

    for (size_t i = 0; i < len; i++) {
        station->dice = station->dice * 6364136223846793005U + 1442695040888963407U;
        out[i] = (uint8_t)(station->dice >> 56);
    }
    return MOTE_OK;
}

static bool read_clock(void *context, uint64_t *seconds)
{
    const struct station *station = context;

    *seconds = (uint64_t)(station->epoch + (int64_t)(station->mesh->air.now / 1000000));
    return true;
}

static int send_datagram(void *context, const uint8_t *datagram, size_t len)
{
    struct station *station = context;
    const struct udp udp = {STATION_COAP, STATION_COAP, datagram, len};
    const struct ipv6_address host = node_address(MESH_ROOT);

    if (station_is_dark(station))
        return MOTE_E_IO;
    return net_send(net_of(station), &host, &udp) == MOTE_OK ? MOTE_OK : MOTE_E_IO;
}

static int measure(struct station *station, uint8_t sensor, struct decimal *value)
{
    *value = (struct decimal){station->measured[sensor]++, 0};
    if (!station_is_dark(station))
        station->user.measured(station->user.context, station->id, sensor, value->digits);
    return MOTE_OK;
}

static int read_first(void *context, struct decimal *value)
{
    return measure(context, 0, value);
}

static int read_second(void *context, struct decimal *value)
{
    return measure(context, 1, value);
}

static int act(void *context, const char *cty, const uint8_t *payload, size_t len)
{
    struct station *station = context;

    if (strcmp(cty, "text/plain") != 0)
        return MOTE_E_UNSUPPORTED;
    if (station_is_dark(station))
        return MOTE_E_IO;
    station->user.acted(station->user.context, station->id, payload, len);
    return MOTE_OK;
}

static void report(void *context, const struct app_event *event)
{
    struct station *station = context;

    if (station_is_dark(station))
        return;
    if (station->setup.store[0] != '\0' && event->kind == APP_EVENT_SENT && event->code != 0)
        store_service_acknowledged(&station->store, event->text);
    station->user.event(station->user.context, station->id, event);
}

static struct app_config configuration(struct station *station)
{
    const struct station_setup *setup = &station->setup;

    return (struct app_config){.ep = setup->ep,
                               .domain = setup->domain[0] == '\0' ? NULL : setup->domain,
                               .mirror = "coap://[fd00::201:1:1:1]",
                               .lifetime = setup->lifetime,
                               .wake_ms = setup->wake_ms,
                               .backoff_max_ms = 60 * 1000,
                               .listen_ms = setup->listen_ms,
                               .confirm_every = 64,
                               .form = setup->compact ? APP_FORM_COMPACT : APP_FORM_JWS,
                               .cbor = setup->cbor,
                               .sensors = station->sensors,
                               .sensor_count = setup->sensors,
                               .commands = setup->commander_count > 0 ? &app_commands : NULL,
                               .check_every = setup->check_every,
                               .actuators = &station->actuator,
                               .actuator_count = 1,
                               .commanders = setup->commanders,
                               .commander_count = setup->commander_count,
                               .encryption = setup->encrypt ? &app_encryption : NULL,
                               .aes = &station->aes,
                               .storage = &station->identity.port,
                               .random = &station->random,
                               .hash = &station->hash,
                               .curve = &station->curve,
                               .clock = setup->clock ? &station->clock : NULL,
                               .coap = {.wire = &station->wire,
                                        .datagram = station->datagram,
                                        .datagram_size = sizeof station->datagram,
                                        .answer = station->answer,
                                        .answer_size = sizeof station->answer,
                                        .block_szx = RADIO_SZX,
                                        .ack_timeout_ms = 2000,
                                        .max_retransmit = 2,
                                        .separate_ms = 10 * 1000},
                               .body = station->body,
                               .body_size = sizeof station->body,
                               .keep = setup->store[0] == '\0' ? NULL : store_service_keep,
                               .keep_context = &station->store,
                               .report = report,
                               .report_context = station};
}

/* ---- power ---- */

void station_init(struct station *station, struct mesh *mesh, uint8_t id, uint64_t seed,
                  const struct station_user *user)
{
    memset(station, 0, sizeof *station);
    station->user = *user;
    station->mesh = mesh;
    station->id = id;
    station->dice = seed * 1000003 + id;
    fake_storage_init(&station->identity);
    fake_storage_init(&station->numbers);
    station->old = station->identity;
}

void station_erase(struct station *station)
{
    fake_storage_init(&station->identity);
    station->rotation.state = ROTATION_IDLE;
}

bool station_is_dark(const struct station *station)
{
    return station->identity.dark || station->numbers.dark;
}

static void equip_station(struct station *station)
{
    static const char *const paths[STATION_SENSORS] = {"temp", "load"};
    static int (*const reads[STATION_SENSORS])(void *, struct decimal *) = {read_first,
                                                                            read_second};

    bearssl_sha256(&station->hash, &station->hash_state);
    bearssl_aes128(&station->aes, &station->aes_state);
#ifdef MONTH_OPENSSL
    station->curve = *openssl_p256();
#else
    bearssl_p256(&station->curve, &br_ec_p256_m31);
#endif
    station->random = (struct random){roll, station};
    station->clock = (struct wall_clock){read_clock, station};
    station->wire = (struct wire){send_datagram, station};
    for (size_t i = 0; i < STATION_SENSORS; i++)
        station->sensors[i] = (struct sensor){
            .path = paths[i], .type = paths[i], .unit = "1", .read = reads[i], .context = station};
    station->actuator =
        (struct actuator){.path = "led", .type = "led", .act = act, .context = station};
}

int station_rotate(struct station *station)
{
    equip_station(station);
    return rotation_want(&station->rotation, &station->curve, &station->random);
}

static int open_store(struct station *station)
{
    struct options *options = &station->options;
    char problem[512];

    *options = (struct options){.sa = station->setup.sa,
                                .stores = {{.file = station->setup.store,
                                            .mode = 'b',
                                            .full = 'o',
                                            .segments = STATION_STORE_SEGMENTS}},
                                .store_count = 1};
    memcpy(station->equipment.sensors, station->sensors, sizeof station->sensors);
    station->equipment.sensor_count = station->setup.sensors;
    /* The part of a mesh link that the block store uses. */
    station->link.net.peers = net_of(station)->peers;
    station->link.net.peer_count = net_of(station)->peer_count;
    station->link.net.save_number = net_of(station)->save_number;
    station->link.net.save_number_context = net_of(station)->save_number_context;
    if (store_service_open(&station->store, options, &station->associations, &station->equipment,
                           &station->link, problem, sizeof problem) != 0) {
        fprintf(stderr, "month: %s: %s\n", station->setup.ep, problem);
        return MOTE_E_STATE;
    }
    station->server = (struct coap_server){.resources = station->store.files[0].serve.resources,
                                           .resource_count = STORE_SERVE_RESOURCES,
                                           .block_szx = SERVED_BLOCK,
                                           .body = station->served,
                                           .body_size = sizeof station->served};
    return MOTE_OK;
}

static int protect(struct station *station, bool fresh)
{
    char problem[512];

    if (counter_store_open(&station->counters, &station->numbers.port) != MOTE_OK)
        return MOTE_E_MALFORMED;
    if (associations_open(&station->associations, station->setup.sa, fresh, &station->counters,
                          &station->aes, &station->hash, problem, sizeof problem) != 0) {
        fprintf(stderr, "month: %s: %s\n", station->setup.ep, problem);
        return MOTE_E_STATE;
    }
    associations_apply(&station->associations, net_of(station));
    return station->setup.store[0] == '\0' ? MOTE_OK : open_store(station);
}

static int start(struct station *station, bool fresh)
{
    int error = station->setup.sa[0] == '\0' ? MOTE_OK : protect(station, fresh);
    struct app_config config = configuration(station);

    if (error == MOTE_OK)
        error = app_init(&station->app, &config);
    if (error == MOTE_OK)
        error = app_start(&station->app, app_now(station));
    if (error == MOTE_OK)
        rotation_resume(&station->rotation, &station->app);
    return error;
}

void station_forget(struct station *station)
{
    if (station->old.writes > 0)
        station->identity = station->old;
}

int station_on(struct station *station, bool fresh)
{
    station->old = station->identity;
    fake_power_on(&station->identity);
    fake_power_on(&station->numbers);
    station->boot_us = station->mesh->air.now;
    station->on = true;
    mesh_power(station->mesh, station->id, true);
    equip_station(station);
    int error = start(station, fresh);
    mesh_pump(station->mesh, station->id);
    return error;
}

void station_off(struct station *station)
{
    station->on = false;
    store_service_abandon(&station->store);
    memset(&station->app, 0, sizeof station->app);
    station->server.resource_count = 0;
    mesh_power(station->mesh, station->id, false);
}

/* ---- life ---- */

static bool has_store(const struct station *station)
{
    return station->store.count > 0;
}

/* True if a requester waits for a stored block and the mote has a route. */
static bool has_block(struct station *station)
{
    return store_service_sends(&station->store) && net_ready(net_of(station));
}

/* True if the radio has nothing to send. */
static bool is_silent(const struct net *net)
{
    for (size_t i = 0; i < net->queue_size; i++)
        if (net->queue[i].used && net->queue[i].ready)
            return false;
    return true;
}

/* As in vigil-mote, a wake-up waits for a route. Without one, readings are only kept. */
uint64_t station_due(struct station *station)
{
    bool ready = net_ready(net_of(station));
    uint64_t rotation = rotation_deadline(&station->rotation, &station->app);
    uint64_t now = station->mesh->air.now, due;

    if (!station->on)
        return UINT64_MAX;
    if (station->rotation.state == ROTATION_UNDER_WAY)
        due = rotation;
    else if (ready || station->app.state != APP_SLEEPING)
        due = app_deadline(&station->app);
    else
        due = has_store(station) ? app_measure(&station->app, app_now(station)) : 0;
    if (ready && rotation < due)
        due = rotation;
    if (due != UINT64_MAX)
        due = station->boot_us + due * 1000;
    if (!ready && due < now + RETRY_US)
        due = now + RETRY_US;
    if (has_block(station) && due > now + BURST_US)
        due = is_silent(net_of(station)) ? now : now + BURST_US;
    return due > now ? due : now;
}

/* Sends the next stored block. */
static void send_block(struct station *station)
{
    uint8_t packet[IPV6_MTU];
    size_t len = station->link.source(station->link.source_context, packet, sizeof packet);

    if (len > 0)
        (void)net_send_packet(net_of(station), packet, len);
}

void station_poll(struct station *station)
{
    if (!station->on)
        return;
    if (net_ready(net_of(station)) || station->rotation.state == ROTATION_UNDER_WAY)
        rotation_poll(&station->rotation, &station->app, app_now(station));
    if (station->rotation.state != ROTATION_UNDER_WAY &&
        (net_ready(net_of(station)) || station->app.state != APP_SLEEPING))
        app_poll(&station->app, app_now(station));
    if (has_store(station) && station->app.state == APP_SLEEPING)
        store_service_settle(&station->store);
    if (has_block(station) && is_silent(net_of(station)))
        send_block(station);
    mesh_pump(station->mesh, station->id);
}

/* True if the datagram is a request, which the station answers. */
static bool serve(struct station *station, const struct net_datagram *datagram)
{
    const struct udp *udp = &datagram->udp;
    uint8_t answer[MESH_ANSWER_MAX];
    struct coap_message message;
    struct udp back = {STATION_COAP, udp->src_port, answer, 0};

    if (coap_parse(&message, udp->payload, udp->payload_len) != MOTE_OK ||
        message.type > COAP_NON || message.code >> 5 != 0)
        return false;
    station->link.requester = datagram->src;
    back.payload_len = coap_serve(&station->server, udp->payload, udp->payload_len,
                                  station->link.server_id++, answer, sizeof answer);
    if (back.payload_len > 0)
        (void)net_send(net_of(station), &datagram->src, &back);
    return true;
}

void station_receive(struct station *station, const struct net_datagram *datagram)
{
    uint8_t copy[IPV6_MTU];
    size_t len = datagram->udp.payload_len;

    if (!station->on || datagram->udp.dst_port != STATION_COAP || len > sizeof copy)
        return;
    if (serve(station, datagram))
        return;
    memcpy(copy, datagram->udp.payload, len);
    if (station->rotation.state == ROTATION_UNDER_WAY)
        rotation_receive(&station->rotation, &station->app, copy, len, app_now(station));
    else
        app_receive(&station->app, copy, len, app_now(station));
    if (has_store(station) && station->app.state == APP_SLEEPING)
        store_service_settle(&station->store);
}
