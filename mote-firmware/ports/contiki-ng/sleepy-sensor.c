/*
 * The sleepy endpoint (core/app) under Contiki-NG, in the RPL mesh. It uses the core's CoAP client
 * over simple-udp, because Contiki-NG's client matches responses by message id, has neither Block1
 * nor Echo, and never ends an unanswered NON request.
 *
 * One process. The UDP callback only copies the datagram and polls the process, because the
 * datagram is in the buffer that sending uses.
 */
#include <stdio.h>
#include <string.h>

#include "contiki-port.h"
#include "mote/app.h"
#include "net/ipv6/simple-udp.h"
#include "net/ipv6/uip-ds6.h"
#include "net/ipv6/uiplib.h"
#include "net/netstack.h"
#include "net/routing/routing.h"
#include "port-sleepy.h"
#include "port-store.h"

#if MOTE_ON_CC2538
#include "dev/cc2538-sensors.h"
#endif

enum { MIRROR_PORT = 5683, ROUTE_CHECK_MS = 500 };

static struct {
    struct app app;
    struct sensor sensor;
    struct storage storage;
    struct random random;
    struct sha256 hash;
    struct p256 curve;
    struct aes128 aes;
    struct wire wire;
    struct simple_udp_connection udp;
    uip_ipaddr_t mirror;
    struct etimer timer;
    bool ready;
    char ep[APP_EP_MAX + 1];
    uint8_t heard[MOTE_CONF_MESSAGE]; /* the received datagram, if heard_len > 0 */
    uint16_t heard_len;
    uint8_t message[MOTE_CONF_MESSAGE];
    uint8_t answer[MOTE_CONF_ANSWER];
    uint8_t body[MOTE_CONF_BODY];
} node;

PROCESS(sleepy_sensor_process, "sleepy sensor");
AUTOSTART_PROCESSES(&sleepy_sensor_process);

/* ---- the link ---- */

static int send(void *context, const uint8_t *datagram, size_t len)
{
    (void)context;
    simple_udp_sendto_port(&node.udp, datagram, (uint16_t)len, &node.mirror, MIRROR_PORT);
    return MOTE_OK;
}

static void received(struct simple_udp_connection *udp, const uip_ipaddr_t *from,
                     uint16_t from_port, const uip_ipaddr_t *to, uint16_t to_port,
                     const uint8_t *data, uint16_t len)
{
    (void)udp;
    (void)to;
    (void)to_port;
    if (port_store_receive(from, from_port, data, len)) {
        process_poll(&sleepy_sensor_process);
        return;
    }
    if (!uip_ipaddr_cmp(from, &node.mirror) || from_port != MIRROR_PORT || node.heard_len > 0 ||
        len > sizeof node.heard)
        return;
    memcpy(node.heard, data, len);
    node.heard_len = len;
    process_poll(&sleepy_sensor_process);
}

/* ---- sensors ---- */

#if MOTE_ON_CC2538
static int temperature(void *context, struct decimal *value)
{
    (void)context;
    *value = (struct decimal){cc2538_temp_sensor.value(CC2538_SENSORS_VALUE_TYPE_CONVERTED), 3};
    return MOTE_OK;
}

static bool find_sensor(void)
{
    port_stack_paint();
    SENSORS_ACTIVATE(cc2538_temp_sensor);
    node.sensor = (struct sensor){
        .path = "temperature", .type = "temperature", .unit = "Cel", .read = temperature};
    return true;
}
#elif CONTIKI_TARGET_NATIVE
static bool find_sensor(void)
{
    return native_sensor(&node.sensor);
}
#else
/* A simulated mote measures its uptime. */
static int uptime(void *context, struct decimal *value)
{
    (void)context;
    *value = (struct decimal){(int32_t)(port_now() / 1000), 0};
    return MOTE_OK;
}

static bool find_sensor(void)
{
    node.sensor = (struct sensor){.path = "uptime", .type = "uptime", .unit = "s", .read = uptime};
    return true;
}
#endif

/* ---- output ---- */

static void print_code(uint8_t code)
{
    printf(" %d.%02d", code >> 5, code & 31);
}

/* By now keys have been made, used and verified, which needs the most stack. */
static void print_stack(void)
{
#if MOTE_ON_CC2538
    printf(", %lu octets of stack unused", (unsigned long)port_stack_unused());
#endif
}

static const char *subject(const struct app_event *event)
{
    return event->text != NULL ? event->text : "the registration";
}

