/*
 * The block stores of --store: their files, their associations and their messages. What each keeps
 * and serves is in store_serve.h.
 */
#ifndef MOTE_APPS_STORE_SERVICE_H
#define MOTE_APPS_STORE_SERVICE_H

#include "associations.h"
#include "block_file.h"
#include "equipment.h"
#include "mesh_link.h"
#include "store_serve.h"

enum {
    STORE_SERVICE_RESOURCES = OPTIONS_STORES_MAX * STORE_SERVE_RESOURCES,
    STORE_PATH = sizeof "store//rekey" + STORE_NAME_MAX
};

/* One block store. */
struct store_file {
    struct store_service *service;
    const struct option_store *option;
    struct block_file file;
    struct block_storage storage;
    struct store_serve serve;
    struct sa_entry *entry;
    struct sa_entry *previous;     /* before the last change of keys; NULL: none */
    uint8_t numbers[COUNTER_NAME]; /* the counter of block numbers */
    char paths[STORE_SERVE_RESOURCES][STORE_PATH];
    bool warned; /* that a reading could not be stored */
};

struct store_service {
    struct store_file files[OPTIONS_STORES_MAX]; /* as options->stores */
    size_t count;                                /* of open ones */
    const struct options *options;
    struct associations *associations;
    const struct equipment *equipment;
    struct mesh_link *mesh;
};

/* Opens the block stores that the options name, and their associations. 0, or -1 with a sentence in
 * `problem`. The options must stay. */
int store_service_open(struct store_service *service, const struct options *options,
                       struct associations *associations, const struct equipment *equipment,
                       struct mesh_link *mesh, char *problem, size_t size);

/* Stores a reading in the block store of its sensor, if there is one. Usable as `keep` of struct
 * app_config. */
void store_service_keep(void *context, size_t sensor, struct decimal value, uint64_t time,
                        uint64_t seq);

/* The mirror has acknowledged a reading of the sensor at `path`. */
void store_service_acknowledged(struct store_service *service, const char *path);

/* True while a requester waits for a stored block. */
bool store_service_sends(const struct store_service *service);

/* Writes the resources of all block stores, at most STORE_SERVICE_RESOURCES; returns how many. */
size_t store_service_resources(const struct store_service *service,
                               struct coap_resource *resources);

/* To be called before the mote sleeps: stores the readings that the mirror has not acknowledged. */
void store_service_settle(struct store_service *service);

/* Closes the files as a loss of power does: readings that wait for their block are lost. */
void store_service_abandon(struct store_service *service);

/* Stores the readings that wait for their block, prints the counters and closes the files. */
void store_service_close(struct store_service *service);

#endif
