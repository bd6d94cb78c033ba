#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int storage_read(void *context, unsigned slot, size_t at, uint8_t *out, size_t len)
{
    const struct fake_storage *storage = context;

    if (storage->dark)
        return MOTE_E_IO;
    memcpy(out, storage->slots[slot] + at, len);
    return MOTE_OK;
}

/* Sets the octets that the cut write did not reach. */
static void leave(uint8_t *octets, size_t len, enum fake_rest rest)
{
    switch (rest) {
    case FAKE_ERASED:
        memset(octets, 0xff, len);
        break;
    case FAKE_ZEROS:
        memset(octets, 0, len);
        break;
    case FAKE_ANYTHING:
        for (size_t i = 0; i < len; i++)
            octets[i] = (uint8_t)(octets[i] * 181 + i * 109 + 7);
        break;
    case FAKE_OLD:
    case FAKE_RESTS:
        break;
    }
}

static int storage_write(void *context, unsigned slot, size_t at, const uint8_t *data, size_t len)
{
    struct fake_storage *storage = context;
    uint8_t *to = storage->slots[slot] + at;

    if (storage->dark)
        return MOTE_E_IO;
    if (at + len > FAKE_SLOT_SIZE)
        abort();
    storage->writes++;
    storage->erases[slot] += at == 0;
    if (storage->cut_at == storage->writes) {
        size_t reached = storage->torn < len ? storage->torn : len;

        leave(to, at == 0 ? FAKE_SLOT_SIZE : len, storage->rest);
        memcpy(to, data, reached);
        storage->dark = true;
        return MOTE_E_IO;
    }
    if (at == 0)
        memset(to, 0xff, FAKE_SLOT_SIZE);
    for (size_t i = 0; i < len; i++)
        to[i] &= data[i];
    return MOTE_OK;
}

void fake_storage_init(struct fake_storage *storage)
{
    memset(storage, 0, sizeof *storage);
    memset(storage->slots, 0xff, sizeof storage->slots);
    storage->port = (struct storage){storage_read, storage_write, FAKE_SLOT_SIZE, storage};
}

void fake_power_on(struct fake_storage *storage)
{
    storage->dark = false;
    storage->cut_at = 0;
    storage->writes = 0;
}

static int wire_send(void *context, const uint8_t *datagram, size_t len)
{
    struct fake_wire *wire = context;

    if (wire->count == FAKE_SENT_MAX || len > FAKE_DATAGRAM_MAX)
        abort(); /* a test that sends more than it examines is wrong */
    memcpy(wire->sent[wire->count], datagram, len);
    wire->lengths[wire->count++] = len;
    return MOTE_OK;
}

void fake_wire_init(struct fake_wire *wire)
{
    memset(wire, 0, sizeof *wire);
    wire->port = (struct wire){.send = wire_send, .context = wire};
}

bool fake_sent(const struct fake_wire *wire, size_t i, struct coap_message *message)
{
    return i < wire->count && coap_parse(message, wire->sent[i], wire->lengths[i]) == MOTE_OK;
}

bool fake_option(const struct coap_message *message, uint16_t number, struct coap_option *option)
{
    struct coap_options options;

    coap_options_begin(&options, message);
    while (coap_options_next(&options, option))
        if (option->number == number)
            return true;
    return false;
}

static int random_roll(void *context, uint8_t *out, size_t len)
{
    struct fake_mote *mote = context;

    for (size_t i = 0; i < len; i++) {
        mote->dice = mote->dice * 6364136223846793005U + 1442695040888963407U;
        out[i] = (uint8_t)(mote->dice >> 56);
    }
    return MOTE_OK;
}

static int sensor_read(void *context, struct decimal *value)
{
    const struct fake_mote *mote = context;

    *value = mote->reading;
    return mote->sensor_broken ? MOTE_E_IO : MOTE_OK;
}

static void keep_event(void *context, const struct app_event *event)
{
    struct fake_mote *mote = context;
    size_t i = mote->event_count;

    if (i == FAKE_EVENTS_MAX)
        abort();
    mote->events[i] = *event;
    if (event->text != NULL) {
        snprintf(mote->texts[i], sizeof mote->texts[i], "%s", event->text);
        mote->events[i].text = mote->texts[i];
    }
    mote->event_count++;
}

