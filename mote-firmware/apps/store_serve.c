#include "store_serve.h"

#include <string.h>

#include "mote/base.h"
#include "mote/cbor.h"
#include "mote/coap.h"
#include "store_request.h"

static bool may_ask(const struct store_serve *serve, struct ipv6_address *requester)
{
    return serve->node.may_ask(serve->node.context, requester);
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
    const struct store_serve *serve = context;
    const struct block_store_config *config = &serve->store.config;
    struct ipv6_address requester;
    const char mode[] = {letter_of(config), '\0'};
    uint32_t oldest;
    uint32_t newest;

    if (!may_ask(serve, &requester))
        return MOTE_E_AUTH;
    int error = block_store_bounds(&serve->store, &oldest, &newest);
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
    cbor_head_write(out, CBOR_ARRAY, 2 * serve->node.sensor_count);
    for (size_t i = 0; i < serve->node.sensor_count; i++) {
        text_write(out, serve->node.sensors[i].path);
        text_write(out, serve->node.sensors[i].unit);
    }
    return MOTE_OK;
}

/* Resets the association for a transfer in mode D, whose sequence numbers are the block numbers. */
static int post_open(void *context, const uint8_t *payload, size_t len, struct writer *out)
{
    struct store_serve *serve = context;
    struct ipv6_address requester;

    (void)payload;
    (void)len;
    (void)out;
    if (!may_ask(serve, &requester))
        return MOTE_E_AUTH;
    serve->opened = true;
    return MOTE_OK;
}

static int post_send(void *context, const uint8_t *payload, size_t len, struct writer *out)
{
    struct store_serve *serve = context;
    struct ipv6_address requester;
    struct store_request request;
    struct store_burst burst;
    int error;

    if (!may_ask(serve, &requester))
        return MOTE_E_AUTH;
    error = store_request_read(&request, payload, len);
    if (error != MOTE_OK)
        return error;
    if (serve->store.config.mode == BLOCK_STORE_STORED_ICV && !serve->opened)
        return MOTE_E_STATE;
    (void)block_store_log_flush(&serve->log, &serve->store); /* else only stored blocks go */
    error = store_burst_find(&burst, &serve->store, &request);
    if (error != MOTE_OK)
        return error;
    store_burst_write(&burst, out);
    serve->burst_to = requester;
    serve->burst_first = burst.first;
    serve->burst = burst.blocks;
    return MOTE_OK;
}

/* Encrypts up to STORE_BURST stored blocks under the new key. */
static int post_rekey(void *context, const uint8_t *payload, size_t len, struct writer *out)
{
    struct store_serve *serve = context;
    struct ipv6_address requester;
    struct block_store_rekeyed rekeyed;

    if (!may_ask(serve, &requester))
        return MOTE_E_AUTH;
    int error = store_rekey_read(payload, len);
    if (error == MOTE_OK)
        error = block_store_rekey(&serve->store, STORE_BURST, &rekeyed);
    if (error == MOTE_OK)
        store_rekey_write(&rekeyed, out);
    /* The store is full and refuses: its operator has to decide. */
    return error == MOTE_E_SPACE ? MOTE_E_STATE : error;
}

size_t store_serve_packet(struct store_serve *serve, uint8_t *out, size_t size)
{
    for (uint32_t i = 0; i < STORE_BURST && serve->burst != 0; i++) {
        uint32_t number = serve->burst_first + i;
        struct stored_block block;
        int len = -1;

        if ((serve->burst >> i & 1) == 0)
            continue;
        serve->burst &= ~((uint32_t)1 << i);
        if (block_store_find(&serve->store, number, 0, UINT32_MAX, &block) == MOTE_OK &&
            block.number == number &&
            serve->node.save_number(serve->node.context, block_store_sa(&serve->store, &block)) ==
                MOTE_OK)
            len = block_store_packet(&serve->store, &block, &serve->burst_to, out, size);
        if (len > 0) {
            serve->sent++;
            return (size_t)len;
        }
    }
    return 0;
}

/* ---- the life of the store ---- */

const char *const store_serve_paths[STORE_SERVE_RESOURCES] = {"store/info", "store/open",
                                                              "store/send", "store/rekey"};

int store_serve_open(struct store_serve *serve, const struct block_store_config *config,
                     const struct store_node *node, const char *const paths[STORE_SERVE_RESOURCES])
{
    memset(serve, 0, sizeof *serve);
    serve->node = *node;
    serve->resources[0] = (struct coap_resource){
        .path = paths[0], .format = COAP_FORMAT_CBOR, .read = read_info, .context = serve};
    serve->resources[1] = (struct coap_resource){
        .path = paths[1], .format = COAP_FORMAT_CBOR, .post = post_open, .context = serve};
    serve->resources[2] = (struct coap_resource){
        .path = paths[2], .format = COAP_FORMAT_CBOR, .post = post_send, .context = serve};
    serve->resources[3] = (struct coap_resource){
        .path = paths[3], .format = COAP_FORMAT_CBOR, .post = post_rekey, .context = serve};
    return block_store_open(&serve->store, config);
}

int store_serve_keep(struct store_serve *serve, size_t sensor, struct decimal value, uint64_t time,
                     uint64_t seq)
{
    struct block_store_record record = {
        .sensor = (uint8_t)sensor, .time = (uint32_t)time, .sequence = (uint16_t)seq};
    int error = sensor < BLOCK_STORE_SENSORS_MAX && time <= UINT32_MAX
                    ? block_store_record_value(&record, value)
                    : MOTE_E_SPACE;

    if (error == MOTE_OK)
        error = block_store_log_add(&serve->log, &serve->store, &record);
    if (error == MOTE_OK)
        serve->unacknowledged++;
    else
        serve->failed++;
    return error;
}

void store_serve_acknowledged(struct store_serve *serve)
{
    if (serve->unacknowledged > 0)
        serve->unacknowledged--;
}

int store_serve_settle(struct store_serve *serve)
{
    int error =
        serve->unacknowledged > 0 ? block_store_log_flush(&serve->log, &serve->store) : MOTE_OK;

    serve->unacknowledged = 0;
    return error;
}
