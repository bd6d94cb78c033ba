/*
 * The block store of --store: its file, its associations and its messages; what it keeps and serves
 * is in store_serve.h.
 */
#ifndef MOTE_APPS_STORE_SERVICE_H
#define MOTE_APPS_STORE_SERVICE_H

#include "associations.h"
#include "block_file.h"
#include "equipment.h"
#include "mesh_link.h"
#include "store_serve.h"

struct store_service {
    struct block_file file;
    struct block_storage storage;
    struct store_serve serve;
    struct associations *associations;
    struct sa_entry *entry;
    struct sa_entry *previous;     /* before the last change of keys; NULL: none */
    uint8_t numbers[COUNTER_NAME]; /* the counter of block numbers */
    const struct equipment *equipment;
    struct mesh_link *mesh;
    bool warned; /* that a reading could not be stored */
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
