#include "store_service.h"

#include <stdio.h>
#include <string.h>

#include "mote/base.h"
#include "store_options.h"

/* ---- its node ---- */

static bool may_ask(void *context, struct ipv6_address *requester)
{
    const struct store_file *file = context;
    const struct mesh_link *mesh = file->service->mesh;

    *requester = mesh->requester;
    for (size_t i = 0; i < mesh->net.peer_count; i++)
        if (ipv6_equal(&mesh->net.peers[i].address, requester))
            return mesh->net.peers[i].in != NULL && mesh->net.peers[i].out != NULL;
    return false;
}

static int save_number(void *context, struct ipsec_sa *sa)
{
    const struct store_file *file = context;
    const struct net *net = &file->service->mesh->net;

    return net->save_number(net->save_number_context, sa);
}

static size_t next_packet(void *context, uint8_t *out, size_t size)
{
    struct store_service *service = context;
    size_t len = 0;

    for (size_t i = 0; i < service->count && len == 0; i++)
        len = store_serve_packet(&service->files[i].serve, out, size);
    return len;
}

bool store_service_sends(const struct store_service *service)
{
    for (size_t i = 0; i < service->count; i++)
        if (service->files[i].serve.burst != 0)
            return true;
    return false;
}

size_t store_service_resources(const struct store_service *service, struct coap_resource *resources)
{
    size_t count = 0;

    for (size_t i = 0; i < service->count; i++)
        for (size_t j = 0; j < STORE_SERVE_RESOURCES; j++)
            resources[count++] = service->files[i].serve.resources[j];
    return count;
}

/* ---- opening ---- */

