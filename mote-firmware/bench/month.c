/*
 * The motes of the simulated month (docs/testing.md): whole stations (station.h) on a mesh in
 * virtual time. The host behind the root is the parent process, which advances the time and decides
 * all events. It writes commands to standard input and reads answers from standard output. Nothing
 * happens in between, so the same commands repeat a run exactly.
 *
 * A command is an octet, the number of octets that follow (2), and these; numbers are little-endian
 * and texts end with a zero.
 *
 * - M: mote, wake in ms (4), lifetime in s (4), listen in ms (4), wake-ups between checks for
 *   commands (2), flags (1 clock, 2 compact form, 4 CBOR, 8 encryption), number of sensors, texts
 *   name, domain, file of associations, file of the block store; commanders' keys of 64 octets each
 * - O: mote, flags (1: its associations were never used, 2: its flash is erased before, 4: is put
 *   back to an older state before): power comes
 * - X: mote: power goes
 * - C: mote, 0 or 1 (identity or counters), number of the write (2), its octets (2), rest: power
 *   goes within that write to flash; rest is an enum fake_rest
 * - K: mote: it changes its key
 * - W: mote, unix time in seconds (8) that its clock shows at the time 0
 * - L: frames lost of a million (4)
 * - P: a packet of the host's
 * - R: time in microseconds (8): runs until then, or until the host has to do something
 *
 * R alone is answered: the number of octets (4), the time (8), and records: an octet, the time (8),
 * mote, number of octets (2), and these.
 *
 * - P: a packet for the host
 * - E: enum app_event_kind, number (8), code, whether confirmable, error (1, negative), text: an
 *   event of the endpoint
 * - S: sensor, value (8): it has measured
 * - A: payload: it has carried out a command
 * - D: power went within a write
 * - Z: error (1): the mote does not start
 *
 * Usage: month SEED MOTES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mote/base.h"
#include "station.h"

enum {
    COMMAND_MAX = 2048,
    OUT_MAX = 1 << 20,
    OUT_ROOM = 4096, /* of what one step may write */
    HEAD = 4 + 8,
    ROUTE_UNIT_S = 240,
    DIO_S = 64
};

static struct {
    struct mesh mesh;
    struct station stations[AIR_NODES];
    uint8_t out[OUT_MAX];
    struct writer answer;
    bool host_due; /* the host has work to do */
} world;

/* ---- answers ---- */

static void write_number(struct writer *out, uint64_t value, size_t octets)
{
    for (size_t i = 0; i < octets; i++)
        writer_u8(out, (uint8_t)(value >> 8 * i));
}

static void record_begin(uint8_t kind, uint8_t id, size_t len)
{
    writer_u8(&world.answer, kind);
    write_number(&world.answer, world.mesh.air.now, 8);
    writer_u8(&world.answer, id);
    write_number(&world.answer, len, 2);
}

static void record_octets(uint8_t kind, uint8_t id, const uint8_t *octets, size_t len)
{
    record_begin(kind, id, len);
    writer_bytes(&world.answer, octets, len);
}

static void report_event(void *context, uint8_t id, const struct app_event *event)
{
    const char *text = event->text == NULL ? "" : event->text;

    (void)context;
    record_begin('E', id, 1 + 8 + 1 + 1 + 1 + strlen(text));
    writer_u8(&world.answer, (uint8_t)event->kind);
    write_number(&world.answer, event->seq, 8);
    writer_u8(&world.answer, event->code);
    writer_u8(&world.answer, event->confirmable);
    writer_u8(&world.answer, (uint8_t)event->error);
    writer_str(&world.answer, text);
}

static void report_measured(void *context, uint8_t id, uint8_t sensor, int64_t value)
{
    (void)context;
    record_begin('S', id, 1 + 8);
    writer_u8(&world.answer, sensor);
    write_number(&world.answer, (uint64_t)value, 8);
}

static void report_acted(void *context, uint8_t id, const uint8_t *payload, size_t len)
{
    (void)context;
    record_octets('A', id, payload, len);
}

