#include "store_service.h"

#include <stdio.h>
#include <string.h>

#include "mote/base.h"
#include "mote/cbor.h"
#include "mote/coap.h"
#include "store_request.h"

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
    int error = block_store_open(&service->store, &config);

    if (error != MOTE_OK)
        snprintf(problem, size, "--store %s: %s", options->store, explain(error));
    return error == MOTE_OK ? 0 : -1;
}

/* ---- requests ---- */

/* True if the requester has associations in both directions: its request came under ESP or AH, and
 * the answer goes under ESP or AH. */
static bool may_ask(const struct store_service *service)
{
    const struct net *net = &service->mesh->net;

    for (size_t i = 0; i < net->peer_count; i++)
        if (ipv6_equal(&net->peers[i].address, &service->mesh->requester))
            return net->peers[i].in != NULL && net->peers[i].out != NULL;
    return false;
}

static char letter_of(const struct block_store_config *config)
{
    return config->mode == BLOCK_STORE_REENCRYPT ? 'A'
           : config->mode == BLOCK_STORE_NEW_ICV ? 'B'
                                                 : 'D';
}

static void text_write(struct writer *out, const char *text)
{
    cbor_head_write(out, CBOR_TEXT, strlen(text));
    writer_str(out, text);
}

static int read_info(void *context, struct writer *out)
{
    const struct store_service *service = context;
    const struct block_store_config *config = &service->store.config;
    const char mode[] = {letter_of(config), '\0'};
    uint32_t oldest;
    uint32_t newest;

    if (!may_ask(service))
        return MOTE_E_AUTH;
    int error = block_store_bounds(&service->store, &oldest, &newest);
    if (error != MOTE_OK)
        return error;
    cbor_head_write(out, CBOR_MAP, 5);
    cbor_head_write(out, CBOR_UNSIGNED, STORE_MODE);
    text_write(out, mode);
    cbor_head_write(out, CBOR_UNSIGNED, STORE_PAYLOAD_SIZE);
    cbor_head_write(out, CBOR_UNSIGNED, config->payload_size);
    cbor_head_write(out, CBOR_UNSIGNED, STORE_OLDEST);
    cbor_head_write(out, CBOR_UNSIGNED, oldest);
    cbor_head_write(out, CBOR_UNSIGNED, STORE_NEWEST);
    cbor_head_write(out, CBOR_UNSIGNED, newest);
    cbor_head_write(out, CBOR_UNSIGNED, STORE_SENSORS);
    cbor_head_write(out, CBOR_ARRAY, 2 * service->equipment->sensor_count);
    for (size_t i = 0; i < service->equipment->sensor_count; i++) {
        text_write(out, service->equipment->sensors[i].path);
        text_write(out, service->equipment->sensors[i].unit);
    }
    return MOTE_OK;
}

/* Resets the association for a transfer in mode D, whose sequence numbers are the block numbers. */
static int post_open(void *context, const uint8_t *payload, size_t len, struct writer *out)
{
    struct store_service *service = context;

    (void)payload;
    (void)len;
    (void)out;
    if (!may_ask(service))
        return MOTE_E_AUTH;
    service->opened = true;
    return MOTE_OK;
}

static int post_send(void *context, const uint8_t *payload, size_t len, struct writer *out)
{
    struct store_service *service = context;
    struct store_request request;
    struct store_burst burst;
    int error;

    if (!may_ask(service))
        return MOTE_E_AUTH;
    error = store_request_read(&request, payload, len);
    if (error != MOTE_OK)
        return error;
    if (service->store.config.mode == BLOCK_STORE_STORED_ICV && !service->opened)
        return MOTE_E_STATE;
    (void)block_store_log_flush(&service->log, &service->store); /* else only stored blocks go */
    error = store_burst_find(&burst, &service->store, &request);
    if (error != MOTE_OK)
        return error;
    store_burst_write(&burst, out);
    service->burst_to = service->mesh->requester;
    service->burst_first = burst.first;
    service->burst = burst.blocks;
    return MOTE_OK;
}