static int reserve(void *context, uint32_t last)
{
    struct store_file *file = context;

    return counter_store_reserve(file->service->associations->counters, file->numbers, last, 1);
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
static bool has_numbers(const struct associations *associations, const struct sa_entry *entry,
                        const char *sa, char *problem, size_t size)
{
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
static int find_association(struct store_file *file, const char *sa, char *problem, size_t size)
{
    struct associations *associations = file->service->associations;
    const char *name = file->option->name;
    size_t count;

    file->entry = sa_file_stored(&associations->file, name, &file->previous, &count);
    if (file->entry == NULL) {
        snprintf(problem, size,
                 "--store: --sa %s has %zu lines `store%s%s`: give one, or while its key is "
                 "changed two with the same addresses, the new one last",
                 sa, count, *name != '\0' ? "=" : "", name);
        return -1;
    }
    if (!has_numbers(associations, file->entry, sa, problem, size) ||
        (file->previous != NULL && !has_numbers(associations, file->previous, sa, problem, size)))
        return -1;
    memcpy(file->numbers, associations->names[file->entry - associations->file.entries],
           COUNTER_NAME);
    file->numbers[0] = COUNTER_BLOCKS;
    return 0;
}

static int open_store(struct store_file *file, char *problem, size_t size)
{
    const struct option_store *option = file->option;
    const struct associations *associations = file->service->associations;
    const struct equipment *equipment = file->service->equipment;
    uint32_t limit = counter_store_limit(associations->counters, file->numbers); /* last + 1 */
    const struct block_store_config config = {
        .storage = &file->storage,
        .sa = &file->entry->sa,
        .previous = file->previous != NULL ? &file->previous->sa : NULL,
        .crypto = &associations->crypto,
        .source = file->entry->source,
        .destination = file->entry->destination,
        .payload_size = BLOCK_STORE_PAYLOAD_MAX,
        .with_icv = option->mode == 'd',
        .full = option->full == 'r' ? BLOCK_STORE_REFUSE : BLOCK_STORE_OVERWRITE_OLDEST,
        .mode = mode_of(option->mode),
        .limit = limit > 0 ? limit - 1 : 0,
        .reserve = reserve,
        .reserve_context = file};
    const char *paths[STORE_SERVE_RESOURCES];
    const struct store_node node = {.may_ask = may_ask,
                                    .save_number = save_number,
                                    .context = file,
                                    .sensors = equipment->sensors,
                                    .sensor_count = equipment->sensor_count};
    int error;

    for (size_t i = 0; i < STORE_SERVE_RESOURCES; i++) {
        const char *last = store_serve_paths[i] + strlen("store/");

        snprintf(file->paths[i], sizeof file->paths[i], "store/%s%s%s", option->name,
                 option->name[0] != '\0' ? "/" : "", last);
        paths[i] = file->paths[i];
    }
    error = store_serve_open(&file->serve, &config, &node, paths);
    if (error != MOTE_OK)
        snprintf(problem, size, "--store %s: %s", option->file, explain(error));
    return error == MOTE_OK ? 0 : -1;
}

static int open_file(struct store_file *file, char *problem, size_t size)
{
    const struct option_store *option = file->option;

    file->file.fd = -1;
    if (find_association(file, file->service->options->sa, problem, size) != 0 ||
        block_file_open(&file->file, option->file, option->segments, &file->storage, problem,
                        size) != 0)
        return -1;
    if (open_store(file, problem, size) != 0) {
        block_file_close(&file->file);
        return -1;
    }
    return 0;
}

/* The index of the sensor at a path; `sensor_count`: none. */
static size_t sensor_at(const struct equipment *equipment, const char *path, size_t len)
{
    size_t i = 0;

    while (i < equipment->sensor_count && (strlen(equipment->sensors[i].path) != len ||
                                           memcmp(equipment->sensors[i].path, path, len) != 0))
        i++;
    return i;
}

/* Checks that --keep names sensors. */
static int check_keeps(const struct store_service *service, char *problem, size_t size)
{
    const struct options *options = service->options;

    for (size_t i = 0; i < options->keep_count; i++) {
        size_t len = (size_t)(strrchr(options->keeps[i], '=') - options->keeps[i]);

        if (sensor_at(service->equipment, options->keeps[i], len) ==
            service->equipment->sensor_count) {
            snprintf(problem, size, "--keep %s: this mote has no such sensor", options->keeps[i]);
            return -1;
        }
    }
    return 0;
}

/* ---- the life of the service ---- */

int store_service_open(struct store_service *service, const struct options *options,
                       struct associations *associations, const struct equipment *equipment,
                       struct mesh_link *mesh, char *problem, size_t size)
{
    memset(service, 0, sizeof *service);
    service->options = options;
    service->associations = associations;
    service->equipment = equipment;
    service->mesh = mesh;
    if (check_keeps(service, problem, size) != 0)
        return -1;
    while (service->count < options->store_count) {
        struct store_file *file = &service->files[service->count];

        file->service = service;
        file->option = &options->stores[service->count];
        if (open_file(file, problem, size) != 0) {
            store_service_abandon(service);
            return -1;
        }
        service->count++;
    }
    mesh->source = next_packet;
    mesh->source_context = service;
    return 0;
}

static void warn(struct store_file *file, int error)
{
    if (file->warned)
        return;
    file->warned = true;
    fprintf(stderr,
            "vigil-mote: --store %s: a reading is not stored (%s); later ones are counted only\n",
            file->option->file,
            error == MOTE_E_SPACE   ? "the block store is full, or the value is too large"
            : error == MOTE_E_STATE ? "all block numbers of its key are used: give a new key"
                                    : "writing failed");
}

/* The block store of a sensor's readings; NULL: none. */
static struct store_file *file_of(struct store_service *service, size_t sensor)
{
    size_t i = service->count;

    if (sensor < service->equipment->sensor_count)
        i = option_store_of(service->options, service->equipment->sensors[sensor].path);
    return i < service->count ? &service->files[i] : NULL;
}

void store_service_keep(void *context, size_t sensor, struct decimal value, uint64_t time,
                        uint64_t seq)
{
    struct store_file *file = file_of(context, sensor);
    int error = file == NULL ? MOTE_OK : store_serve_keep(&file->serve, sensor, value, time, seq);

    if (error != MOTE_OK)
        warn(file, error);
}

void store_service_acknowledged(struct store_service *service, const char *path)
{
    struct store_file *file = file_of(service, sensor_at(service->equipment, path, strlen(path)));

    if (file != NULL)
        store_serve_acknowledged(&file->serve);
}

void store_service_settle(struct store_service *service)
{
    for (size_t i = 0; i < service->count; i++) {
        int error = store_serve_settle(&service->files[i].serve);

        if (error != MOTE_OK) /* the readings wait for the next attempt */
            warn(&service->files[i], error);
    }
}

void store_service_abandon(struct store_service *service)
{
    for (size_t i = 0; i < service->count; i++)
        block_file_close(&service->files[i].file);
    service->count = 0;
}

void store_service_close(struct store_service *service)
{
    for (size_t i = 0; i < service->count; i++) {
        struct store_serve *serve = &service->files[i].serve;
        const char *name = service->files[i].option->name;
        uint32_t oldest = 0;
        uint32_t newest = 0;

        if (block_store_log_flush(&serve->log, &serve->store) != MOTE_OK)
            serve->failed += serve->log.count;
        (void)block_store_bounds(&serve->store, &oldest, &newest);
        printf("store%s%s: blocks %lu to %lu, %lu sent, %lu readings not stored\n",
               *name != '\0' ? " " : "", name, (unsigned long)oldest, (unsigned long)newest,
               (unsigned long)serve->sent, (unsigned long)serve->failed);
    }
    store_service_abandon(service);
}
