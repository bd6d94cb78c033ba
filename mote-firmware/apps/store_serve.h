/*
 * The readings that a mote keeps in its block store, and the CoAP resources through which peers ask
 * for blocks (docs/protocol.md section 12). It needs no operating system.
 *
 * A reading is stored when its block is. A reading that the mirror has not acknowledged is stored
 * before the mote sleeps; the others wait until they fill a block.
 *
 * Between calls, bit i of `burst` is set while the block `burst_first` + i waits for the radio, to
 * be sent to the requester `burst_to`.
 */
#ifndef MOTE_APPS_STORE_SERVE_H
#define MOTE_APPS_STORE_SERVE_H

#include "mote/block_store.h"
#include "mote/coap_server.h"
#include "mote/port/sensor.h"

enum { STORE_SERVE_RESOURCES = 4, STORE_BURST = 32 };

/* The paths of the unnamed block store. */
extern const char *const store_serve_paths[STORE_SERVE_RESOURCES];

/* How the store belongs to its node. */
struct store_node {
    /* True if the requester of the present request has associations in both directions: its request
     * came under ESP or AH, and the answer goes under ESP or AH. Sets its address. */
    bool (*may_ask)(void *context, struct ipv6_address *requester);
    /* Reserves the association's next sequence number. */
    int (*save_number)(void *context, struct ipsec_sa *sa);
    void *context;
    const struct sensor *sensors;
    size_t sensor_count;
};

struct store_serve {
    struct block_store store;
    struct block_store_log log;
    struct store_node node;
    struct coap_resource resources[STORE_SERVE_RESOURCES];
    bool opened; /* the SA was reset for a transfer in mode D */
    struct ipv6_address burst_to;
    uint32_t burst_first;
    uint32_t burst;
    uint32_t sent;
    uint32_t failed;         /* readings that could not be stored */
    uint32_t unacknowledged; /* readings of this wake-up without the mirror's acknowledgement */
};

/* Opens the block store and sets up its resources info, open, send and rekey at `paths`, which must
 * stay. Errors as for block_store_open. */
int store_serve_open(struct store_serve *serve, const struct block_store_config *config,
                     const struct store_node *node, const char *const paths[STORE_SERVE_RESOURCES]);

/* Stores a reading. Returns the error of a reading that is not stored, which is counted. */
int store_serve_keep(struct store_serve *serve, size_t sensor, struct decimal value, uint64_t time,
                     uint64_t seq);

/* The mirror has acknowledged a reading that was kept. */
void store_serve_acknowledged(struct store_serve *serve);

/* To be called before the mote sleeps: stores the readings that the mirror has not acknowledged.
 * After an error they wait for the next attempt. */
int store_serve_settle(struct store_serve *serve);

/* Writes the packet of the next block of the burst. Returns its length, 0 if there is none. */
size_t store_serve_packet(struct store_serve *serve, uint8_t *out, size_t size);

#endif
