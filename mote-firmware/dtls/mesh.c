/*
 * Sessions over a line of six hops in virtual time (bench/mesh.h). The mote at each hop performs a
 * handshake with the host behind the root and sends messages. The host answers each of them as the
 * gateway did when the session was recorded (replay.h). The same messages are sent under ESP, with
 * existing associations. Prints lines of medians, separated by tabs: "what, protection, hops, size,
 * times, frames and octets on the air, response in us, us that the mote sent and received, us that
 * all motes sent and received". Processor time is not included. Usage: dtls-mesh SEED FILE
 * FILE_WITH_CONNECTION_ID
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/mesh.h"
#include "replay.h"

enum { COAP = 5683, COAPS = 5684, HOPS = 6, PAUSE_US = 50000, LOST_AFTER_US = 5000000 };

static struct {
    struct mesh mesh;
    struct replay replay;
    struct dtls dtls;
    struct wire wire;
    bool secure;
    uint8_t id; /* the active mote */
    uint8_t last[DTLS_DATAGRAM_MAX];
    size_t last_len;
    _Alignas(8) uint8_t memory[DTLS_MEMORY];
} world;

static uint64_t now_ms(void)
{
    return world.mesh.air.now / 1000;
}

/* Sends the host's answer. A datagram that arrives twice, because an acknowledgement was lost, is
 * answered once. */
static void host_takes(struct mesh *mesh, uint8_t from, const struct udp *udp)
{
    static const uint8_t plain[REPLAY_ANSWER];
    struct udp answer = {COAP, COAP, plain, sizeof plain};

    if (world.secure) {
        mesh_must(udp->payload_len <= sizeof world.last, "a datagram is too long");
        if (udp->payload_len == world.last_len &&
            memcmp(udp->payload, world.last, world.last_len) == 0)
            return;
        world.last_len = udp->payload_len;
        memcpy(world.last, udp->payload, udp->payload_len);
        answer.src_port = COAPS;
        answer.payload_len = replay_next(&world.replay, &answer.payload);
        mesh_must(answer.payload_len > 0, "the recorded session has no more datagrams");
    }
    mesh_host_sends(mesh, from, &answer);
}

static void mote_takes(struct mesh *mesh, uint8_t id, const struct net_datagram *datagram)
{
    uint8_t message[REPLAY_MOST];
    bool opening = world.dtls.state == DTLS_CONNECTING;
    size_t len = datagram->udp.payload_len;

    (void)id;
    if (world.secure)
        len = dtls_receive(&world.dtls, datagram->udp.payload, len, now_ms(), message,
                           sizeof message);
    mesh->done = len == REPLAY_ANSWER || (opening && world.dtls.state != DTLS_CONNECTING);
}

static const struct mesh_user ends = {.host = host_takes, .mote = mote_takes};

static int from_mote(void *context, const uint8_t *datagram, size_t len)
{
    const struct udp udp = {COAP, world.secure ? COAPS : COAP, datagram, len};

    (void)context;
    mesh_mote_sends(&world.mesh, world.id, &udp);
    return MOTE_OK;
}

/* Measured quantities, in the order in which they are printed. */
enum metric { FRAMES, OCTETS, RESPONSE, MOTE_TX, MOTE_RX, ALL_TX, ALL_RX, METRICS };

struct cell {
    double values[METRICS][REPLAY_EACH];
    unsigned times;
};