static void host_takes(struct mesh *mesh, const uint8_t *packet, size_t len)
{
    record_octets('P', 0, packet, len);
    world.host_due = true;
    mesh->done = true;
}

static void mote_takes(struct mesh *mesh, uint8_t id, const struct net_datagram *datagram)
{
    station_receive(&world.stations[id], datagram);
    mesh->done = true; /* the station's next wake-up may have changed */
}

/* ---- time ---- */

/* Switches off a mote whose power failed within a write to flash. */
static void settle_power(void)
{
    for (uint8_t id = MESH_ROOT + 1; id <= world.mesh.air.nodes; id++) {
        struct station *station = &world.stations[id];

        if (!station->on || !station_is_dark(station))
            continue;
        station_off(station);
        record_octets('D', id, NULL, 0);
        world.host_due = true;
    }
}

static uint64_t poll_stations(uint64_t end)
{
    uint64_t next = end;

    for (uint8_t id = MESH_ROOT + 1; id <= world.mesh.air.nodes; id++) {
        struct station *station = &world.stations[id];
        uint64_t due = station_due(station);

        if (due <= world.mesh.air.now) {
            station_poll(station);
            due = station_due(station);
        }
        if (due < next)
            next = due;
    }
    return next;
}

static void run_until(uint64_t end)
{
    while (world.mesh.air.now < end && !world.host_due &&
           world.answer.len + OUT_ROOM < sizeof world.out) {
        uint64_t next = poll_stations(end);

        settle_power();
        if (world.host_due)
            return;
        world.mesh.done = false;
        mesh_live(&world.mesh, next > world.mesh.air.now ? next : world.mesh.air.now + 1);
        settle_power();
    }
}

static void write_all(const uint8_t *octets, size_t len)
{
    while (len > 0) {
        ssize_t n = write(STDOUT_FILENO, octets, len);

        if (n <= 0)
            exit(EXIT_FAILURE);
        octets += n;
        len -= (size_t)n;
    }
}

static void answer(void)
{
    struct writer head;

    mesh_must(!world.answer.failed, "an answer is too long");
    writer_init(&head, world.out, HEAD);
    write_number(&head, world.answer.len + 8, 4);
    write_number(&head, world.mesh.air.now, 8);
    write_all(world.out, HEAD + world.answer.len);
    writer_init(&world.answer, world.out + HEAD, sizeof world.out - HEAD);
    world.host_due = false;
}

/* ---- commands ---- */

static uint64_t read_number(struct reader *in, size_t octets)
{
    uint64_t value = 0;

    for (size_t i = 0; i < octets; i++)
        value |= (uint64_t)reader_u8(in) << 8 * i;
    return value;
}

static void read_text(struct reader *in, char *out, size_t size)
{
    size_t len = 0;
    char c;

    do {
        c = (char)reader_u8(in);
        mesh_must(len < size, "a text is too long");
        out[len++] = c;
    } while (c != '\0');
}

static void set_up(struct station *station, struct reader *in)
{
    struct station_setup *setup = &station->setup;
    uint8_t flags;

    memset(setup, 0, sizeof *setup);
    setup->wake_ms = (uint32_t)read_number(in, 4);
    setup->lifetime = (uint32_t)read_number(in, 4);
    setup->listen_ms = (uint32_t)read_number(in, 4);
    setup->check_every = (uint32_t)read_number(in, 2);
    flags = reader_u8(in);
    setup->clock = (flags & 1) != 0;
    setup->compact = (flags & 2) != 0;
    setup->cbor = (flags & 4) != 0;
    setup->encrypt = (flags & 8) != 0;
    setup->sensors = reader_u8(in);
    read_text(in, setup->ep, sizeof setup->ep);
    read_text(in, setup->domain, sizeof setup->domain);
    read_text(in, setup->sa, sizeof setup->sa);
    read_text(in, setup->store, sizeof setup->store);
    while (in->left > 0) {
        mesh_must(setup->commander_count < STATION_COMMANDERS, "there are too many commanders");
        reader_copy(in, setup->commanders[setup->commander_count++], P256_PUBLIC_SIZE);
    }
}

