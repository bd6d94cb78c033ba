/*
 * Replays recorded sessions with the gateway (dtls/replay.h). Counts the mote's instructions, its
 * deepest stack and the used octets of contexts and heap. Prints lines "name<TAB>value" for ./vigil
 * evaluate.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dtls_endpoint.h"
#include "measure.h"
#include "mote/base.h"
#include "replay.h"

enum { MEMORY = 16 * 1024, MEMORY_STEP = 16 };

static struct {
    struct meter meter;
    struct replay replay;
    struct dtls dtls;
    struct wire wire;
    unsigned sent; /* datagrams that the last call sent */
    const uint8_t *datagram;
    size_t len; /* of the datagram or message that the next call takes */
    size_t got; /* octets of the message that the last call returned */
    double instructions;
    uint32_t stack;
    int error;
    _Alignas(8) uint8_t memory[MEMORY];
} bench;

static void must(bool ok, const char *what)
{
    if (!ok) {
        printf("dtls: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

static int send(void *context, const uint8_t *datagram, size_t len)
{
    (void)context;
    (void)datagram;
    (void)len;
    bench.sent++;
    return MOTE_OK;
}

/* ---- what is measured ---- */

static void start(void *context)
{
    bench.error = dtls_init(&bench.dtls, context);
}

static void connect(void *context)
{
    (void)context;
    dtls_connect(&bench.dtls, 0);
}

static void receive(void *context)
{
    uint8_t message[REPLAY_ANSWER];

    (void)context;
    bench.got = dtls_receive(&bench.dtls, bench.datagram, bench.len, 0, message, sizeof message);
}

static void seal(void *context)
{
    (void)context;
    bench.error = dtls_send(&bench.dtls, bench.replay.message, bench.len);
}

static double measured(void (*work)(void *context), void *context)
{
    struct measure m = measure_call(&bench.meter, work, context);

    if (m.stack > bench.stack)
        bench.stack = m.stack;
    return m.instructions;
}

static void hear(void)
{
    bench.len = replay_next(&bench.replay, &bench.datagram);
    must(bench.len > 0, "the recorded session has no more datagrams");
}

static struct dtls_config configuration(bool connection_id, size_t memory)
{
    struct dtls_config config = replay_config(&bench.replay, connection_id);

    replay_start(&bench.replay);
    bench.wire = (struct wire){send, NULL};
    config.wire = &bench.wire;
    config.memory = bench.memory;
    config.memory_size = memory;
    return config;
}

static void shake_hands(const char *name, bool connection_id)
{
    struct dtls_config config = configuration(connection_id, MEMORY);
    double instructions = measured(start, &config);

    must(bench.error == MOTE_OK, "the memory is too small");
    instructions += measured(connect, NULL);
    while (bench.dtls.state == DTLS_CONNECTING) {
        hear();
        instructions += measured(receive, NULL);
    }
    must(bench.dtls.state == DTLS_OPEN && bench.dtls.with_id == connection_id,
         "the recorded session does not fit");
    printf("handshake%s\t%.0f\n", name, instructions);
}

/* True if this much memory is enough for a handshake and the longest message. */
static bool suffices(bool connection_id, size_t memory)
{
    const struct dtls_config config = configuration(connection_id, memory);
    bool open;

    if (dtls_init(&bench.dtls, &config) != MOTE_OK)
        return false;
    dtls_connect(&bench.dtls, 0);
    while (bench.dtls.state == DTLS_CONNECTING) {
        hear();
        receive(NULL);
    }
    open = bench.dtls.state == DTLS_OPEN &&
           dtls_send(&bench.dtls, bench.replay.message, REPLAY_MOST) == MOTE_OK;
    dtls_stop(&bench.dtls);
    return open;
}

static size_t least_memory(bool connection_id)
{
    size_t least = MEMORY_STEP, most = MEMORY;

    while (least < most) {
        size_t middle = (least + most) / 2 / MEMORY_STEP * MEMORY_STEP;
        if (suffices(connection_id, middle))
            most = middle;
        else
            least = middle + MEMORY_STEP;
    }
    return most;
}

static void exchange(const char *name)
{
    for (size_t i = 0; i < REPLAY_SIZES; i++)
        for (unsigned each = 0; each < REPLAY_EACH; each++) {
            double sealing, opening;
            bench.len = replay_sizes[i];
            sealing = measured(seal, NULL);
            must(bench.error == MOTE_OK, "a message cannot be sent");
            hear();
            opening = measured(receive, NULL);
            must(bench.got == REPLAY_ANSWER, "an answer cannot be opened");
            if (each == 0)
                printf("seal%s %u\t%.0f\nopen%s after %u\t%.0f\n", name, (unsigned)replay_sizes[i],
                       sealing, name, (unsigned)replay_sizes[i], opening);
        }
}

static void session(const char *name, const char *path, bool connection_id)
{
    must(replay_load(&bench.replay, path), "there is no recorded session");
    shake_hands(name, connection_id);
    exchange(name);
    dtls_stop(&bench.dtls);
    printf("memory%s\t%u\n", name, (unsigned)least_memory(connection_id));
}

int main(void)
{
    must(meter_calibrate(&bench.meter) == 0,
         "the board's counter does not count instructions: run it with run.sh");
    session("", "build/dtls/plain.session", false);
    session(", Connection ID", "build/dtls/cid.session", true);
    printf("stack\t%u\nendpoint memory\t%u\n", (unsigned)bench.stack,
           (unsigned)DTLS_ENDPOINT_MEMORY);
    return EXIT_SUCCESS;
}