/* Runs the exchange that `begin` starts until it is done, and keeps its values. */
static void measure(struct cell *cell, void (*begin)(size_t size), size_t size)
{
    struct mesh *mesh = &world.mesh;
    struct air *air = &mesh->air;
    double values[METRICS];
    uint32_t frames, octets;
    uint64_t start;

    mesh->done = false;
    mesh_live(mesh, air->now + PAUSE_US);
    mesh_clear_times(mesh);
    frames = air->data_frames;
    octets = air->data_octets;
    start = air->now;
    begin(size);
    mesh_live(mesh, start + LOST_AFTER_US);
    mesh_must(mesh->done, "an answer was lost");
    values[FRAMES] = air->data_frames - frames;
    values[OCTETS] = air->data_octets - octets;
    values[RESPONSE] = (double)(air->now - start);
    /* The last acknowledgement is still on the air. */
    mesh->done = false;
    mesh_live(mesh, air->now + PAUSE_US);
    values[MOTE_TX] = (double)air->tx_us[world.id];
    values[MOTE_RX] = (double)air->rx_us[world.id];
    values[ALL_TX] = (double)mesh_sum(mesh, air->tx_us, MESH_ROOT + 1);
    values[ALL_RX] = (double)mesh_sum(mesh, air->rx_us, MESH_ROOT + 1);
    for (unsigned metric = 0; metric < METRICS; metric++)
        cell->values[metric][cell->times] = values[metric];
    cell->times++;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Prints medians, because few repetitions have an RPL message or a retransmitted frame. */
static void print(const char *what, const char *protection, size_t size, struct cell *cell)
{
    printf("%s\t%s\t%u\t%zu\t%u", what, protection, world.id - 1U, size, cell->times);
    for (unsigned metric = 0; metric < METRICS; metric++) {
        qsort(cell->values[metric], cell->times, sizeof(double), by_value);
        printf("\t%.1f", cell->values[metric][(cell->times - 1) / 2]);
    }
    printf("\n");
}

static void shake_hands(size_t size)
{
    (void)size;
    dtls_connect(&world.dtls, now_ms());
}

static void say(size_t size)
{
    int error = world.secure ? dtls_send(&world.dtls, world.replay.message, size)
                             : from_mote(NULL, world.replay.message, size);

    mesh_must(error == MOTE_OK, "a message cannot be sent");
}

static void open_session(struct cell *cell, bool connection_id)
{
    struct dtls_config config = replay_config(&world.replay, connection_id);

    world.wire = (struct wire){from_mote, NULL};
    config.wire = &world.wire;
    config.memory = world.memory;
    config.memory_size = sizeof world.memory;
    world.last_len = 0;
    mesh_must(dtls_init(&world.dtls, &config) == MOTE_OK, "the memory for DTLS is too small");
    measure(cell, shake_hands, 0);
    mesh_must(world.dtls.state == DTLS_OPEN && world.dtls.with_id == connection_id,
              "the recorded session does not fit");
}

/* Repeats the same handshake; the last session stays open. */
static void open_sessions(const char *protection, bool connection_id, uint64_t seed)
{
    struct cell cell = {.times = 0};

    while (cell.times < REPLAY_EACH) {
        if (cell.times > 0)
            dtls_stop(&world.dtls);
        replay_start(&world.replay);
        world.mesh.air.dice = seed + cell.times + 1;
        open_session(&cell, connection_id);
    }
    print("handshake", protection, 0, &cell);
}

static void run(const char *protection, bool secure, bool connection_id, uint64_t seed)
{
    static const uint8_t line[] = {0, 0, 1, 2, 3, 4, 5, 6};

    world.secure = secure;
    mesh_begin(&world.mesh, &ends, HOPS + 1, line, secure ? MESH_PLAIN : MESH_ESP, seed,
               AIR_ALWAYS_ON);
    mesh_form(&world.mesh, line);
    for (world.id = MESH_ROOT + 1; world.id <= HOPS + 1; world.id++) {
        replay_start(&world.replay);
        if (secure)
            open_sessions(protection, connection_id, seed);
        for (size_t i = 0; i < REPLAY_SIZES; i++) {
            struct cell cell = {.times = 0};
            for (unsigned each = 0; each < REPLAY_EACH; each++) {
                /* The same backoffs for every protection. */
                world.mesh.air.dice = seed + each + 1;
                measure(&cell, say, replay_sizes[i]);
            }
            print("message", protection, replay_sizes[i], &cell);
        }
        if (secure)
            dtls_stop(&world.dtls);
    }
}

int main(int argc, char **argv)
{
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;

    mesh_must(argc == 4 && seed > 0, "usage: dtls-mesh SEED FILE FILE_WITH_CONNECTION_ID");
    run("ESP", false, false, seed);
    mesh_must(replay_load(&world.replay, argv[2]), "there is no recorded session");
    run("DTLS", true, false, seed);
    mesh_must(replay_load(&world.replay, argv[3]), "there is no recorded session with its ID");
    run("DTLS with Connection ID", true, true, seed);
    return EXIT_SUCCESS;
}