static void power_on(struct station *station, uint8_t flags)
{
    uint8_t error;

    if (station->on)
        station_off(station);
    if ((flags & 2) != 0)
        station_erase(station);
    if ((flags & 4) != 0)
        station_forget(station);
    error = (uint8_t)station_on(station, (flags & 1) != 0);
    if (error != MOTE_OK && !station_is_dark(station)) {
        station_off(station);
        record_octets('Z', station->id, &error, 1);
    }
    settle_power();
}

static void plan_cut(struct station *station, struct reader *in)
{
    struct fake_storage *storage = reader_u8(in) == 0 ? &station->identity : &station->numbers;

    storage->writes = 0;
    storage->cut_at = (unsigned)read_number(in, 2);
    storage->torn = (size_t)read_number(in, 2);
    storage->rest = (enum fake_rest)(reader_u8(in) % FAKE_RESTS);
}

static struct station *station_of(struct reader *in)
{
    uint8_t id = reader_u8(in);

    mesh_must(id > MESH_ROOT && id <= world.mesh.air.nodes, "there is no such mote");
    return &world.stations[id];
}

static void carry_out(uint8_t command, struct reader *in)
{
    switch (command) {
    case 'M':
        set_up(station_of(in), in);
        break;
    case 'O': {
        struct station *station = station_of(in);

        power_on(station, reader_u8(in));
        break;
    }
    case 'K':
        (void)station_rotate(station_of(in));
        break;
    case 'X': {
        struct station *station = station_of(in);

        if (station->on)
            station_off(station);
        break;
    }
    case 'C':
        plan_cut(station_of(in), in);
        break;
    case 'W': {
        struct station *station = station_of(in);

        station->epoch = (int64_t)read_number(in, 8);
        break;
    }
    case 'L':
        world.mesh.air.loss = (uint32_t)read_number(in, 4);
        break;
    case 'P':
        mesh_host_packet(&world.mesh, in->at, in->left);
        break;
    case 'R':
        run_until(read_number(in, 8));
        answer();
        break;
    default:
        mesh_must(false, "there is no such command");
    }
    mesh_must(!in->failed, "a command is too short");
}

static bool read_all(uint8_t *out, size_t len)
{
    while (len > 0) {
        ssize_t n = read(STDIN_FILENO, out, len);

        if (n <= 0)
            return false;
        out += n;
        len -= (size_t)n;
    }
    return true;
}

int main(int argc, char **argv)
{
    /* The motes that are always on are near the root. */
    static const uint8_t level[AIR_NODES] = {0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2,
                                             2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    static const struct mesh_user ends = {.mote = mote_takes, .packet = host_takes};
    static const struct station_user user = {report_event, report_measured, report_acted, NULL};
    uint64_t seed = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
    unsigned long motes = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    uint8_t head[3], body[COMMAND_MAX];

    mesh_must(seed > 0 && motes > 0 && motes + MESH_ROOT + 1 < AIR_NODES,
              "usage: month SEED MOTES");
    mesh_begin(&world.mesh, &ends, (uint8_t)(motes + MESH_ROOT), level, MESH_PLAIN, seed,
               AIR_ALWAYS_ON);
    world.mesh.dio_us = DIO_S * (uint64_t)1000000;
    world.mesh.route_unit_s = ROUTE_UNIT_S;
    for (uint8_t id = MESH_ROOT + 1; id <= motes + MESH_ROOT; id++) {
        station_init(&world.stations[id], &world.mesh, id, seed, &user);
        mesh_power(&world.mesh, id, false);
    }
    writer_init(&world.answer, world.out + HEAD, sizeof world.out - HEAD);
    while (read_all(head, sizeof head)) {
        size_t len = (size_t)head[1] | (size_t)head[2] << 8;
        struct reader in;

        mesh_must(len <= sizeof body && read_all(body, len), "a command is cut off");
        reader_init(&in, body, len);
        carry_out(head[0], &in);
    }
    return EXIT_SUCCESS;
}
