/*
 * A sleepy endpoint on the mote core: sleepy_endpoint HOST PORT NAME VALUE. It registers
 * (docs/protocol.md section 2.1), sends one reading as an update (section 4.1) and ends. A real one
 * sleeps between updates and keeps `flash`, which holds key and sequence numbers, over restarts.
 */
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "mote/app.h"
#include "mote/crypto_bearssl.h"

static uint8_t flash[STORAGE_SLOTS * STORAGE_SLOT_SIZE];
static uint8_t datagram[1280], received[1280], answer[1024], body[2048];

static int flash_read(void *slots, unsigned slot, size_t at, uint8_t *out, size_t len)
{
    return memcpy(out, (uint8_t *)slots + slot * STORAGE_SLOT_SIZE + at, len), MOTE_OK;
}

static int flash_write(void *slots, unsigned slot, size_t at, const uint8_t *data, size_t len)
{
    return memcpy((uint8_t *)slots + slot * STORAGE_SLOT_SIZE + at, data, len), MOTE_OK;
}

static int entropy(void *file, uint8_t *out, size_t len)
{
    return file != NULL && fread(out, 1, len, file) == len ? MOTE_OK : MOTE_E_IO;
}

static int transmit(void *fd, const uint8_t *data, size_t len)
{
    return send(*(int *)fd, data, len, 0) == (ssize_t)len ? MOTE_OK : MOTE_E_IO;
}

static int measure(void *value, struct decimal *reading)
{
    return decimal_read(value, strlen(value), reading);
}

/* The first update, or a failure, sets the exit code and so ends the program. */
static void report(void *exit_code, const struct app_event *event)
{
    printf("event %d: %s\n", event->kind, event->text != NULL ? event->text : "the registration");
    *(int *)exit_code = event->kind < APP_EVENT_SENT ? -1 : event->kind > APP_EVENT_SENT;
}

int main(int argc, char **argv)
{
    struct addrinfo hints = {.ai_socktype = SOCK_DGRAM}, *mirror;
    if (argc != 5 || getaddrinfo(argv[1], argv[2], &hints, &mirror) != 0)
        return 2;
    int fd = socket(mirror->ai_family, SOCK_DGRAM, 0), exit_code = -1;
    br_sha256_context state;
    struct sha256 hash;
    struct p256 curve;
    bearssl_sha256(&hash, &state);
    bearssl_p256(&curve, &br_ec_p256_m31);
    struct storage storage = {flash_read, flash_write, 0, memset(flash, 0xff, sizeof flash)};
    struct random random = {entropy, fopen("/dev/urandom", "r")};
    struct sensor sensor = {"temp", "temperature", "Cel", measure, argv[4], NULL};
    struct wire wire = {transmit, &fd};
    struct app_config config = {
        .ep = argv[3], .mirror = argv[1], .lifetime = 86400, .wake_ms = 60000, .confirm_every = 64,
        .sensors = &sensor, .sensor_count = 1, .storage = &storage, .random = &random,
        .hash = &hash, .curve = &curve, .report = report, .report_context = &exit_code,
        .coap = {&wire, datagram, sizeof datagram, answer, sizeof answer, COAP_SZX_MAX,
                 /* time-out, retransmissions, wait for a separate response */ 2000, 4, 10000},
        .body = body, .body_size = sizeof body};
    struct app app;
    uint64_t now = 0; /* ms spent waiting */
    if (connect(fd, mirror->ai_addr, mirror->ai_addrlen) || app_init(&app, &config) ||
        app_start(&app, now))
        return 3;
    while (exit_code < 0) {
        int wait = (int)(app_deadline(&app) - now);
        bool quiet = poll(&(struct pollfd){fd, POLLIN, 0}, 1, wait) == 0;
        ssize_t len = quiet ? 0 : recv(fd, received, sizeof received, 0);
        if (len > 0)
            app_receive(&app, received, (size_t)len, now);
        now += quiet ? (unsigned)wait : 0;
        app_poll(&app, now);
    }
    return exit_code;
}
