/*
 * Requests of the endpoint. Links and SenML packs are composed in the buffer of the CoAP response,
 * which is free while no exchange is under way; the signed object stays in `body` until the
 * exchange has ended.
 */
#include "messages.h"

#include "clock.h"
#include "encryption.h"
#include "keep.h"
#include "mote/base.h"
#include "mote/crypto.h"
#include "mote/port/actuator.h"
#include "mote/port/clock.h"
#include "mote/port/random.h"
#include "mote/port/sensor.h"
#include "mote/senml.h"
#include "mote/store.h"
#include "step.h"

enum { ENTROPY_SIZE = 6 };

static size_t length(const char *text)
{
    size_t len = 0;

    while (text[len] != '\0')
        len++;
    return len;
}

static int query(char *out, size_t size, const char *name, const char *value)
{
    struct writer text;

    writer_init(&text, (uint8_t *)out, size);
    writer_str(&text, name);
    writer_str(&text, value);
    writer_u8(&text, '\0');
    return text.failed ? MOTE_E_SPACE : MOTE_OK;
}

static void link_write(struct writer *out, const char *path, const char *type,
                       const char *attributes)
{
    writer_str(out, out->len == 0 ? "</" : ",</");
    writer_str(out, path);
    writer_str(out, ">;rt=\"");
    writer_str(out, type);
    writer_u8(out, '"');
    if (attributes != NULL)
        writer_str(out, attributes);
}

static bool is_actuator(const struct app_config *config, const char *path)
{
    for (size_t i = 0; i < config->actuator_count; i++)
        if (app_text_equal(config->actuators[i].path, path))
            return true;
    return false;
}

/* The links of the resources (RFC 6690); the mirror rewrites the paths. */
static void links_write(struct writer *out, const struct app_config *config)
{
    for (size_t i = 0; i < config->sensor_count; i++) {
        link_write(out, config->sensors[i].path, config->sensors[i].type,
                   config->sensors[i].attributes);
        writer_str(out, is_actuator(config, config->sensors[i].path) ? ";if=\"core.s core.a\";ct="
                                                                     : ";if=\"core.s\";ct=");
        writer_decimal(out, config->cbor ? COAP_FORMAT_SENML_CBOR : COAP_FORMAT_SENML_JSON);
    }
    for (size_t i = 0; i < config->actuator_count; i++) {
        const struct actuator *actuator = &config->actuators[i];
        bool sensed = false;

        for (size_t j = 0; j < config->sensor_count; j++)
            sensed = sensed || app_text_equal(actuator->path, config->sensors[j].path);
        if (sensed) /* the sensor's link serves for both */
            continue;
        link_write(out, actuator->path, actuator->type, NULL);
        writer_str(out, ";if=\"core.a\"");
    }
}

bool app_text_equal(const char *a, const char *b)
{
    size_t i = 0;

    while (a[i] != '\0' && a[i] == b[i])
        i++;
    return a[i] == b[i];
}

static struct piece text_piece(const char *text)
{
    /* Includes the NUL, so that different lists of texts have different octets. */
    return text == NULL ? (struct piece){NULL, 0}
                        : (struct piece){(const uint8_t *)text, length(text) + 1};
}

static int tag_make(struct app *app)
{
    const struct app_config *config = &app->config;
    uint8_t digest[SHA256_SIZE];
    uint8_t numbers[16];
    struct writer links;
    struct writer out;
    struct reader in;

    writer_init(&links, config->coap.answer, config->coap.answer_size);
    links_write(&links, config);
    writer_init(&out, numbers, sizeof numbers);
    writer_u64(&out, config->lifetime);
    writer_u64(&out, config->wake_ms);
    const struct piece pieces[] = {
        text_piece(config->mirror), text_piece(config->ep),
        text_piece(config->domain), text_piece(config->endpoint_type),
        {numbers, sizeof numbers},  {config->coap.answer, writer_len(&links)}};
    sha256_pieces(config->hash, pieces, sizeof pieces / sizeof *pieces, digest);
    reader_init(&in, digest, sizeof digest);
    reader_copy(&in, app->tag, sizeof app->tag);
    return links.failed ? MOTE_E_SPACE : MOTE_OK;
}

int app_prepare_registration(struct app *app)
{
    int error = query(app->ep_query, sizeof app->ep_query, "ep=", app->config.ep);

    app->queries[0] = app->ep_query;
    app->queries[1] = app->domain_query;
    if (error == MOTE_OK && app->config.domain != NULL)
        error = query(app->domain_query, sizeof app->domain_query, "d=", app->config.domain);
    return error == MOTE_OK ? tag_make(app) : error;
}

struct jose_signer app_signer(const struct app *app)
{
    return (struct jose_signer){.hash = app->config.hash,
                                .curve = app->config.curve,
                                .key = app->store.record.key,
                                .point = app->point,
                                .kid = app->kid};
}

int app_request(struct app *app, const struct coap_request *request, uint64_t now)
{
    uint8_t entropy[ENTROPY_SIZE];
    const struct random *random = app->config.random;
    int error = random->fill(random->context, entropy, sizeof entropy);

    if (error != MOTE_OK)
        return error;
    app->confirmable = request->confirmable;
    return coap_client_start(&app->client, request, entropy, now);
}

