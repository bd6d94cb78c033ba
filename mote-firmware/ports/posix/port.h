/*
 * The POSIX port: what the core asks of a machine, for a process. One thread; nothing blocks but
 * the loop's ppoll and a write to the state file.
 */
#ifndef MOTE_PORTS_POSIX_PORT_H
#define MOTE_PORTS_POSIX_PORT_H

#include <stdio.h>

#include "mote/crypto.h"
#include "mote/port/actuator.h"
#include "mote/port/clock.h"
#include "mote/port/sensor.h"
#include "mote/port/storage.h"
#include "mote/port/wire.h"

/* ---- time and randomness ---- */

uint64_t monotonic_ms(void);
bool wall_clock_read(void *context, uint64_t *seconds);
int random_fill(void *context, uint8_t *out, size_t len);

/* ---- the state file ---- */

/*
 * Two slots at the file's offsets 0 and 4096 for the identity, two behind them for counters (see
 * mote/counter_store.h), so that no disk sector and no page holds two. The
 * file is locked while open: two motes with one key would use numbers twice.
 */
struct state_file {
    int fd;
};

/*
 * Opens or creates `path` (0600) and fills `storage`. 0, or -1 with a sentence for the operator
 * in `problem`.
 */
int state_file_open(struct state_file *file, const char *path, struct storage *storage,
                    char *problem, size_t problem_size);
/* The other two slots of the open file. */
struct storage state_file_counters(struct state_file *file);
void state_file_close(struct state_file *file);

/* ---- links ---- */

enum { LINK_DATAGRAM_MAX = 1280 };

/* A way to the mirror that the loop can wait for. */
struct link {
    struct wire wire;
    int fd;
    /* The next datagram of the mirror: its length, 0 when there is none now. Called until 0. */
    size_t (*receive)(void *context, uint8_t *out, size_t size, uint64_t now);
    /* Time has passed; when it wants to be called again, UINT64_MAX: never. */
    uint64_t (*tick)(void *context, uint64_t now);
    /* Something of ours still waits to go out (a frame for its acknowledgement). */
    bool (*busy)(const void *context);
    /* Whether there is a way to the mirror; NULL: always. */
    bool (*ready)(const void *context);
    /* Never sleeps: what it hears may be for others to have. */
    bool awake;
    void *context;
};

struct udp_link {
    int fd;
};

/* A non-blocking socket connected to host and port, IPv6 or IPv4; -1 (and errno) if there is none.
 */
int udp_connect(const char *host, const char *port);

/* A socket connected to host and port, IPv6 or IPv4. 0, or -1 and a sentence in `problem`. */
int udp_link_open(struct udp_link *udp, const char *host, const char *port, struct link *link,
                  char *problem, size_t problem_size);

/* ---- sensors ---- */

enum { SENSOR_TEXT_MAX = 32 };

struct csv_sensor {
    FILE *file;
    char path[SENSOR_TEXT_MAX];
    char unit[SENSOR_TEXT_MAX];
};

/* One of the machine's own, by name: load, memory, temperature. Holds where it reads from. */
struct host_sensor {
    char file[300];
    struct csv_sensor csv;
};

/*
 * `root` stands before /proc and /sys ("" but in tests). False when this machine has no such
 * sensor.
 */
bool load_sensor(struct sensor *sensor, struct host_sensor *host, const char *root);
bool memory_sensor(struct sensor *sensor, struct host_sensor *host, const char *root);
bool temperature_sensor(struct sensor *sensor, struct host_sensor *host, const char *root);

/*
 * A CSV file whose first line names its columns, the last one as `name (unit)`; each reading is
 * the last column of the next line, from the first again after the last.
 */
bool csv_sensor(struct sensor *sensor, struct host_sensor *host, const char *path);

/* ---- actuators ---- */

struct host_actuator {
    const char *path;
    struct decimal value;
    uint64_t *wake_ms; /* of the one that sets how often the mote wakes, else NULL */
};

/* A number under `path`, 0 at first, that commands set (SenML-JSON or text) and a sensor of the
 * same path shows. The one called `wake` is `wake_ms`, in seconds. */
void host_actuator(struct actuator *actuator, struct sensor *sensor, struct host_actuator *host,
                   const char *path, uint64_t *wake_ms);

/* ---- text ---- */

/* "-12.50" to {-1250, 2}; stops at what is no number, false if nothing was one. */
bool decimal_parse(const char *text, struct decimal *value);

#endif