static void print_command(const struct app_event *event)
{
    printf("command %lu ", (unsigned long)event->seq);
    if (event->error == MOTE_OK)
        printf("done: %s", event->text);
    else
        printf("not carried out: error %d", event->error);
}

static void report(void *context, const struct app_event *event)
{
    (void)context;
    if (event->kind == APP_EVENT_SENT && event->code != 0)
        port_store_acknowledged();
    switch (event->kind) {
    case APP_EVENT_KEY:
        printf("new key %s", event->text);
        break;
    case APP_EVENT_MIRROR:
        printf("pinned mirror key %s", event->text);
        break;
    case APP_EVENT_REGISTERED:
        printf("registered at /%s", event->text);
        print_stack();
        break;
    case APP_EVENT_RESUMED:
        printf("resuming at /%s", event->text);
        break;
    case APP_EVENT_SENT:
        printf("sent %s seq %lu", event->text, (unsigned long)event->seq);
        if (event->code != 0)
            print_code(event->code);
        printf(event->confirmable ? " confirmed" : "");
        break;
    case APP_EVENT_REFUSED:
        printf("refused %s seq %lu", subject(event), (unsigned long)event->seq);
        print_code(event->code);
        break;
    case APP_EVENT_UNANSWERED:
        printf("no answer to %s", subject(event));
        break;
    case APP_EVENT_COMMAND:
        print_command(event);
        break;
    case APP_EVENT_SENSOR:
        printf("sensor %s gave no value", event->text);
        break;
    case APP_EVENT_FAILED:
        printf("failed %s with error %d", subject(event), event->error);
        break;
    }
    printf("\n");
}

static void print_route(void)
{
    const uip_ds6_addr_t *address = uip_ds6_get_global(ADDR_PREFERRED);
    char text[UIPLIB_IPV6_MAX_STR_LEN];

    if (!node.ready || address == NULL) {
        printf("lost the route to the root\n");
        return;
    }
    uiplib_ipaddr_snprint(text, sizeof text, &address->ipaddr);
    printf("joined the mesh as %s\n", text);
}

/* ---- the endpoint ---- */

static struct app_config configuration(void)
{
    return (struct app_config){.ep = node.ep,
                               .mirror = MOTE_CONF_MIRROR,
                               .lifetime = MOTE_CONF_LIFETIME,
                               .wake_ms = (uint64_t)MOTE_CONF_WAKE * 1000,
                               .backoff_max_ms = (uint64_t)MOTE_CONF_SLOW * 1000,
                               .listen_ms = MOTE_CONF_LISTEN,
                               .confirm_every = 64,
                               .form = APP_FORM_COMPACT,
                               .cbor = true,
                               .sensors = &node.sensor,
                               .sensor_count = 1,
                               .storage = &node.storage,
                               .random = &node.random,
                               .hash = &node.hash,
                               .curve = &node.curve,
                               .encryption = MOTE_CONF_ENCRYPT ? &app_encryption : NULL,
                               .aes = &node.aes,
                               .coap = {.wire = &node.wire,
                                        .datagram = node.message,
                                        .datagram_size = sizeof node.message,
                                        .answer = node.answer,
                                        .answer_size = sizeof node.answer,
                                        .block_szx = MOTE_CONF_BLOCK_SZX,
                                        .ack_timeout_ms = 2000,
                                        .max_retransmit = 2,
                                        .separate_ms = 10 * 1000},
                               .body = node.body,
                               .body_size = sizeof node.body,
                               .report = report};
}

#if CONTIKI_TARGET_NATIVE
static void apply_settings(struct app_config *config)
{
    const struct native_options *options = native_options();

    native_start();
    config->ep = options->ep;
    config->mirror = options->mirror;
    config->wake_ms = options->wake_ms;
    if (options->encrypt)
        config->encryption = &app_encryption;
}
#else
static void apply_settings(struct app_config *config)
{
    (void)config;
#ifdef MOTE_CONF_EP
    snprintf(node.ep, sizeof node.ep, "%s", MOTE_CONF_EP);
#else
    size_t at = (size_t)snprintf(node.ep, sizeof node.ep, "mote-");

    for (size_t i = 0; i < LINKADDR_SIZE; i++)
        at += (size_t)snprintf(node.ep + at, sizeof node.ep - at, "%02x", linkaddr_node_addr.u8[i]);
#endif
}
#endif