int app_send_registration(struct app *app, uint64_t now)
{
    const struct app_config *config = &app->config;
    struct jose_signer signer = app_signer(app);
    struct jose_registration registration = {.ep = config->ep,
                                             .domain = config->domain,
                                             .endpoint_type = config->endpoint_type,
                                             .lifetime = config->lifetime,
                                             .wake = (uint32_t)app_seconds(config->wake_ms + 999)};
    struct coap_request request = {.code = COAP_POST,
                                   .confirmable = true,
                                   .path = "ms",
                                   .queries = app->queries,
                                   .query_count = config->domain != NULL ? 2 : 1,
                                   .content_format = COAP_FORMAT_JWS,
                                   .accept = app->mirror_key_known ? COAP_FORMAT_COSE_SIGN1
                                                                   : COAP_FORMAT_NONE,
                                   .payload = config->body};
    uint8_t ephemeral[P256_PUBLIC_SIZE];
    struct writer links;
    struct writer body;
    int error = store_take_number(&app->store, &app->seq);

    if (error == MOTE_OK && config->encryption != NULL) {
        error = config->encryption->offer(app, ephemeral);
        registration.ephemeral = ephemeral;
    }
    if (error != MOTE_OK)
        return error;
    writer_init(&links, config->coap.answer, config->coap.answer_size);
    links_write(&links, config);
    registration.seq = app->seq;
    registration.links = config->coap.answer;
    registration.links_len = writer_len(&links);
    writer_init(&body, config->body, config->body_size);
    error = jose_registration(&body, &signer, &registration);
    if (error != MOTE_OK)
        return error;
    app->body_len = writer_len(&body);
    request.payload_len = app->body_len;
    return app_request(app, &request, now);
}

/* Writes the SenML pack of one record about `path` to the response buffer. Returns its length; 0 if
 * it does not fit. */
static size_t pack_write(const struct app *app, const char *path, struct senml_record *record)
{
    const struct app_config *config = &app->config;
    char name[APP_EP_MAX + 1 + APP_PATH_MAX + 1];
    struct writer out;

    writer_init(&out, (uint8_t *)name, sizeof name);
    writer_str(&out, config->ep);
    writer_u8(&out, '/');
    writer_str(&out, path);
    writer_u8(&out, '\0');
    record->name = name;
    writer_init(&out, config->coap.answer, config->coap.answer_size);
    if ((config->cbor ? senml_cbor : senml_json)(&out, record, 1) != MOTE_OK)
        return 0;
    return writer_len(&out);
}

int app_path_write(struct app *app, const char *path)
{
    struct writer out;

    writer_init(&out, (uint8_t *)app->update_path, sizeof app->update_path);
    writer_str(&out, app->store.record.location);
    if (path != NULL) {
        writer_u8(&out, '/');
        writer_str(&out, path);
    }
    writer_u8(&out, '\0');
    return out.failed ? MOTE_E_SPACE : MOTE_OK;
}

static int update_write(const struct app *app, struct writer *out, const struct jose_update *update)
{
    const struct jose_signer signer = app_signer(app);

    if (app->config.encryption != NULL)
        return app->config.encryption->seal(app, out, update);
    if (app->config.form == APP_FORM_COMPACT)
        return jose_update_compact(out, &signer, update);
    return jose_update(out, &signer, update);
}

int app_send_update(struct app *app, uint64_t now)
{
    const struct app_config *config = &app->config;
    const struct store_record *record = &app->store.record;
    bool refuses = app->state == APP_REFUSING;
    const struct sensor *sensor = refuses ? NULL : &config->sensors[app->sensor];
    bool compact = config->form == APP_FORM_COMPACT || config->encryption != NULL;
    struct jose_update update = {.path = refuses ? APP_RESULT_PATH : sensor->path,
                                 .cbor = config->cbor,
                                 .acknowledges = refuses || record->ack_due,
                                 .ack = refuses ? app->command : record->acted,
                                 .payload = config->coap.answer};
    struct coap_request request = {.code = COAP_PUT,
                                   .confirmable = update.acknowledges || app_will_check(app) ||
                                                  app->unconfirmed + 1 >= config->confirm_every,
                                   .path = app->update_path,
                                   .content_format = compact ? COAP_FORMAT_UPDATE : COAP_FORMAT_JWS,
                                   .accept = COAP_FORMAT_NONE,
                                   .payload = config->body,
                                   .listen_ms = config->listen_ms};
    struct senml_record content = {.value = {(int64_t)app->reason, 0}};
    struct writer body;
    int error;

    if (!refuses && sensor->read(sensor->context, &content.value) != MOTE_OK)
        return MOTE_E_UNSUPPORTED;
    error = app_path_write(app, update.path);
    if (error == MOTE_OK)
        error = store_take_number(&app->store, &app->seq);
    if (error != MOTE_OK)
        return error;
    app->acknowledging = update.acknowledges;
    update.seq = app->seq;
    if (!refuses) {
        app_keep(app, content.value, now);
        content.unit = sensor->unit;
        content.timed = app_time(app, now, &content.time);
    }
    update.payload_len = pack_write(app, update.path, &content);
    if (update.payload_len == 0)
        return MOTE_E_SPACE;
    writer_init(&body, config->body, config->body_size);
    error = update_write(app, &body, &update);
    if (error != MOTE_OK)
        return error;
    request.payload_len = writer_len(&body);
    request.no_response = request.confirmable || config->listen_ms > 0 ? 0 : COAP_NO_RESPONSE_ALL;
    return app_request(app, &request, now);
}
