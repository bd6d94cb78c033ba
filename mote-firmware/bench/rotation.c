#include "rotation.h"

#include <string.h>

#include "mote/base.h"
#include "mote/jose.h"

enum { HEADER = 192, LINKS = 128, PAUSE_MS = 60 * 1000, FIRST_MESSAGE = 2, ENTROPY = 6 };

int rotation_want(struct rotation *rotation, const struct p256 *curve, const struct random *random)
{
    int error;

    if (rotation->state != ROTATION_IDLE)
        return MOTE_OK;
    error = curve->generate(curve->context, random, rotation->key);
    if (error == MOTE_OK)
        rotation->state = ROTATION_PENDING;
    return error;
}

static void report_key(const struct app *app)
{
    app->config.report(app->config.report_context,
                       &(struct app_event){.kind = APP_EVENT_KEY, .text = app->kid});
}

void rotation_resume(struct rotation *rotation, const struct app *app)
{
    rotation->retry_at = 0;
    if (rotation->state == ROTATION_UNDER_WAY)
        rotation->state = ROTATION_PENDING;
    /* Power failed after the new key was stored and before it was reported. */
    if (equal_ct(rotation->key, app->store.record.key, sizeof rotation->key)) {
        rotation->state = ROTATION_IDLE;
        report_key(app);
    }
}

/* Only a registered endpoint with certain sequence numbers rotates its key. */
static bool may_begin(const struct app *app)
{
    return app->state == APP_SLEEPING && app->store.record.location[0] != '\0' &&
           app->mirror_key_known && !app->store.slots.uncertain;
}

uint64_t rotation_deadline(const struct rotation *rotation, const struct app *app)
{
    switch (rotation->state) {
    case ROTATION_IDLE:
        break;
    case ROTATION_PENDING:
        return may_begin(app) ? rotation->retry_at : UINT64_MAX;
    case ROTATION_UNDER_WAY:
        return coap_client_deadline(&rotation->client);
    }
    return UINT64_MAX;
}

/* ---- the message ---- */

static size_t links_write(struct writer *out, const struct app_config *config)
{
    for (size_t i = 0; i < config->sensor_count + config->actuator_count; i++) {
        bool sensor = i < config->sensor_count;
        const char *path =
            sensor ? config->sensors[i].path : config->actuators[i - config->sensor_count].path;

        writer_str(out, i == 0 ? "</" : ",</");
        writer_str(out, path);
        writer_str(out, ">");
    }
    return writer_len(out);
}

static struct jose_signer signer_of(const struct app *app, const uint8_t *key, const uint8_t *point,
                                    const char *kid)
{
    return (struct jose_signer){.hash = app->config.hash,
                                .curve = app->config.curve,
                                .key = key,
                                .point = point,
                                .kid = kid};
}

/* Writes the registration signed by the new key. */
static int inner_write(struct writer *out, const struct rotation *rotation, const struct app *app,
                       uint64_t seq)
{
    const struct app_config *config = &app->config;
    uint8_t point[P256_PUBLIC_SIZE];
    uint8_t links[LINKS];
    char kid[JOSE_JKT_LEN + 1];
    struct writer text;
    int error = config->curve->public_key(config->curve->context, rotation->key, point);

    if (error != MOTE_OK)
        return error;
    jwk_thumbprint(config->hash, point, kid);
    writer_init(&text, links, sizeof links);
    const struct jose_signer signer = signer_of(app, rotation->key, point, kid);
    const struct jose_registration registration = {.ep = config->ep,
                                                   .domain = config->domain,
                                                   .lifetime = config->lifetime,
                                                   .wake =
                                                       (uint32_t)((config->wake_ms + 999) / 1000),
                                                   .seq = seq,
                                                   .links = links,
                                                   .links_len = links_write(&text, config)};
    return jose_registration(out, &signer, &registration);
}

static int rotation_write(struct rotation *rotation, struct app *app)
{
    const struct jose_signer old = signer_of(app, app->store.record.key, app->point, app->kid);
    uint8_t header[HEADER];
    struct writer inner, head, body;
    uint64_t seq;
    int error = store_take_number(&app->store, &seq);

    writer_init(&inner, rotation->inner, sizeof rotation->inner);
    if (error == MOTE_OK)
        error = inner_write(&inner, rotation, app, seq);
    if (error != MOTE_OK)
        return error;
    writer_init(&head, header, sizeof header);
    writer_str(&head, "{\"alg\":\"ES256\",\"typ\":\"vigil-rotate\",\"cty\":\"jose\",\"kid\":");
    json_string(&head, app->kid);
    writer_str(&head, ",\"seq\":");
    writer_decimal(&head, seq);
    writer_u8(&head, '}');
    writer_init(&body, rotation->body, sizeof rotation->body);
    error = jws_sign(&body, &old, header, writer_len(&head), rotation->inner, writer_len(&inner));
    rotation->body_len = writer_len(&body);
    return head.failed ? MOTE_E_SPACE : error;
}

