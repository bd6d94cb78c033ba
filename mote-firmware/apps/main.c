/*
 * vigil-mote: the sleepy endpoint as a process with one thread and one ppoll. While the endpoint
 * sleeps, its socket is not read, because a mote's radio would be off. Datagrams received meanwhile
 * are discarded at wake-up.
 */
#define _GNU_SOURCE /* ppoll: POSIX has it since 2024 only */
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "associations.h"
#include "equipment.h"
#include "events.h"
#include "mesh_link.h"
#include "mote/crypto_bearssl.h"
#include "options.h"
#include "port.h"
#include "stop.h"
#include "radio_link.h"
#include "radio_values.h"
#include "secure.h"
#include "served.h"
#include "store_service.h"

enum {
    EXIT_OK = 0,
    EXIT_REFUSED = 1, /* the mirror accepted nothing */
    EXIT_USAGE = 2,
    EXIT_FAILED = 3, /* a file, a socket or the entropy source */
    PROBLEM_SIZE = 512,
    /* 512 octets: about seven frames, which small neighbours can reassemble, and a DTLS record. */
    RADIO_SZX = 5,
    BODY_SIZE = 2048,
    ANSWER_SIZE = 1024
};

/* All state of the process; owned by main. */
struct mote {
    struct options options;
    struct app app;
    struct equipment equipment;
    struct state_file file;
    char state_path[APP_EP_MAX + 8];
    struct storage storage;
    struct udp_link udp;
    struct radio_link radio;
    struct mesh_link mesh;
    struct served served;
    struct storage counter_storage;
    struct counter_store counters;
    struct associations associations;
    struct store_service store;
    bool was_ready;
    struct link link;
    struct secure secure;
    br_sha256_context hash_state;
    struct sha256 hash;
    struct p256 curve;
    struct bearssl_aes128 aes_state;
    struct aes128 aes;
    struct random random;
    struct wall_clock clock;
    struct events events;
    uint8_t datagram[LINK_DATAGRAM_MAX];
    uint8_t answer[ANSWER_SIZE];
    uint8_t body[BODY_SIZE];
};

static int fail(const char *problem)
{
    fprintf(stderr, "vigil-mote: %s\n", problem);
    return EXIT_FAILED;
}

static void report(void *context, const struct app_event *event)
{
    struct mote *mote = context;

    events_print(&mote->events, event);
    if (mote->options.store_count > 0 && event->kind == APP_EVENT_SENT && event->code != 0)
        store_service_acknowledged(&mote->store, event->text);
}

static struct app_config configuration(struct mote *mote)
{
    const struct options *options = &mote->options;

    return (struct app_config){
        .ep = options->ep,
        .domain = options->domain,
        .mirror = options->mirror,
        .mirror_jkt = options->mirror_jkt,
        .lifetime = options->lifetime,
        .wake_ms = options->wake_ms,
        .backoff_max_ms = 60 * 1000,
        .listen_ms = options->listen_ms,
        .confirm_every = 64,
        .form = options->form,
        .cbor = options->cbor,
        .sensors = mote->equipment.sensors,
        .sensor_count = mote->equipment.sensor_count,
        .commands = options->commander_count > 0 ? &app_commands : NULL,
        .check_every = options->check_every,
        .actuators = mote->equipment.actuators,
        .actuator_count = options->actuator_count,
        .commanders = (const uint8_t(*)[P256_PUBLIC_SIZE])mote->equipment.commanders,
        .commander_count = options->commander_count,
        .encryption = options->encrypt ? &app_encryption : NULL,
        .aes = &mote->aes,
        .storage = &mote->storage,
        .random = &mote->random,
        .hash = &mote->hash,
        .curve = &mote->curve,
        .clock = options->no_clock ? NULL : &mote->clock,
        .coap = {.wire = &mote->link.wire,
                 .datagram = mote->datagram,
                 .datagram_size = sizeof mote->datagram,
                 .answer = mote->answer,
                 .answer_size = sizeof mote->answer,
                 .block_szx = options->radio || options->psk != NULL ? RADIO_SZX : COAP_SZX_MAX,
                 .ack_timeout_ms = 2000,
                 .max_retransmit = 2,
                 .separate_ms = 10 * 1000},
        .body = mote->body,
        .body_size = sizeof mote->body,
        .keep = options->store_count > 0 ? store_service_keep : NULL,
        .keep_context = &mote->store,
        .report = report,
        .report_context = mote};
}

static bool open_counters(struct mote *mote, char *problem, size_t size)
{
    int error;

    mote->counter_storage = state_file_counters(&mote->file);
    error = counter_store_open(&mote->counters, &mote->counter_storage);
    if (error != MOTE_OK)
        snprintf(problem, size, "the counters in %s: %s; do not restore a copy: it has older ones",
                 mote->events.state, events_explain(error));
    return error == MOTE_OK;
}