/* Reads the key that may command; MOTE_E_STATE if none is configured. */
#if CONTIKI_TARGET_NATIVE
static int find_commander(uint8_t point[P256_PUBLIC_SIZE])
{
    const struct native_options *options = native_options();

    memcpy(point, options->commander, P256_PUBLIC_SIZE);
    return options->commander_given ? MOTE_OK : MOTE_E_STATE;
}
#elif defined MOTE_COMMANDER
static int find_commander(uint8_t point[P256_PUBLIC_SIZE])
{
    static const char jwk[] = MOTE_COMMANDER;

    return jwk_read((const uint8_t *)jwk, sizeof jwk - 1, point);
}
#else
static int find_commander(uint8_t point[P256_PUBLIC_SIZE])
{
    (void)point;
    return MOTE_E_STATE;
}
#endif

static int enable_commands(struct app_config *config)
{
    static uint8_t commander[1][P256_PUBLIC_SIZE];
    int error = find_commander(commander[0]);

    if (error == MOTE_E_STATE)
        return MOTE_OK;
    config->commands = &app_commands;
    config->check_every = MOTE_CONF_CHECK;
    config->actuators = &port_led;
    config->actuator_count = 1;
    config->commanders = (const uint8_t(*)[P256_PUBLIC_SIZE])commander;
    config->commander_count = 1;
    return error;
}

static int start(void)
{
    struct app_config config;
    int error;

    node.storage = port_storage(PORT_STATE);
    node.random = port_random();
    node.hash = port_sha256();
    node.curve = port_p256();
    node.aes = port_aes128();
    node.wire = (struct wire){.send = send};
    if (!find_sensor())
        return MOTE_E_UNSUPPORTED;
    config = configuration();
    apply_settings(&config);
    if (!uiplib_ipaddrconv(config.mirror, &node.mirror) ||
        !simple_udp_register(&node.udp, MIRROR_PORT, NULL, 0, received))
        return MOTE_E_MALFORMED;
    error = enable_commands(&config);
    if (error == MOTE_OK)
        error = port_store_open(&config);
    if (error == MOTE_OK)
        error = app_init(&node.app, &config);
    return error == MOTE_OK ? app_start(&node.app, port_now()) : error;
}

/* Wake-ups wait for a route to the root; without one the signature would be wasted. */
static bool may_wake(void)
{
    bool ready = NETSTACK_ROUTING.node_is_reachable() || uip_is_addr_linklocal(&node.mirror);

    if (ready != node.ready) {
        node.ready = ready;
        print_route();
    }
    return ready || node.app.state != APP_SLEEPING;
}

/* Answers a request for stored blocks, and sends the requested blocks. Returns the time of the
 * next call. */
static uint64_t run_store(uint64_t now)
{
    const uint8_t *answer;
    uip_ipaddr_t to;
    uint16_t to_port;
    uint16_t len = port_store_answer(&answer, &to, &to_port);

    if (len > 0)
        simple_udp_sendto_port(&node.udp, answer, len, &to, to_port);
    return port_store_run(node.app.state == APP_SLEEPING, now);
}

/* Without a route, readings go only to the block store. Returns the time of the next call. */
static uint64_t measure(uint64_t now)
{
    uint64_t check = now + ROUTE_CHECK_MS;
    uint64_t due = node.app.config.keep != NULL ? app_measure(&node.app, now) : check;

    return due < check ? due : check;
}

/* Handles the received datagram and time-outs. Returns the time of the next call. */
static uint64_t run_endpoint(uint64_t now)
{
    if (node.heard_len > 0)
        app_receive(&node.app, node.heard, node.heard_len, now);
    node.heard_len = 0;
    if (!may_wake()) {
        port_awake(true);
        return measure(now);
    }
    if (app_deadline(&node.app) <= now)
        app_poll(&node.app, now);
    port_awake(node.app.state != APP_SLEEPING);
    return app_deadline(&node.app);
}

PROCESS_THREAD(sleepy_sensor_process, event, data)
{
    static int error;

    PROCESS_BEGIN();
    error = start();
    if (error != MOTE_OK) {
        printf("cannot start: error %d\n", error);
        PROCESS_EXIT();
    }
    for (;;) {
        uint64_t now = port_now();
        uint64_t deadline = run_endpoint(now);
        uint64_t block = run_store(now);

        etimer_set(&node.timer, port_ticks(now, block < deadline ? block : deadline));
        PROCESS_WAIT_EVENT();
    }
    PROCESS_END();
}
