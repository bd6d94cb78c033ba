/*
 * Measures operations and whole wake-ups on this processor: instructions, octets on the air and
 * stack. Prints lines "name<TAB>value", which bench/cortex.sh compares with the papers' figures.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "mirror.h"
#include "nv.h"
#include "operations.h"

enum { UPDATES = 32, WAKE_MS = 60000, PHY_HEADER = 6, ACK_OCTETS = 5 };

/* Octets on the air in one wake-up, including PHY headers and acknowledgements. */
struct air {
    unsigned sent, heard;
};

static struct {
    struct bench operations;
    struct meter meter;
    struct endpoint endpoint;
    struct mirror mirror;
    br_sha256_context hash_state;
    struct sha256 hash;
    br_aes_ct_cbcenc_keys aes_state;
    struct aes128 aes;
    uint64_t now;
    struct air air;
    double instructions;
    uint32_t stack; /* the deepest so far */
    int error;      /* returned or reported by a measured call */
} bench;

struct run {
    const struct operation *operation;
};

static void fail(const char *what)
{
    printf("bench: %s\n", what);
    exit(EXIT_FAILURE);
}

static void run_operation(void *context)
{
    const struct run *run = context;

    run->operation->work(&bench.operations);
}

static void measure_operations(void)
{
    bearssl_p256(&bench.operations.p256, &br_ec_p256_m31);
    bench_prepare(&bench.operations);
    for (size_t i = 0; i < OPERATIONS; i++) {
        struct run run = {&operations[i]};
        struct measure measured = measure_call(&bench.meter, run_operation, &run);

        printf("%s\t%.0f\t%u\n", operations[i].name, measured.instructions,
               (unsigned)measured.stack);
    }
}

static int reading(void *context, struct decimal *value)
{
    (void)context;
    *value = (struct decimal){231, 1};
    return MOTE_OK;
}

static void report(void *context, const struct app_event *event)
{
    (void)context;
    if (event->kind != APP_EVENT_KEY && event->kind != APP_EVENT_MIRROR &&
        event->kind != APP_EVENT_REGISTERED && event->kind != APP_EVENT_SENT) {
        printf("event %d error %d code %d\n", (int)event->kind, event->error, event->code);
        bench.error = -1;
    }
}

static void start(void *context)
{
    bench.error = endpoint_start(&bench.endpoint, context, bench.now);
}

/* Handles one frame; NULL: only time-outs. */
static void turn(void *context)
{
    const struct mirror_frame *frame = context;

    endpoint_turn(&bench.endpoint, frame == NULL ? NULL : frame->psdu,
                  frame == NULL ? 0 : frame->len, bench.now);
}

static void measured(void (*work)(void *context), void *context)
{
    struct measure m = measure_call(&bench.meter, work, context);

    bench.instructions += m.instructions;
    if (m.stack > bench.stack)
        bench.stack = m.stack;
    if (bench.error != 0)
        fail("the endpoint failed");
}

static unsigned on_air(const struct mirror_frame *frames, size_t count)
{
    unsigned octets = 0;

    for (size_t i = 0; i < count; i++)
        octets += PHY_HEADER + (unsigned)frames[i].len + FRAME_FCS_SIZE;
    return octets;
}

/* Runs from wake-up to sleep. Time stands still: the mirror answers at once. */
static void wake_up(void)
{
    struct mirror *mirror = &bench.mirror;

    bench.now = app_deadline(&bench.endpoint.app);
    bench.air = (struct air){0, 0};
    bench.instructions = 0;
    measured(turn, NULL);
    while (mirror->inbox_len > 0) {
        bench.air.sent += on_air(mirror->inbox, mirror->inbox_len);
        bench.air.heard += (unsigned)mirror->inbox_len * (PHY_HEADER + ACK_OCTETS);
        if (mirror_turn(mirror) != 0)
            fail("the mirror could not read what the endpoint sent");
        bench.air.heard += on_air(mirror->outbox, mirror->outbox_len);
        bench.air.sent += (unsigned)mirror->outbox_len * (PHY_HEADER + ACK_OCTETS);
        for (size_t i = 0; i < mirror->outbox_len; i++)
            measured(turn, &mirror->outbox[i]);
        mirror->outbox_len = 0;
    }
    if (bench.endpoint.app.state != APP_SLEEPING)
        fail("the endpoint does not sleep after its wake-up");
}

static struct endpoint_parts parts(bool encrypt)
{
    bearssl_sha256(&bench.hash, &bench.hash_state);
    bearssl_aes128_forward(&bench.aes, &bench.aes_state);
    memset(&nv, 0xff, sizeof nv);
    memset(nv.seed, 1, sizeof nv.seed);
    return (struct endpoint_parts){.ep = "cortex-m",
                                   .own = {2, 0, 0, 0, 0, 0, 0, 1},
                                   .mirror = {2, 0, 0, 0, 0, 0, 0, 2},
                                   .radio = &bench.mirror.from_mote,
                                   .encryption = encrypt ? &app_encryption : NULL,
                                   .aes = &bench.aes,
                                   .storage = nv_storage(),
                                   .random = nv_random(&bench.hash),
                                   .hash = bench.hash,
                                   .sensor = {"temperature", "temperature", "Cel", reading, NULL},
                                   .wake_ms = WAKE_MS,
                                   .report = report};
}

static void print_wake_up(const char *name, double instructions, const struct air *air)
{
    printf("%s\t%.0f\t%u\t%u\n", name, instructions, air->sent, air->heard);
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Runs an endpoint from its first start, which makes its key pair. The first wake-up registers, the
 * others update. */
static void measure_endpoint(const char *registering, const char *updating, bool encrypt)
{
    static double instructions[UPDATES];
    struct endpoint_parts given = parts(encrypt);
    double starting;

    mirror_init(&bench.mirror, given.mirror, given.own);
    bench.instructions = 0;
    measured(start, &given);
    starting = bench.instructions;
    wake_up(); /* with the registration */
    print_wake_up(registering, bench.instructions, &bench.air);
    printf("start before the %s\t%.0f\n", registering, starting);
    for (int i = 0; i < UPDATES; i++) {
        wake_up();
        instructions[i] = bench.instructions;
    }
    if (bench.mirror.updates != UPDATES + 1)
        fail("the mirror did not get every update");
    qsort(instructions, UPDATES, sizeof instructions[0], by_value);
    print_wake_up(updating, instructions[UPDATES / 2], &bench.air);
}

int main(void)
{
    if (meter_calibrate(&bench.meter) != 0)
        fail("the board's counter does not count instructions: run it with run.sh");
    measure_operations();
    measure_endpoint("registering wake-up", "updating wake-up", false);
    measure_endpoint("registering wake-up, agreeing on a key", "updating wake-up, encrypting",
                     true);
    printf("endpoint stack\t%u\n", (unsigned)bench.stack);
    return EXIT_SUCCESS;
}