static bool secure_link(struct mote *mote, struct mesh_security *security, char *problem,
                        size_t size)
{
    const struct options *options = &mote->options;

    *security = (struct mesh_security){
        .level = options->link_level, .aes = &mote->aes, .counters = &mote->counters};
    if (options->link_key != NULL && !radio_key_read(options->link_key, security->key)) {
        snprintf(problem, size, "--link-key: give 32 hexadecimal digits, or a file of them");
        return false;
    }
    if (options->link_key == NULL && options->sa == NULL)
        return true;
    if (!open_counters(mote, problem, size))
        return false;
    /* Associations may need the entries that a new link key frees. A link key that finds no free
     * entry begins below, in that of a former association. */
    if (options->link_key != NULL)
        (void)link_counters_begin(&mote->counters, &mote->aes, security->key);
    if (options->sa != NULL &&
        associations_open(&mote->associations, options->sa, options->new_sa, &mote->counters,
                          &mote->aes, &mote->hash, problem, size) != 0)
        return false;
    if (options->link_key == NULL ||
        link_counters_begin(&mote->counters, &mote->aes, security->key) == MOTE_OK)
        return true;
    snprintf(problem, size, "--link-key: its counter cannot be stored in the state file");
    return false;
}

static int open_mesh(struct mote *mote, const struct ipv6_address *mirror, char *problem,
                     size_t size)
{
    const struct options *options = &mote->options;
    struct mesh_security security;
    int error = -1;

    if (secure_link(mote, &security, problem, size))
        error =
            mesh_link_open(&mote->mesh, options->ether_host, options->ether_port, options->eui64,
                           mirror, (uint16_t)strtoul(options->mirror_port, NULL, 10),
                           options->link_key != NULL ? &security : NULL, &mote->random,
                           monotonic_ms(), &mote->link, problem, size);
    wipe(&security, sizeof security);
    if (error != 0)
        return -1;
    if (options->sa != NULL)
        associations_apply(&mote->associations, &mote->mesh.net);
    if (options->store_count > 0 &&
        store_service_open(&mote->store, options, &mote->associations, &mote->equipment,
                           &mote->mesh, problem, size) != 0)
        return -1;
    served_init(&mote->served, options->serve ? &mote->equipment : NULL,
                options->store_count > 0 ? &mote->store : NULL, options->ep);
    if (options->serve || options->store_count > 0)
        mote->mesh.server = &mote->served.server;
    mote->mesh.echo = options->echo;
    mote->mesh.net.ipsec_compressed = options->nhc;
    mote->mesh.net.number_octets = options->sn_octets;
    return 0;
}

static int open_plain_link(struct mote *mote, char *problem, size_t size)
{
    struct options *options = &mote->options;
    struct ipv6_address mirror;

    if (!options->radio)
        return udp_link_open(&mote->udp, options->mirror_host, options->mirror_port, &mote->link,
                             problem, size);
    if (!options->eui64_given)
        radio_address(&mote->hash, options->ep, options->eui64);
    memcpy(mirror.octets, options->mirror_address, sizeof mirror.octets);
    if (options->mesh)
        return open_mesh(mote, &mirror, problem, size);
    return radio_link_open(&mote->radio, options->ether_host, options->ether_port, options->eui64,
                           &mirror, (uint16_t)strtoul(options->mirror_port, NULL, 10),
                           &mote->random, &mote->link, problem, size);
}

static int open_link(struct mote *mote, char *problem, size_t size)
{
    const struct options *options = &mote->options;
    int error = open_plain_link(mote, problem, size);

    if (error == 0 && options->psk != NULL)
        error = secure_open(&mote->secure, options->psk, options->mirror, &mote->random,
                            &mote->link, problem, size);
    return error;
}

/* Opens files and links and starts the endpoint. Returns an exit code. */
static int prepare(struct mote *mote)
{
    const struct options *options = &mote->options;
    char problem[PROBLEM_SIZE];
    struct app_config config;
    int error;

    mote->file.fd = -1;
    bearssl_sha256(&mote->hash, &mote->hash_state);
    bearssl_aes128(&mote->aes, &mote->aes_state);
    bearssl_p256(&mote->curve, &br_ec_p256_m31);
    mote->random = (struct random){.fill = random_fill};
    mote->clock = (struct wall_clock){.read = wall_clock_read};
    snprintf(mote->state_path, sizeof mote->state_path, "%s.state", options->ep);
    mote->events =
        (struct events){.mirror = options->mirror,
                        .state = options->state != NULL ? options->state : mote->state_path};
    if (!equip(&mote->equipment, options, &mote->app.config.wake_ms))
        return EXIT_USAGE;
    if (state_file_open(&mote->file, mote->events.state, &mote->storage, problem, sizeof problem) !=
            0 ||
        open_link(mote, problem, sizeof problem) != 0)
        return fail(problem);
    config = configuration(mote);
    error = app_init(&mote->app, &config);
    if (error != MOTE_OK) {
        fprintf(stderr,
                "vigil-mote: a sensor's name or unit, or the domain, has invalid characters "
                "or is too long: %s\n",
                events_explain(error));
        return EXIT_USAGE;
    }
    error = app_start(&mote->app, monotonic_ms());
    if (error == MOTE_OK)
        return EXIT_OK;
    fprintf(stderr,
            "vigil-mote: %s: %s; restore it from a copy, or remove it to start as a new endpoint, "
            "which the mirror's operator has to accept\n",
            mote->events.state, events_explain(error));
    return EXIT_FAILED;
}