void fake_mote_init(struct fake_mote *mote)
{
    memset(mote, 0, sizeof *mote);
    fake_storage_init(&mote->storage);
    fake_wire_init(&mote->wire);
    mote->now = 1000;
    mote->dice = 1;
    mote->reading = (struct decimal){231, 1};
    bearssl_sha256(&mote->hash, &mote->hash_state);
    bearssl_p256(&mote->curve, &br_ec_p256_m31);
    mote->random = (struct random){.fill = random_roll, .context = mote};
    mote->sensors[0] = (struct sensor){
        .path = "load", .type = "load", .unit = "/", .read = sensor_read, .context = mote};
    mote->sensors[1] = (struct sensor){
        .path = "memory", .type = "memory", .unit = "B", .read = sensor_read, .context = mote};
    mote->config = (struct app_config){.ep = "mote-1",
                                       .mirror = "coap://[::1]",
                                       .lifetime = 86400,
                                       .wake_ms = 10000,
                                       .backoff_max_ms = 60000,
                                       .listen_ms = 500,
                                       .confirm_every = 64,
                                       .sensors = mote->sensors,
                                       .sensor_count = 2,
                                       .storage = &mote->storage.port,
                                       .random = &mote->random,
                                       .hash = &mote->hash,
                                       .curve = &mote->curve,
                                       .coap = {.wire = &mote->wire.port,
                                                .datagram = mote->datagram,
                                                .datagram_size = sizeof mote->datagram,
                                                .answer = mote->answer,
                                                .answer_size = sizeof mote->answer,
                                                .block_szx = COAP_SZX_MAX,
                                                .ack_timeout_ms = 2000,
                                                .max_retransmit = 2,
                                                .separate_ms = 10000},
                                       .body = mote->body,
                                       .body_size = sizeof mote->body,
                                       .report = keep_event,
                                       .report_context = mote};
}

int fake_mote_boot(struct fake_mote *mote)
{
    int error = app_init(&mote->app, &mote->config);

    return error == MOTE_OK ? app_start(&mote->app, mote->now) : error;
}

bool fake_mote_step(struct fake_mote *mote, uint64_t limit)
{
    uint64_t deadline = app_deadline(&mote->app);

    if (deadline > mote->now + limit)
        return false;
    if (deadline > mote->now)
        mote->now = deadline;
    app_poll(&mote->app, mote->now);
    return true;
}

struct coap_message fake_newest(const struct fake_mote *mote)
{
    struct coap_message message;

    if (!fake_sent(&mote->wire, mote->wire.count - 1, &message))
        abort();
    return message;
}

const struct app_event *fake_last_event(const struct fake_mote *mote)
{
    return &mote->events[mote->event_count - 1];
}

void fake_answer(struct fake_mote *mote, uint8_t code, const char *location, const char *payload)
{
    uint8_t datagram[FAKE_DATAGRAM_MAX];
    struct coap_message request = fake_newest(mote);
    struct coap_builder builder;
    struct writer out;

    writer_init(&out, datagram, sizeof datagram);
    coap_begin(&builder, &out, request.type == COAP_CON ? COAP_ACK : COAP_NON, code,
               request.type == COAP_CON ? request.id : 0x7000, request.token, request.token_len);
    if (location != NULL)
        coap_add_parts(&builder, COAP_LOCATION_PATH, location, '/');
    if (payload != NULL)
        coap_payload(&builder, (const uint8_t *)payload, strlen(payload));
    app_receive(&mote->app, datagram, writer_len(&out), mote->now);
}

void fake_answer_later(struct fake_mote *mote, uint8_t code, uint32_t max_age)
{
    uint8_t datagram[64];
    struct coap_message request = fake_newest(mote);
    struct coap_builder builder;
    struct writer out;

    writer_init(&out, datagram, sizeof datagram);
    coap_begin(&builder, &out, COAP_ACK, code, request.id, request.token, request.token_len);
    coap_add_uint(&builder, COAP_MAX_AGE, max_age);
    app_receive(&mote->app, datagram, writer_len(&out), mote->now);
}

uint64_t fake_sent_seq(const struct fake_mote *mote, size_t i)
{
    char header[1024] = "";
    struct coap_message message;
    struct writer out;
    const char *found;
    size_t len = 0;

    if (!fake_sent(&mote->wire, i, &message))
        return 0;
    while (len < message.payload_len && message.payload[len] != '.')
        len++;
    writer_init(&out, (uint8_t *)header, sizeof header - 1);
    if (len == message.payload_len || base64url_read(&out, message.payload, len) != MOTE_OK)
        return 0;
    found = strstr(header, "\"seq\":");
    return found == NULL ? 0 : strtoull(found + 6, NULL, 10);
}
