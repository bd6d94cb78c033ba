/*
 * A mote of the simulated month: the endpoint (core/app) with its flash, its sensors, an actuator
 * and optionally a block store, combined as in vigil-mote, over the stack of a node of mesh.h. A
 * loss of power clears its RAM; flash and block store stay.
 */
#ifndef MOTE_BENCH_STATION_H
#define MOTE_BENCH_STATION_H

#include "associations.h"
#include "mesh.h"
#include "mesh_link.h"
#include "mote/app.h"
#include "rotation.h"
#include "store_service.h"
#include "support/fake.h"

enum {
    STATION_SENSORS = 2,
    STATION_COMMANDERS = 4,
    STATION_TEXT = 256,
    STATION_COAP = 5683,
    STATION_STORE_SEGMENTS = 64
};

/* Callbacks by which the station reports to its owner. */
struct station_user {
    void (*event)(void *context, uint8_t id, const struct app_event *event);
    void (*measured)(void *context, uint8_t id, uint8_t sensor, int64_t value);
    void (*acted)(void *context, uint8_t id, const uint8_t *payload, size_t len);
    void *context;
};

/* Settings that stay after a loss of power. */
struct station_setup {
    char ep[APP_EP_MAX + 1];
    char domain[APP_EP_MAX + 1]; /* empty: the mirror's default */
    char sa[STATION_TEXT];       /* the file of associations; empty: none */
    char store[STATION_TEXT];    /* the file of the block store; empty: none */
    uint32_t wake_ms;
    uint32_t lifetime;
    uint32_t listen_ms;
    uint32_t check_every;
    uint8_t sensors;
    bool clock;
    bool compact;
    bool cbor;
    bool encrypt;
    uint8_t commander_count;
    uint8_t commanders[STATION_COMMANDERS][P256_PUBLIC_SIZE];
};

struct station {
    struct station_setup setup;
    struct station_user user;
    struct mesh *mesh;
    uint8_t id;
    bool on;
    uint64_t boot_us; /* when power last came on */
    int64_t epoch;    /* unix time in seconds of its clock at time 0 */
    uint64_t dice;
    int64_t measured[STATION_SENSORS]; /* by sensor, the value of the next reading */
    struct fake_storage identity;
    struct fake_storage numbers;
    struct fake_storage old; /* `identity` when power last came on */
    struct rotation rotation;

    /* Lost with power. */
    struct app app;
    struct counter_store counters;
    struct associations associations;
    struct store_service store;
    struct mesh_link link; /* only the part that `store` uses */
    struct coap_server server;
    struct equipment equipment;
    struct options options;
    bool was_ready;
    uint8_t served[512];
    br_sha256_context hash_state;
    struct sha256 hash;
    struct p256 curve;
    struct bearssl_aes128 aes_state;
    struct aes128 aes;
    struct random random;
    struct wall_clock clock;
    struct wire wire;
    struct sensor sensors[STATION_SENSORS];
    struct actuator actuator;
    uint8_t datagram[LINK_DATAGRAM_MAX];
    uint8_t answer[1024];
    uint8_t body[2048];
};

/* A station without power, whose flash is erased. */
void station_init(struct station *station, struct mesh *mesh, uint8_t id, uint64_t seed,
                  const struct station_user *user);

/* Erases the flash with the identity, as for a new mote of the same name. */
void station_erase(struct station *station);

/* Switches power on. Returns 0, or the error of the start. `fresh`: the associations were never
 * used. */
int station_on(struct station *station, bool fresh);
void station_off(struct station *station);

/* Simulates a defect: restores the flash with the identity as it was when power last came on, if it
 * had been written then. */
void station_forget(struct station *station);

/* Requests a new key for the mote, as soon as it has power and is registered. */
int station_rotate(struct station *station);

/* True if power failed within a write to flash. */
bool station_is_dark(const struct station *station);

/* The time of the next station_poll, in microseconds; UINT64_MAX: none. */
uint64_t station_due(struct station *station);
void station_poll(struct station *station);

/* Takes a datagram of the host. */
void station_receive(struct station *station, const struct net_datagram *datagram);

#endif
