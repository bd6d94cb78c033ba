/*
 * The POSIX port: the capabilities of include/mote/port for a process with one thread. After the
 * start, only the main loop's ppoll and writes to the state file and the block stores block.
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
 * The state file: two slots at offsets 0 and 4096 for the identity, two after them for counters
 * (mote/counter_store.h), so that no disk sector and no page has two slots. The file is locked
 * while open: two motes with one key would repeat sequence numbers.
 */
struct state_file {
    int fd;
};

/* Opens or creates `path` (mode 0600) and fills `storage`. 0, or -1 with a sentence in `problem`.
 */
int state_file_open(struct state_file *file, const char *path, struct storage *storage,
                    char *problem, size_t problem_size);
/* The slots for counters of the open file. */
struct storage state_file_counters(struct state_file *file);
void state_file_close(struct state_file *file);

/* ---- links ---- */

enum { LINK_DATAGRAM_MAX = 1280 };

/* A link to the mirror for the main loop. */
struct link {
    struct wire wire;
    int fd;
    /* Receives the mirror's next datagram. Returns its length, 0 if there is none. Called until it
     * returns 0. */
    size_t (*receive)(void *context, uint8_t *out, size_t size, uint64_t now);
    /* Handles time-outs. Returns the time of the next call; UINT64_MAX: none. */
    uint64_t (*tick)(void *context, uint64_t now);
    /* True while a transmission is under way (a frame waits for its acknowledgement). */
    bool (*busy)(const void *context);
    /* True if there is a route to the mirror; NULL: always. */
    bool (*ready)(const void *context);
    /* The link always receives, because it forwards packets of other nodes. */
    bool awake;
    void *context;
};

struct udp_link {
    int fd;
};

/* A non-blocking socket connected to host and port, IPv6 or IPv4; -1 (and errno) if there is none.
 */
int udp_connect(const char *host, const char *port);

/* Connects a socket to host and port, IPv6 or IPv4. 0, or -1 with a sentence in `problem`. */
int udp_link_open(struct udp_link *udp, const char *host, const char *port, struct link *link,
                  char *problem, size_t problem_size);

/* ---- sensors ---- */

enum { SENSOR_TEXT_MAX = 32 };

struct csv_sensor {
    FILE *file;
    char path[SENSOR_TEXT_MAX];
    char unit[SENSOR_TEXT_MAX];
};

/* The source of a sensor's values: a system file of the machine, or a CSV file. */
struct host_sensor {
    char file[300];
    struct csv_sensor csv;
};

/* Sensors of the machine. `root` is a prefix of /, /proc and /sys, "" except in tests. False if
 * this machine has no such sensor. */
bool load_sensor(struct sensor *sensor, struct host_sensor *host, const char *root);
bool memory_sensor(struct sensor *sensor, struct host_sensor *host, const char *root);
bool disk_sensor(struct sensor *sensor, struct host_sensor *host, const char *root);
bool network_sensor(struct sensor *sensor, struct host_sensor *host, const char *root);
bool temperature_sensor(struct sensor *sensor, struct host_sensor *host, const char *root);

/*
 * A CSV file whose first line names its columns, the last one as `name (unit)`. Each reading is the
 * last column of the next line; after the last line it starts again.
 */
bool csv_sensor(struct sensor *sensor, struct host_sensor *host, const char *path);

/* ---- actuators ---- */

enum { HOST_ACTUATOR_PATH_MAX = 64 };

struct host_actuator {
    char path[HOST_ACTUATOR_PATH_MAX];
    const char *attributes; /* of its link; NULL: none */
    struct decimal value;
    uint64_t *wake_ms; /* the period of wake-ups, if the actuator sets it; else NULL */
};

/*
 * An actuator with a number, initially 0, and a sensor of the same path that reads it. Commands set
 * the number (SenML-JSON or text). The actuator `wake` has its value in seconds and sets `wake_ms`.
 * `text` is its path, then the attributes of its link, if any: `level;minimum=0;maximum=100`. It
 * must remain valid. False if the path is empty or too long.
 */
bool host_actuator(struct actuator *actuator, struct sensor *sensor, struct host_actuator *host,
                   const char *text, uint64_t *wake_ms);

/*
 * Whether a number satisfies `minimum`, `maximum`, `multipleOf` and `enum` of the attributes
 * (docs/protocol.md section 8). False also if the number is above 9 * 10^9 or has more than 9
 * decimals.
 */
bool host_value_accepted(const char *attributes, struct decimal value);

/* ---- text ---- */

/* Reads the decimal number at the start of `text`: "-12.50" is {-1250, 2}. False if there is none.
 */
bool decimal_parse(const char *text, struct decimal *value);

#endif