static int rotation_send(struct rotation *rotation, struct app *app, uint64_t now)
{
    struct coap_client_config config = app->config.coap;
    const struct coap_request request = {.code = COAP_POST,
                                         .confirmable = true,
                                         .path = "ms",
                                         .queries = app->queries,
                                         .query_count = app->config.domain != NULL ? 2 : 1,
                                         .content_format = COAP_FORMAT_JWS,
                                         .accept = COAP_FORMAT_COSE_SIGN1,
                                         .payload = rotation->body,
                                         .payload_len = rotation->body_len};
    uint8_t entropy[FIRST_MESSAGE + ENTROPY];
    int error = app->config.random->fill(app->config.random->context, entropy, sizeof entropy);

    config.datagram = rotation->datagram;
    config.datagram_size = sizeof rotation->datagram;
    config.answer = rotation->answer;
    config.answer_size = sizeof rotation->answer;
    coap_client_init(&rotation->client, &config, (uint16_t)(entropy[0] << 8 | entropy[1]));
    return error == MOTE_OK
               ? coap_client_start(&rotation->client, &request, entropy + FIRST_MESSAGE, now)
               : error;
}

/* ---- the answer ---- */

/*
 * Makes the new key the endpoint's, in one write. Without a location the endpoint registers first.
 */
static void take_key(struct rotation *rotation, struct app *app, const char *location, uint64_t now)
{
    const struct app_config *config = &app->config;

    memcpy(app->store.record.key, rotation->key, sizeof rotation->key);
    if (store_set_location(&app->store, location, app->tag) != MOTE_OK)
        return; /* power has failed */
    (void)config->curve->public_key(config->curve->context, app->store.record.key, app->point);
    jwk_thumbprint(config->hash, app->point, app->kid);
    rotation->state = ROTATION_IDLE;
    report_key(app);
    app->unconfirmed = 64;
    if (location[0] == '\0' || config->encryption != NULL) {
        app->renew_at = now;
        if (app->wake_at > now + PAUSE_MS)
            app->wake_at = now;
    }
}

static void answered(struct rotation *rotation, struct app *app, uint64_t now)
{
    const struct coap_answer *answer = &rotation->client.answer;
    const struct piece request = {rotation->body, rotation->body_len};
    struct jose_answer said;
    bool verified = answer->content_format == COAP_FORMAT_COSE_SIGN1 &&
                    jose_answer_open(app->config.hash, app->config.curve, app->mirror_key, &request,
                                     answer->payload, answer->payload_len, &said) == MOTE_OK;

    if (answer->code >> 5 == 2 || answer->code == COAP_CONFLICT) {
        if (verified && said.highest >= app->store.next)
            (void)store_raise(&app->store, said.highest);
        if (verified && answer->code >> 5 == 2)
            take_key(rotation, app, answer->location, now);
        return;
    }
    /* The mirror has the new key already and its answer was lost, or it knows neither. */
    if (answer->code >> 5 == 4 && answer->code != COAP_TOO_MANY)
        take_key(rotation, app, "", now);
}

static void after(struct rotation *rotation, struct app *app, enum coap_event event, uint64_t now)
{
    if (event == COAP_NOTHING)
        return;
    rotation->state = ROTATION_PENDING;
    rotation->retry_at = now + PAUSE_MS;
    if (event == COAP_ANSWERED)
        answered(rotation, app, now);
}

void rotation_poll(struct rotation *rotation, struct app *app, uint64_t now)
{
    if (rotation->state == ROTATION_UNDER_WAY) {
        after(rotation, app, coap_client_tick(&rotation->client, now), now);
    } else if (rotation->state == ROTATION_PENDING && may_begin(app) && now >= rotation->retry_at) {
        rotation->retry_at = now + PAUSE_MS;
        if (rotation_write(rotation, app) == MOTE_OK &&
            rotation_send(rotation, app, now) == MOTE_OK)
            rotation->state = ROTATION_UNDER_WAY;
    }
}

void rotation_receive(struct rotation *rotation, struct app *app, const uint8_t *datagram,
                      size_t len, uint64_t now)
{
    after(rotation, app, coap_client_receive(&rotation->client, datagram, len, now), now);
}
