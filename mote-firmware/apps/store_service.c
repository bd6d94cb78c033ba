#include "store_service.h"

#include <stdio.h>
#include <string.h>

#include "mote/base.h"

/* ---- its node ---- */

static bool may_ask(void *context, struct ipv6_address *requester)
{
    const struct store_service *service = context;
    const struct net *net = &service->mesh->net;

    *requester = service->mesh->requester;
    for (size_t i = 0; i < net->peer_count; i++)
        if (ipv6_equal(&net->peers[i].address, requester))
            return net->peers[i].in != NULL && net->peers[i].out != NULL;
    return false;
}

static int save_number(void *context, struct ipsec_sa *sa)
{
    const struct store_service *service = context;
    const struct net *net = &service->mesh->net;

    return net->save_number(net->save_number_context, sa);
}

static size_t next_packet(void *context, uint8_t *out, size_t size)
{
    struct store_service *service = context;

    return store_serve_packet(&service->serve, out, size);
}

/* ---- opening ---- */

static int reserve(void *context, uint32_t last)
{
    struct store_service *service = context;

    return counter_store_reserve(service->associations->counters, service->numbers, last, 1);
}

static enum block_store_mode mode_of(char letter)
{
    switch (letter) {
    case 'a':
        return BLOCK_STORE_REENCRYPT;
    case 'd':
        return BLOCK_STORE_STORED_ICV;
    default:
        return BLOCK_STORE_NEW_ICV;
    }
}

static const char *explain(int error)
{
    switch (error) {
    case MOTE_E_AUTH:
        return "its blocks have another key: give --sa the line `store` with that key "
               "(before the new line, to change the key), or name another file";
    case MOTE_E_UNSUPPORTED:
        return "its blocks have another form (mode d stores the ICV): give that mode, or name "
               "another file and a new key";
    default:
        return "it cannot be read";
    }
}

/* False, with a sentence in `problem`, if the numbers of an association may have been used. */
static bool has_numbers(const struct store_service *service, const struct sa_entry *entry,
                        const char *sa, char *problem, size_t size)
{
    const struct associations *associations = service->associations;
    const uint8_t *name = associations->names[entry - associations->file.entries];

    if (counter_store_limit(associations->counters, name) > 0)
        return true;
    snprintf(problem, size,
             "--store: --sa %s: line %u has no record of its numbers, which may have been used: "
             "give both ends a new key and start once with --new-sa",
             sa, entry->line);
    return false;
}

/* Finds the associations of the block store, and checks that their numbers are known. */
static int find_association(struct store_service *service, const char *sa, char *problem,
                            size_t size)
{
    struct associations *associations = service->associations;
    size_t count;

    service->entry = sa_file_stored(&associations->file, &service->previous, &count);
    if (service->entry == NULL) {
        snprintf(problem, size,
                 "--store: --sa %s has %zu lines `store`: give one, or while its key is changed "
                 "two with the same addresses, the new one last",
                 sa, count);
        return -1;
    }
    if (!has_numbers(service, service->entry, sa, problem, size) ||
        (service->previous != NULL && !has_numbers(service, service->previous, sa, problem, size)))
        return -1;
    memcpy(service->numbers, associations->names[service->entry - associations->file.entries],
           COUNTER_NAME);
    service->numbers[0] = 'B';
    return 0;
}

static int open_store(struct store_service *service, const struct options *options, char *problem,
                      size_t size)
{
    uint32_t limit =
        counter_store_limit(service->associations->counters, service->numbers); /* last + 1 */
    const struct block_store_config config = {
        .storage = &service->storage,
        .sa = &service->entry->sa,
        .previous = service->previous != NULL ? &service->previous->sa : NULL,
        .crypto = &service->associations->crypto,
        .source = service->entry->source,
        .destination = service->entry->destination,
        .payload_size = BLOCK_STORE_PAYLOAD_MAX,
        .with_icv = options->store_mode == 'd',
        .full = options->store_refuse ? BLOCK_STORE_REFUSE : BLOCK_STORE_OVERWRITE_OLDEST,
        .mode = mode_of(options->store_mode),
        .limit = limit > 0 ? limit - 1 : 0,
        .reserve = reserve,
        .reserve_context = service};
    const struct store_node node = {.may_ask = may_ask,
                                    .save_number = save_number,
                                    .context = service,
                                    .sensors = service->equipment->sensors,
                                    .sensor_count = service->equipment->sensor_count};
    int error = store_serve_open(&service->serve, &config, &node);

    if (error != MOTE_OK)
        snprintf(problem, size, "--store %s: %s", options->store, explain(error));
    return error == MOTE_OK ? 0 : -1;
}

/* ---- the life of the service ---- */

int store_service_open(struct store_service *service, const struct options *options,
                       struct associations *associations, const struct equipment *equipment,
                       struct mesh_link *mesh, char *problem, size_t size)
{
    memset(service, 0, sizeof *service);
    service->file.fd = -1;
    service->associations = associations;
    service->equipment = equipment;
    service->mesh = mesh;
    if (find_association(service, options->sa, problem, size) != 0 ||
        block_file_open(&service->file, options->store, options->store_segments, &service->storage,
                        problem, size) != 0 ||
        open_store(service, options, problem, size) != 0) {
        block_file_close(&service->file);
        return -1;
    }
    mesh->source = next_packet;
    mesh->source_context = service;
    return 0;
}

static void warn(struct store_service *service, int error)
{
    if (service->warned)
        return;
    service->warned = true;
    fprintf(stderr,
            "vigil-mote: --store: a reading is not stored (%s); later ones are counted only\n",
            error == MOTE_E_SPACE   ? "the block store is full, or the value is too large"
            : error == MOTE_E_STATE ? "all block numbers of its key are used: give a new key"
                                    : "writing failed");
}

void store_service_keep(void *context, size_t sensor, struct decimal value, uint64_t time,
                        uint64_t seq)
{
    struct store_service *service = context;
    int error = store_serve_keep(&service->serve, sensor, value, time, seq);

    if (error != MOTE_OK)
        warn(service, error);
}

void store_service_acknowledged(struct store_service *service)
{
    store_serve_acknowledged(&service->serve);
}

void store_service_settle(struct store_service *service)
{
    int error = store_serve_settle(&service->serve);

    if (error != MOTE_OK) /* the readings wait for the next attempt */
        warn(service, error);
}

void store_service_close(struct store_service *service)
{
    struct store_serve *serve = &service->serve;
    uint32_t oldest = 0;
    uint32_t newest = 0;

    if (service->file.fd < 0)
        return;
    if (block_store_log_flush(&serve->log, &serve->store) != MOTE_OK)
        serve->failed += serve->log.count;
    (void)block_store_bounds(&serve->store, &oldest, &newest);
    printf("store: blocks %lu to %lu, %lu sent, %lu readings not stored\n", (unsigned long)oldest,
           (unsigned long)newest, (unsigned long)serve->sent, (unsigned long)serve->failed);
    block_file_close(&service->file);
}
