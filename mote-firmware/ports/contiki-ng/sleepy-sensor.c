/*
 * A sleepy endpoint under Contiki-NG: joins the RPL mesh, registers, wakes, measures, signs, hands
 * over (core/app). Its CoAP is the core's, over simple-udp: Contiki-NG's client matches answers by
 * message id, has neither Block1 nor Echo, and never ends an unanswered NON request.
 *
 * One process. The UDP callback only copies and polls it, since what it hands over lies in the
 * buffer that an answer is sent from.
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

#if CONTIKI_TARGET_CC2538DK || CONTIKI_TARGET_ZOUL
#include "dev/cc2538-sensors.h"
#endif

enum {
    MIRROR_PORT = 5683,
    LIFETIME_S = 24 * 3600,
    SLOW_MS = 60 * 1000,
    LISTEN_MS = 2000,    /* an answer comes over several hops */
    LOOK_AGAIN_MS = 500, /* for a way to the root */
    BLOCK_SZX = 4,       /* 256 octets: each datagram in four frames */
    DATAGRAM_SIZE = 384,
    ANSWER_SIZE = 304,
    BODY_SIZE = 704
};

static struct {
    struct app app;
    struct sensor sensor;
    struct storage storage;
    struct random random;
    struct sha256 hash;
    struct p256 curve;
    struct wire wire;
    struct simple_udp_connection udp;
    uip_ipaddr_t mirror;
    struct etimer timer;
    bool ready;
    char ep[APP_EP_MAX + 1];
    uint8_t heard[DATAGRAM_SIZE]; /* waits for the process, if heard_len */
    uint16_t heard_len;
    uint8_t datagram[DATAGRAM_SIZE];
    uint8_t answer[ANSWER_SIZE];
    uint8_t body[BODY_SIZE];
} node;

PROCESS(sleepy_sensor_process, "sleepy sensor");
AUTOSTART_PROCESSES(&sleepy_sensor_process);

/* ---- the wire ---- */

static int send(void *context, const uint8_t *datagram, size_t len)
{
    (void)context;
    simple_udp_sendto(&node.udp, datagram, (uint16_t)len, &node.mirror);
    return MOTE_OK;
}

static void received(struct simple_udp_connection *udp, const uip_ipaddr_t *from,
                     uint16_t from_port, const uip_ipaddr_t *to, uint16_t to_port,
                     const uint8_t *data, uint16_t len)
{
    (void)udp;
    (void)to;
    (void)to_port;
    if (!uip_ipaddr_cmp(from, &node.mirror) || from_port != MIRROR_PORT || node.heard_len > 0 ||
        len > sizeof node.heard)
        return;
    memcpy(node.heard, data, len);
    node.heard_len = len;
    process_poll(&sleepy_sensor_process);
}

/* ---- what is measured ---- */

#if CONTIKI_TARGET_CC2538DK || CONTIKI_TARGET_ZOUL
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
/* A simulated mote has nothing to measure but how long it has been running. */
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

/* ---- what is told ---- */

static void print_code(uint8_t code)
{
    printf(" %d.%02d", code >> 5, code & 31);
}

/* Keys have been made, used and checked by now: it will not become less. */
static void print_stack(void)
{
#if CONTIKI_TARGET_CC2538DK || CONTIKI_TARGET_ZOUL
    printf(", %lu octets of stack to spare", (unsigned long)port_stack_unused());
#endif
}

static const char *subject(const struct app_event *event)
{
    return event->text != NULL ? event->text : "the registration";
}

static void report(void *context, const struct app_event *event)
{
    (void)context;
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
    case APP_EVENT_COMMAND: /* none are asked for */
        printf("command %lu at %s: %d", (unsigned long)event->seq, event->text, event->error);
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

static void tell_way(void)
{
    const uip_ds6_addr_t *address = uip_ds6_get_global(ADDR_PREFERRED);
    char text[UIPLIB_IPV6_MAX_STR_LEN];

    if (!node.ready || address == NULL) {
        printf("the way to the root is lost\n");
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
                               .lifetime = LIFETIME_S,
                               .wake_ms = (uint64_t)MOTE_CONF_WAKE * 1000,
                               .slow_ms = SLOW_MS,
                               .listen_ms = LISTEN_MS,
                               .confirm_every = 64,
                               .form = APP_FORM_COMPACT,
                               .cbor = true,
                               .sensors = &node.sensor,
                               .sensor_count = 1,
                               .storage = &node.storage,
                               .random = &node.random,
                               .hash = &node.hash,
                               .curve = &node.curve,
                               .coap = {.wire = &node.wire,
                                        .datagram = node.datagram,
                                        .datagram_size = sizeof node.datagram,
                                        .answer = node.answer,
                                        .answer_size = sizeof node.answer,
                                        .block_szx = BLOCK_SZX,
                                        .ack_timeout_ms = 2000,
                                        .max_retransmit = 2,
                                        .separate_ms = 10 * 1000},
                               .body = node.body,
                               .body_size = sizeof node.body,
                               .report = report};
}

#if CONTIKI_TARGET_NATIVE
static void name_node(struct app_config *config)
{
    const struct native_options *options = native_options();

    native_start();
    config->ep = options->ep;
    config->mirror = options->mirror;
    config->wake_ms = options->wake_ms;
}
#else
static void name_node(struct app_config *config)
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

static int start(void)
{
    struct app_config config;
    int error;

    node.storage = port_storage(PORT_STATE);
    node.random = port_random();
    node.hash = port_sha256();
    node.curve = port_p256();
    node.wire = (struct wire){.send = send};
    if (!find_sensor())
        return MOTE_E_UNSUPPORTED;
    config = configuration();
    name_node(&config);
    if (!uiplib_ipaddrconv(config.mirror, &node.mirror) ||
        !simple_udp_register(&node.udp, MIRROR_PORT, NULL, MIRROR_PORT, received))
        return MOTE_E_MALFORMED;
    error = app_init(&node.app, &config);
    return error == MOTE_OK ? app_start(&node.app, port_now()) : error;
}

/* Without a way to the mirror a wake-up would only cost a signature: it waits for one. */
static bool may_wake(void)
{
    bool ready = NETSTACK_ROUTING.node_is_reachable() || uip_is_addr_linklocal(&node.mirror);

    if (ready != node.ready) {
        node.ready = ready;
        tell_way();
    }
    return ready || node.app.state != APP_SLEEPING;
}

/* What has come and what is due; when it wants to be called again. */
static uint64_t turn(uint64_t now)
{
    if (node.heard_len > 0)
        app_receive(&node.app, node.heard, node.heard_len, now);
    node.heard_len = 0;
    if (!may_wake()) {
        port_awake(true);
        return now + LOOK_AGAIN_MS;
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

        etimer_set(&node.timer, port_ticks(now, turn(now)));
        PROCESS_WAIT_EVENT();
    }
    PROCESS_END();
}
