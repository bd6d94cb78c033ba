/*
 * Latency of frames of one security level over a relay, and their rate over one hop, on the channel
 * of air.h. The processor's time for sealing and opening a frame is an argument. Prints "mean
 * latency over two hops in us, frames a second over one hop". The frames are really sealed and
 * opened. Usage: link LEVEL PAYLOAD SEAL_US OPEN_US FRAMES SEED
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "air.h"
#include "mote/crypto_bearssl.h"

enum { SOURCE = 1, RELAY = 2, SINK = 3, PAN = 0xabcd, PAUSE_US = 100000 };

static struct {
    struct air air;
    unsigned level;
    size_t payload;
    uint64_t seal_us, open_us, seed;
    uint32_t counter;
    uint8_t target; /* of the frames: the relay, or the node behind it */
    /* The frame that a node will hand over when its processor is ready. */
    bool ready[AIR_NODES];
    uint64_t ready_at[AIR_NODES];
    unsigned arrived;
    uint64_t arrived_at;
    bool free; /* the source's last frame is acknowledged */
} run;

static br_aes_ct_cbcenc_keys aes_state;
static struct aes128 aes;

static void must(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "link: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

static void send_from(uint8_t node)
{
    uint8_t payload[FRAME_MAX] = {node}, psdu[FRAME_MAX];
    struct frame frame;

    frame_data(&frame, PAN, &run.air.links[node + 1], &run.air.links[node], (uint8_t)run.counter);
    frame.secured = run.level > 0;
    frame.security.level = (uint8_t)run.level;
    frame.security.counter = run.counter++;
    frame.payload = payload;
    frame.payload_len = run.payload;
    int len = frame.secured
                  ? frame_seal(&frame, &aes, run.air.links[node].octets, psdu, sizeof psdu)
                  : frame_write(&frame, psdu, sizeof psdu);
    must(len > 0, "a frame could not be sealed");
    air_send(&run.air, node, psdu, (size_t)len, false);
}

/* The node's processor works for `work_us` and then sends. */
static void prepare(uint8_t node, uint64_t work_us)
{
    run.ready[node] = true;
    run.ready_at[node] = run.air.now + work_us;
}

static void heard(void *context, uint8_t node, const uint8_t *psdu, size_t len)
{
    uint8_t copy[FRAME_MAX];
    struct frame frame;

    (void)context;
    memcpy(copy, psdu, len);
    must(frame_parse(&frame, copy, len) == MOTE_OK &&
             (!frame.secured || frame_open(&frame, copy, &aes, frame.src.octets) == MOTE_OK),
         "a frame could not be opened");
    if (node == run.target) {
        run.arrived++;
        run.arrived_at = run.air.now + run.open_us;
    } else {
        prepare(node, run.open_us + run.seal_us);
    }
}

static void done(void *context, uint8_t node, unsigned transmissions, bool acknowledged)
{
    (void)context;
    (void)transmissions;
    must(acknowledged, "a frame was lost");
    if (node == SOURCE)
        run.free = true;
}

static void begin(uint8_t target)
{
    const uint8_t euis[][8] = {{0}, {2, [7] = 1}, {2, [7] = 2}, {2, [7] = 3}};

    memset(&run.air, 0, sizeof run.air);
    run.air.user = (struct air_user){heard, done, NULL};
    run.air.nodes = SINK;
    run.air.dice = run.seed;
    for (uint8_t node = SOURCE; node <= SINK; node++)
        run.air.links[node] = link_extended(euis[node]);
    run.air.hears[SOURCE][RELAY] = run.air.hears[RELAY][SOURCE] = true;
    run.air.hears[RELAY][SINK] = run.air.hears[SINK][RELAY] = true;
    run.target = target;
    run.arrived = 0;
    run.free = true;
}

/* Handles one event of the air or of a processor. */
static void step(void)
{
    uint64_t event = air_next(&run.air);
    uint8_t first = 0;

    for (uint8_t node = SOURCE; node <= SINK; node++)
        if (run.ready[node] && run.ready_at[node] < event &&
            (first == 0 || run.ready_at[node] < run.ready_at[first]))
            first = node;
    if (first == 0) {
        air_step(&run.air);
        return;
    }
    run.air.now = run.ready_at[first];
    run.ready[first] = false;
    send_from(first);
}

static double latency_us(unsigned frames)
{
    uint64_t sum = 0;

    begin(SINK);
    for (unsigned i = 0; i < frames; i++) {
        uint64_t start = run.air.now += PAUSE_US;
        unsigned before = run.arrived;
        prepare(SOURCE, run.seal_us);
        while (run.arrived == before || air_next(&run.air) != UINT64_MAX)
            step();
        sum += run.arrived_at - start;
    }
    return (double)sum / frames;
}

/* The source seals the next frame when the last one is acknowledged. */
static double frames_per_second(unsigned frames)
{
    begin(RELAY);
    while (run.arrived < frames) {
        if (run.free) {
            run.free = false;
            prepare(SOURCE, run.seal_us);
        }
        step();
    }
    return frames * 1e6 / (double)run.air.now;
}

int main(int argc, char **argv)
{
    must(argc == 7, "usage: link LEVEL PAYLOAD SEAL_US OPEN_US FRAMES SEED");
    run.level = (unsigned)strtoul(argv[1], NULL, 10);
    run.payload = strtoul(argv[2], NULL, 10);
    run.seal_us = strtoull(argv[3], NULL, 10);
    run.open_us = strtoull(argv[4], NULL, 10);
    unsigned frames = (unsigned)strtoul(argv[5], NULL, 10);
    run.seed = strtoull(argv[6], NULL, 10);
    must(run.level < 8 && run.payload <= 80 && frames > 0 && run.seed > 0,
         "a number is out of range");
    bearssl_aes128_forward(&aes, &aes_state);
    aes.set_key(aes.context, (const uint8_t[16]){0});
    double latency = latency_us(frames);
    printf("%.1f\t%.3f\n", latency, frames_per_second(frames));
    return EXIT_SUCCESS;
}