/* Waits for `deadline` (ms), for a signal and, if `listen`, for a datagram. */
static void wait_for(const struct mote *mote, bool listen, uint64_t deadline, const sigset_t *mask)
{
    uint64_t now = monotonic_ms();
    uint64_t pause = deadline > now ? deadline - now : 0;
    struct pollfd poller = {.fd = listen ? mote->link.fd : -1, .events = POLLIN};
    struct timespec timeout;

    if (pause > 24 * 3600 * 1000)
        pause = 24 * 3600 * 1000;
    timeout.tv_sec = (time_t)(pause / 1000);
    timeout.tv_nsec = (long)(pause % 1000) * 1000000;
    (void)ppoll(&poller, 1, &timeout, mask);
}

static void receive_all(struct mote *mote, bool awake)
{
    uint8_t datagram[LINK_DATAGRAM_MAX];
    size_t len;

    while ((len = mote->link.receive(mote->link.context, datagram, sizeof datagram,
                                     monotonic_ms())) > 0)
        if (awake)
            app_receive(&mote->app, datagram, len, monotonic_ms());
}

static bool finished(const struct mote *mote)
{
    return stop_is_requested() ||
           (mote->options.count > 0 && mote->app.wake_ups >= mote->options.count &&
            mote->app.state == APP_SLEEPING && !mote->link.busy(mote->link.context));
}

/* Wake-ups wait for a route to the mirror; without one the signature would be wasted. */
static bool may_wake(struct mote *mote)
{
    bool ready = mote->link.ready == NULL || mote->link.ready(mote->link.context);

    if (mote->options.mesh && ready != mote->was_ready)
        events_mesh(ready ? net_address(&mote->mesh.net).octets : NULL);
    mote->was_ready = ready;
    return ready || mote->app.state != APP_SLEEPING;
}

/* Without a route, readings go only to the block store. */
static uint64_t next_wake_up(struct mote *mote)
{
    if (may_wake(mote))
        return app_deadline(&mote->app);
    return mote->options.store_count > 0 ? app_measure(&mote->app, monotonic_ms()) : UINT64_MAX;
}

static void run(struct mote *mote, const sigset_t *mask)
{
    while (!finished(mote)) {
        uint64_t link_deadline = mote->link.tick(mote->link.context, monotonic_ms());
        uint64_t deadline = next_wake_up(mote);
        bool asleep = mote->app.state == APP_SLEEPING && !mote->link.awake &&
                      !mote->link.busy(mote->link.context);

        wait_for(mote, !asleep, link_deadline < deadline ? link_deadline : deadline, mask);
        receive_all(mote, !asleep);
        /* A received datagram may have ended the last wake-up: do not start another. */
        if (!finished(mote) && may_wake(mote))
            app_poll(&mote->app, monotonic_ms());
        if (mote->options.store_count > 0 && mote->app.state == APP_SLEEPING)
            store_service_settle(&mote->store);
    }
}

int main(int argc, char **argv)
{
    static struct mote mote;
    sigset_t unblocked;
    int code;

    switch (options_read(&mote.options, argc, argv)) {
    case OPTIONS_HELP:
        return EXIT_OK;
    case OPTIONS_WRONG:
        return EXIT_USAGE;
    case OPTIONS_RUN:
        break;
    }
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    stop_catch(&unblocked);
    code = prepare(&mote);
    if (code == EXIT_OK) {
        run(&mote, &unblocked);
        if (mote.app.accepted == 0 && !stop_is_requested()) {
            fprintf(stderr, "vigil-mote: %s accepted none of the readings\n", mote.options.mirror);
            code = EXIT_REFUSED;
        }
        if (mote.options.sa != NULL)
            associations_report(&mote.associations);
    }
    store_service_close(&mote.store);
    app_stop(&mote.app);
    secure_close(&mote.secure);
    state_file_close(&mote.file);
    return code;
}
