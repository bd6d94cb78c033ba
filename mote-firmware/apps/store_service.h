/*
 * The block store of --store: it keeps every reading, and sends blocks to peers that ask for them
 * (docs/protocol.md section 12).
 *
 * A reading is stored when its block is. A reading that the mirror has not acknowledged is stored
 * before the mote sleeps; the others wait until they fill a block.
 *
 * Between calls, bit i of `burst` is set while the block `burst_first` + i waits for the radio, to
 * be sent to the requester `burst_to`.
 */
#ifndef MOTE_APPS_STORE_SERVICE_H
#define MOTE_APPS_STORE_SERVICE_H

#include "associations.h"
#include "block_file.h"
#include "equipment.h"
#include "mesh_link.h"
#include "mote/block_store.h"
#include "mote/coap_server.h"

enum { STORE_SERVICE_RESOURCES = 4, STORE_BURST = 32 };

struct store_service {
    struct block_file file;
    struct block_storage storage;
    struct block_store store;
    struct block_store_log log;
    struct associations *associations;
    struct sa_entry *entry;
    struct sa_entry *previous;     /* before the last change of keys; NULL: none */
    uint8_t numbers[COUNTER_NAME]; /* the counter of block numbers */
    const struct equipment *equipment;
    struct mesh_link *mesh;
    struct coap_resource resources[STORE_SERVICE_RESOURCES];
    bool opened; /* the SA was reset for a transfer in mode D */
    struct ipv6_address burst_to;
    uint32_t burst_first;
    uint32_t burst;
    uint32_t sent;
    bool warned;             /* that a reading could not be stored */
    uint32_t failed;         /* readings that could not be stored */
    uint32_t unacknowledged; /* readings of this wake-up without the mirror's acknowledgement */
};

/* Opens the block store that the options name, and its association. 0, or -1 with a sentence in
 * `problem`. */
int store_service_open(struct store_service *service, const struct options *options,
                       struct associations *associations, const struct equipment *equipment,
                       struct mesh_link *mesh, char *problem, size_t size);

/* Stores a reading. Usable as `keep` of struct app_config. */
void store_service_keep(void *context, size_t sensor, struct decimal value, uint64_t time,
                        uint64_t seq);

/* The mirror has acknowledged a reading that was kept. */
void store_service_acknowledged(struct store_service *service);

/* To be called before the mote sleeps: stores the readings that the mirror has not acknowledged. */
void store_service_settle(struct store_service *service);

/* Stores the readings that wait for their block, prints the counters and closes the file. */
void store_service_close(struct store_service *service);

#endif