/* Encrypts up to STORE_BURST stored blocks under the new key. */
static int post_rekey(void *context, const uint8_t *payload, size_t len, struct writer *out)
{
    struct store_service *service = context;
    struct block_store_rekeyed rekeyed;

    if (!may_ask(service))
        return MOTE_E_AUTH;
    int error = store_rekey_read(payload, len);
    if (error == MOTE_OK)
        error = block_store_rekey(&service->store, STORE_BURST, &rekeyed);
    if (error == MOTE_OK)
        store_rekey_write(&rekeyed, out);
    /* The store is full and refuses: its operator has to decide. */
    return error == MOTE_E_SPACE ? MOTE_E_STATE : error;
}

/* The packet of the next block of the burst. */
static size_t next_packet(void *context, uint8_t *out, size_t size)
{
    struct store_service *service = context;
    const struct net *net = &service->mesh->net;

    for (uint32_t i = 0; i < STORE_BURST && service->burst != 0; i++) {
        uint32_t number = service->burst_first + i;
        struct stored_block block;
        int len = -1;

        if ((service->burst >> i & 1) == 0)
            continue;
        service->burst &= ~((uint32_t)1 << i);
        if (block_store_find(&service->store, number, 0, UINT32_MAX, &block) == MOTE_OK &&
            block.number == number &&
            net->save_number(net->save_number_context, block_store_sa(&service->store, &block)) ==
                MOTE_OK)
            len = block_store_packet(&service->store, &block, &service->burst_to, out, size);
        if (len > 0) {
            service->sent++;
            return (size_t)len;
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
    service->resources[0] = (struct coap_resource){
        .path = "store/info", .format = COAP_FORMAT_CBOR, .read = read_info, .context = service};
    service->resources[1] = (struct coap_resource){
        .path = "store/open", .format = COAP_FORMAT_CBOR, .post = post_open, .context = service};
    service->resources[2] = (struct coap_resource){
        .path = "store/send", .format = COAP_FORMAT_CBOR, .post = post_send, .context = service};
    service->resources[3] = (struct coap_resource){
        .path = "store/rekey", .format = COAP_FORMAT_CBOR, .post = post_rekey, .context = service};
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
    struct block_store_record record = {
        .sensor = (uint8_t)sensor, .time = (uint32_t)time, .sequence = (uint16_t)seq};
    int error = sensor < BLOCK_STORE_SENSORS_MAX && time <= UINT32_MAX
                    ? block_store_record_value(&record, value)
                    : MOTE_E_SPACE;

    if (error == MOTE_OK)
        error = block_store_log_add(&service->log, &service->store, &record);
    if (error == MOTE_OK) {
        service->unacknowledged++;
        return;
    }
    service->failed++;
    warn(service, error);
}

void store_service_acknowledged(struct store_service *service)
{
    if (service->unacknowledged > 0)
        service->unacknowledged--;
}

void store_service_settle(struct store_service *service)
{
    int error = service->unacknowledged > 0 ? block_store_log_flush(&service->log, &service->store)
                                            : MOTE_OK;

    service->unacknowledged = 0;
    if (error != MOTE_OK) /* the readings wait for the next attempt */
        warn(service, error);
}

void store_service_close(struct store_service *service)
{
    uint32_t oldest = 0;
    uint32_t newest = 0;

    if (service->file.fd < 0)
        return;
    if (block_store_log_flush(&service->log, &service->store) != MOTE_OK)
        service->failed += service->log.count;
    (void)block_store_bounds(&service->store, &oldest, &newest);
    printf("store: blocks %lu to %lu, %lu sent, %lu readings not stored\n", (unsigned long)oldest,
           (unsigned long)newest, (unsigned long)service->sent, (unsigned long)service->failed);
    block_file_close(&service->file);
}
