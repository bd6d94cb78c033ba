/* Commands, with a scripted mirror and generated commander keys. */
#include "harness.h"
#include "mote/app.h"
#include "support/fake.h"

enum { COMMANDS = 4 };

static struct fake_mote mote;

struct commander {
    uint8_t key[P256_PRIVATE_SIZE];
    uint8_t point[P256_PUBLIC_SIZE];
    char kid[JOSE_JKT_LEN + 1];
};

static struct commander operator_key, stranger, successor;
static uint8_t built_in[1][P256_PUBLIC_SIZE];

/* The commands that the actuator received. */
static unsigned acted;
static char received[64];
static int answer_of_actuator;

/* The mirror: pending commands and acknowledgements. */
static struct {
    uint64_t seq;
    const char *path;
    char jws[1400];
    bool acknowledged;
    int reason;     /* of a refusal; 0: none */
    bool cancelled; /* listed, but no longer served */
} waiting[COMMANDS];
static size_t waiting_count;
/* In a closed domain the mirror lists commands only to the source of a message that it accepted
 * within the last five minutes: `heard_at`, in ms. */
static bool closed_domain;
static uint64_t heard_at;
/* The mirror's answer to the request for a command, or for the list; 0: the usual answer. */
static uint8_t answer_to_command, answer_to_list;
/* False for a mirror without support for results, which answers them with 4.04. */
static bool knows_results;

static int act(void *context, const char *cty, const uint8_t *payload, size_t len)
{
    (void)context;
    acted++;
    CHECK(strcmp(cty, "application/senml+json") == 0);
    snprintf(received, sizeof received, "%.*s", (int)len, (const char *)payload);
    return answer_of_actuator;
}

static const struct actuator actuators[] = {{"led", "led", act, NULL}};

static struct commander make_commander(uint8_t seed)
{
    struct commander made;

    memset(made.key, seed, sizeof made.key);
    if (mote.curve.public_key(mote.curve.context, made.key, made.point) != MOTE_OK)
        abort();
    jwk_thumbprint(&mote.hash, made.point, made.kid);
    return made;
}

static void begin(void)
{
    fake_mote_init(&mote);
    operator_key = make_commander(3);
    stranger = make_commander(4);
    successor = make_commander(5);
    memcpy(built_in[0], operator_key.point, sizeof built_in[0]);
    mote.config.commands = &app_commands;
    mote.config.check_every = 1;
    mote.config.actuators = actuators;
    mote.config.actuator_count = 1;
    mote.config.commanders = (const uint8_t(*)[P256_PUBLIC_SIZE])built_in;
    mote.config.commander_count = 1;
    mote.config.sensor_count = 1;
    acted = 0;
    answer_of_actuator = MOTE_OK;
    waiting_count = 0;
    closed_domain = false;
    heard_at = 0;
    answer_to_command = answer_to_list = 0;
    knows_results = true;
    memset(waiting, 0, sizeof waiting);
}

/* Queues a JWS with this header, in which %s stands for the kid. */
static void queue_header(const struct commander *by, const char *path, uint64_t seq,
                         const char *format, const char *payload)
{
    const struct jose_signer signer = {&mote.hash, &mote.curve, by->key, by->point, by->kid};
    char header[512];
    struct writer out;

    snprintf(header, sizeof header, format, by->kid);
    writer_init(&out, (uint8_t *)waiting[waiting_count].jws, sizeof waiting[waiting_count].jws - 1);
    if (jws_sign(&out, &signer, (const uint8_t *)header, strlen(header), (const uint8_t *)payload,
                 strlen(payload)) != MOTE_OK)
        abort();
    waiting[waiting_count].jws[writer_len(&out)] = '\0';
    waiting[waiting_count].seq = seq;
    waiting[waiting_count++].path = path;
}

static void queue(const struct commander *by, const char *path, uint64_t seq, const char *payload)
{
    char format[300];

    snprintf(format, sizeof format,
             "{\"alg\":\"ES256\",\"typ\":\"vigil-cmd\",\"cty\":\"application/senml+json\","
             "\"kid\":\"%%s\",\"ep\":\"mote-1\",\"res\":\"%s\",\"seq\":%d}",
             path, (int)seq);
    queue_header(by, path, seq, format, payload);
}

static bool has_option(const struct coap_message *message, uint16_t number, const char *value)
{
    struct coap_options options;
    struct coap_option option;

    coap_options_begin(&options, message);
    while (coap_options_next(&options, &option))
        if (option.number == number && option.len == strlen(value) &&
            memcmp(option.value, value, option.len) == 0)
            return true;
    return false;
}

/* The decoded header of the update in the message. */
static const char *header_of(const struct coap_message *message)
{
    static char header[512];
    struct writer out;
    size_t len = 0;

    while (len < message->payload_len && message->payload[len] != '.')
        len++;
    memset(header, 0, sizeof header);
    writer_init(&out, (uint8_t *)header, sizeof header - 1);
    (void)base64url_read(&out, message->payload, len);
    return header;
}

static void answer_list(void)
{
    char list[512] = "";

    for (size_t i = 0; i < waiting_count; i++)
        if (!waiting[i].acknowledged && waiting[i].reason == 0)
            snprintf(list + strlen(list), sizeof list - strlen(list),
                     "%s</ms/7/%s?command=%d>;ct=65100", *list != '\0' ? "," : "", waiting[i].path,
                     (int)waiting[i].seq);
    fake_answer(&mote, COAP_CONTENT, NULL, list);
}

static void answer_get(const struct coap_message *message)
{
    char query[32];

    if (has_option(message, COAP_URI_PATH, "keys")) {
        fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
        return;
    }
    if (closed_domain && mote.now - heard_at >= 300000) {
        fake_answer(&mote, COAP_FORBIDDEN, NULL, NULL);
        return;
    }
    if (has_option(message, COAP_URI_QUERY, "pending")) {
        if (answer_to_list != 0)
            fake_answer_later(&mote, answer_to_list, 45);
        else
            answer_list();
        return;
    }
    if (answer_to_command != 0) {
        fake_answer_later(&mote, answer_to_command, 45);
        return;
    }
    for (size_t i = 0; i < waiting_count; i++) {
        snprintf(query, sizeof query, "command=%d", (int)waiting[i].seq);
        if (!waiting[i].cancelled && has_option(message, COAP_URI_QUERY, query) &&
            has_option(message, COAP_URI_PATH, waiting[i].path)) {
            fake_answer(&mote, COAP_CONTENT, NULL, waiting[i].jws);
            return;
        }
    }
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
}

/* The value of the first record in the update's JWS. */
static int value_of(const struct coap_message *message)
{
    char pack[300] = "";
    struct writer out;
    const uint8_t *dot = memchr(message->payload, '.', message->payload_len);
    const uint8_t *end;
    const char *value;

    if (dot++ == NULL)
        return 0;
    end = memchr(dot, '.', message->payload_len - (size_t)(dot - message->payload));
    writer_init(&out, (uint8_t *)pack, sizeof pack - 1);
    if (end == NULL || base64url_read(&out, dot, (size_t)(end - dot)) != MOTE_OK)
        return 0;
    value = strstr(pack, "\"v\":");
    return value == NULL ? 0 : atoi(value + 4);
}

static void take_update(const struct coap_message *message)
{
    char ack[32];
    bool refusal = has_option(message, COAP_URI_PATH, ".result");

    if (refusal && !knows_results) {
        fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
        return;
    }
    for (size_t i = 0; i < waiting_count; i++) {
        snprintf(ack, sizeof ack, "\"ack\":%d}", (int)waiting[i].seq);
        if (strstr(header_of(message), ack) != NULL) {
            CHECK_INT(message->type, COAP_CON);
            if (refusal)
                waiting[i].reason = value_of(message);
            else
                waiting[i].acknowledged = true;
        }
    }
    heard_at = mote.now;
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
}

/* Answers all requests until the mote sleeps or loses power. */
static void mirror_serves(void)
{
    struct coap_message message;

    mote.wire.count = 0;
    if (!fake_mote_step(&mote, 4000000))
        abort();
    for (int turn = 0; turn < 40 && mote.app.state != APP_SLEEPING && mote.wire.count > 0; turn++) {
        if (!fake_sent(&mote.wire, mote.wire.count - 1, &message))
            abort();
        if (message.code == COAP_GET) {
            answer_get(&message);
        } else if (message.code == COAP_POST) {
            heard_at = mote.now;
            fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
        } else {
            take_update(&message);
        }
    }
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

static const struct app_event *command_event(void)
{
    for (size_t i = mote.event_count; i > 0; i--)
        if (mote.events[i - 1].kind == APP_EVENT_COMMAND)
            return &mote.events[i - 1];
    return NULL;
}

TEST(carries_out_a_command_and_acknowledges_it_with_its_reading)
{
    struct coap_message message;

    begin();
    queue(&operator_key, "led", 3, "[{\"n\":\"led\",\"v\":1}]");
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    CHECK_INT(acted, 1);
    CHECK(strcmp(received, "[{\"n\":\"led\",\"v\":1}]") == 0);
    CHECK(waiting[0].acknowledged);
    CHECK(command_event() != NULL && command_event()->error == MOTE_OK);
    /* key, registration, update, list, command, update, and the list again */
    CHECK_INT(mote.wire.count, 7);
    REQUIRE(fake_sent(&mote.wire, 5, &message));
    CHECK_INT(message.code, COAP_PUT);
    mirror_serves(); /* a reading without an acknowledgement, an empty list */
    CHECK_INT(acted, 1);
    CHECK_INT(mote.wire.count, 2);
    REQUIRE(fake_sent(&mote.wire, 0, &message));
    CHECK_INT(message.type, COAP_CON);
    CHECK(strstr(header_of(&message), "ack") == NULL);
}

static uint64_t kept[8];
static size_t kept_count;

static void keep(void *context, size_t sensor, struct decimal value, uint64_t time, uint64_t seq)
{
    (void)context;
    (void)value;
    (void)time;
    CHECK_INT(sensor, 0);
    kept[kept_count++ % 8] = seq;
}

static bool read_time(void *context, uint64_t *seconds)
{
    (void)context;
    *seconds = 1800000000;
    return true;
}

TEST(keeps_the_reading_that_follows_a_command_once)
{
    static const struct wall_clock clock = {.read = read_time};

    begin();
    mote.config.keep = keep;
    mote.config.clock = &clock;
    kept_count = 0;
    queue(&operator_key, "led", 3, "[{\"n\":\"led\",\"v\":1}]");
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    CHECK(waiting[0].acknowledged);
    CHECK_INT(kept_count, 2);
    CHECK(kept[0] > 0 && kept[1] > kept[0]);
    mirror_serves();
    CHECK_INT(kept_count, 3);
}

TEST(handles_queued_commands_one_by_one_and_four_per_wake_up)
{
    begin();
    mote.config.sensor_count = 2;
    for (int seq = 1; seq <= COMMANDS; seq++)
        queue(&operator_key, "led", (uint64_t)seq, "[{\"v\":1}]");
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    CHECK_INT(acted, 4);
    mirror_serves();
    CHECK_INT(acted, 4);
    for (int i = 0; i < COMMANDS; i++)
        CHECK(waiting[i].acknowledged);
}

TEST(asks_only_as_often_as_configured)
{
    unsigned asked = 0;

    begin();
    mote.config.check_every = 3;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    for (int wake = 0; wake < 9; wake++) {
        mirror_serves();
        for (size_t i = 0; i < mote.wire.count; i++) {
            struct coap_message message;

            REQUIRE(fake_sent(&mote.wire, i, &message));
            asked += has_option(&message, COAP_URI_QUERY, "pending");
        }
    }
    CHECK_INT(asked, 3);
}

TEST(loses_no_command_when_the_mirror_cannot_serve_it)
{
    static const uint8_t codes[] = {COAP_UNAVAILABLE, COAP_TOO_MANY,    COAP_FORBIDDEN,
                                    COAP_CONFLICT,    COAP_BAD_REQUEST, COAP_BAD_OPTION};

    for (size_t i = 0; i < sizeof codes; i++) {
        begin();
        mote.config.sensor_count = 2;
        queue(&operator_key, "led", 1, "[{\"v\":1}]");
        queue(&operator_key, "led", 2, "[{\"v\":2}]");
        answer_to_command = codes[i];
        REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
        mirror_serves();
        /* key, registration, update, list, command, and the other reading */
        CHECK_INT(mote.wire.count, 6);
        CHECK_INT(fake_newest(&mote).code, COAP_PUT);
        CHECK_INT(mote.app.store.record.command, 0);
        CHECK_INT(mote.app.wake_at - mote.now, i < 2 ? 45000 : 10000);
        answer_to_command = 0;
        mirror_serves();
        CHECK_INT(acted, 2);
        CHECK(waiting[0].acknowledged && waiting[1].acknowledged);
    }
}

TEST(a_command_that_does_not_fit_delays_no_reading)
{
    char payload[600];

    begin();
    memset(payload, '1', sizeof payload);
    payload[sizeof payload - 1] = '\0';
    mote.config.sensor_count = 2;
    mote.config.body_size = 1000;
    queue(&operator_key, "led", 1, payload);
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    for (unsigned wake = 0; wake < 5; wake++) {
        mirror_serves();
        CHECK_INT(mote.now, 1000 + wake * 10000);
        CHECK_INT(fake_newest(&mote).code, wake == 0 ? COAP_GET : COAP_PUT);
        CHECK_INT(mote.app.accepted, 2 * (wake + 1));
    }
    CHECK_INT(acted, 0);
    CHECK_INT(waiting[0].reason, 413);
}

TEST(skips_a_command_that_the_mirror_has_closed)
{
    begin();
    queue(&operator_key, "led", 1, "[{\"v\":1}]");
    queue(&operator_key, "led", 2, "[{\"v\":2}]");
    waiting[0].cancelled = true;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    CHECK_INT(acted, 1);
    CHECK(waiting[1].acknowledged);
}

TEST(a_refused_list_is_requested_again_and_delays_no_reading)
{
    begin();
    mote.config.check_every = 100;
    queue(&operator_key, "led", 1, "[{\"v\":1}]");
    answer_to_list = COAP_FORBIDDEN;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    for (unsigned wake = 0; wake < 6; wake++) {
        mirror_serves();
        CHECK_INT(mote.now, 1000 + wake * 10000);
        CHECK_INT(fake_newest(&mote).code, COAP_GET);
    }
    answer_to_list = COAP_UNAVAILABLE;
    mirror_serves();
    CHECK_INT(mote.app.wake_at - mote.now, 45000);
    answer_to_list = 0;
    mirror_serves();
    CHECK_INT(acted, 1);
}

TEST(asks_without_an_update_when_no_sensor_gives_a_reading)
{
    begin();
    queue(&operator_key, "led", 1, "[{\"v\":1}]");
    mote.sensor_broken = true;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    CHECK_INT(acted, 1);
    CHECK(!waiting[0].acknowledged);
    mote.sensor_broken = false;
    mirror_serves();
    CHECK(waiting[0].acknowledged);
    CHECK_INT(acted, 1);
}

TEST(receives_commands_in_a_closed_domain_although_it_wakes_hourly)
{
    begin();
    closed_domain = true;
    mote.config.wake_ms = 3600 * 1000;
    mote.config.lifetime = 7 * 86400;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    for (unsigned hour = 1; hour <= COMMANDS; hour++) {
        mote.event_count = 0;
        queue(&operator_key, "led", hour, "[{\"v\":1}]");
        mirror_serves();
        CHECK_INT(mote.now, 1000 + hour * 3600 * 1000);
        CHECK_INT(acted, hour);
        CHECK(waiting[hour - 1].acknowledged);
        for (size_t i = 0; i < mote.event_count; i++)
            CHECK(mote.events[i].kind != APP_EVENT_REFUSED);
    }
}

static bool clock_reads(void *context, uint64_t *seconds)
{
    (void)context;
    *seconds = 1800000000;
    return true;
}

static const struct wall_clock set_clock = {clock_reads, NULL};

/* The result of one queued command, with or without a clock. */
static int error_of(const struct commander *by, const char *path, const char *format, bool clock)
{
    begin();
    mote.config.clock = clock ? &set_clock : NULL;
    queue_header(by, path, 9, format, "[{\"v\":1}]");
    if (fake_mote_boot(&mote) != MOTE_OK)
        abort();
    mirror_serves();
    CHECK(command_event() != NULL);
    CHECK_INT(acted, command_event()->error == MOTE_OK);
    CHECK_INT(waiting[0].acknowledged, command_event()->error == MOTE_OK);
    CHECK_INT(mote.app.store.record.command, command_event()->error == MOTE_OK ? 9 : 0);
    CHECK_INT(mote.app.reason, APP_REASON_NONE);
    return command_event()->error;
}

#define MEMBERS                                                                                    \
    "\"typ\":\"vigil-cmd\",\"cty\":\"application/senml+json\",\"kid\":\"%s\",\"ep\":\"mote-1\","

TEST(carries_out_only_authentic_commands_for_it_and_in_time)
{
    const char *good = "{\"alg\":\"ES256\"," MEMBERS "\"res\":\"led\",\"seq\":9}";
    const char *expired =
        "{\"alg\":\"ES256\"," MEMBERS "\"res\":\"led\",\"seq\":9,\"exp\":1799999999}";

    CHECK_INT(error_of(&operator_key, "led", good, false), MOTE_OK);
    CHECK_INT(waiting[0].reason, 0);
    CHECK_INT(error_of(&stranger, "led", good, false), MOTE_E_AUTH);
    CHECK_INT(waiting[0].reason, 403);
    CHECK_INT(error_of(&operator_key, "led", expired, false), MOTE_OK);
    CHECK_INT(error_of(&operator_key, "led", expired, true), MOTE_E_STATE);
    CHECK_INT(waiting[0].reason, 0); /* the mirror knows */
    CHECK_INT(error_of(&operator_key, "door",
                       "{\"alg\":\"ES256\"," MEMBERS "\"res\":\"door\",\"seq\":9}", false),
              MOTE_E_UNSUPPORTED);
    CHECK_INT(waiting[0].reason, 404);
    CHECK_INT(error_of(&operator_key, "led",
                       "{\"alg\":\"none\"," MEMBERS "\"res\":\"led\",\"seq\":9}", false),
              MOTE_E_UNSUPPORTED);
    CHECK_INT(waiting[0].reason, 400);
    CHECK_INT(error_of(&operator_key, "led",
                       "{\"alg\":\"ES256\"," MEMBERS "\"res\":\"led\",\"seq\":9,\"d\":\"other\"}",
                       false),
              MOTE_E_STATE);
    CHECK_INT(error_of(&operator_key, "led",
                       "{\"alg\":\"ES256\",\"typ\":\"vigil-cmd\",\"cty\":\"text/plain\","
                       "\"kid\":\"%s\",\"ep\":\"mote-2\",\"res\":\"led\",\"seq\":9}",
                       false),
              MOTE_E_STATE);
    CHECK_INT(error_of(&operator_key, "led",
                       "{\"alg\":\"ES256\"," MEMBERS "\"res\":\"led\",\"seq\":9,\"seq\":10}",
                       false),
              MOTE_E_MALFORMED);
    CHECK_INT(error_of(&operator_key, "led",
                       "{\"alg\":\"ES256\"," MEMBERS "\"res\":\"led\",\"seq\":9,\"crit\":\"b64\"}",
                       false),
              MOTE_E_UNSUPPORTED);
    CHECK_INT(
        error_of(&operator_key, "led", "{\"alg\":\"ES256\",\"typ\":\"JWT\",\"kid\":\"%s\"}", false),
        MOTE_E_UNSUPPORTED);
}

TEST(detects_every_changed_letter_of_a_command)
{
    struct jose_authority authority;
    struct jose_command command;
    uint8_t jws[1024], scratch[512];

    begin();
    queue(&operator_key, "led", 9, "[{\"v\":1}]");
    authority = (struct jose_authority){.hash = &mote.hash,
                                        .curve = &mote.curve,
                                        .commanders = (const uint8_t(*)[P256_PUBLIC_SIZE])built_in,
                                        .commander_count = 1,
                                        .ep = "mote-1"};
    size_t len = strlen(waiting[0].jws);
    for (size_t i = 0; i < len; i++) {
        memcpy(jws, waiting[0].jws, len);
        jws[i] ^= 1;
        CHECK(jose_command_open(&authority, jws, len, scratch, sizeof scratch, &command) < 0);
    }
    memcpy(jws, waiting[0].jws, len);
    CHECK_INT(jose_command_open(&authority, jws, len, scratch, 16, &command), MOTE_E_SPACE);
    memcpy(jws, waiting[0].jws, len);
    CHECK_INT(jose_command_open(&authority, jws, len, scratch, sizeof scratch, &command), MOTE_OK);
    CHECK_INT(command.seq, 9);
    CHECK_OCTETS(command.payload, command.payload_len, "[{\"v\":1}]", 9);
}

TEST(never_repeats_a_command_and_skips_an_unsupported_one)
{
    begin();
    answer_of_actuator = MOTE_E_MALFORMED;
    queue(&operator_key, "led", 5, "[{\"v\":7}]");
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    mirror_serves();
    CHECK_INT(acted, 1);
    CHECK(!waiting[0].acknowledged);
    CHECK_INT(waiting[0].reason, 400);
    answer_of_actuator = MOTE_OK;
    queue(&operator_key, "led", 6, "[{\"v\":1}]"); /* not delayed by the previous command */
    mirror_serves();
    CHECK_INT(acted, 2);
    CHECK(!waiting[0].acknowledged && waiting[1].acknowledged);
}

/* A mirror that was restored from a backup has lost the results of commands. */
TEST(reports_results_of_commands_again_to_a_restored_mirror)
{
    begin();
    queue(&operator_key, "led", 5, "[{\"v\":7}]");
    queue(&operator_key, "led", 6, "[{\"v\":8}]");
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    CHECK(waiting[0].acknowledged && waiting[1].acknowledged);
    waiting[0].acknowledged = waiting[1].acknowledged = false;
    queue(&operator_key, "led", 7, "[{\"v\":9}]");
    mirror_serves();
    CHECK_INT(acted, 3);
    CHECK_INT(waiting[0].reason, 409); /* it may have been carried out */
    CHECK(waiting[1].acknowledged && waiting[2].acknowledged);
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

TEST(reports_a_command_that_failed_until_the_mirror_knows)
{
    begin();
    answer_of_actuator = MOTE_E_STATE;
    queue(&operator_key, "led", 5, "[{\"v\":7}]");
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
    fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    answer_list();
    fake_answer(&mote, COAP_CONTENT, NULL, waiting[0].jws);
    REQUIRE(mote.app.state == APP_REFUSING);
    while (mote.app.state == APP_REFUSING) /* no answer, because power fails */
        REQUIRE(fake_mote_step(&mote, 100000));
    CHECK_INT(mote.app.state, APP_SLEEPING);
    CHECK_INT(mote.app.reason, APP_REASON_FAILED);
    mote.event_count = 0;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    CHECK_INT(waiting[0].reason, 500);
    CHECK_INT(acted, 1);
}

TEST(a_mirror_without_results_gets_one_for_each_command)
{
    begin();
    knows_results = false;
    queue(&operator_key, "door", 5, "[{\"v\":7}]");
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    /* key, registration, update, list, command, refusal, list */
    CHECK_INT(mote.wire.count, 7);
    CHECK_INT(mote.app.store.record.location[0], 'm');
    for (int wake = 1; wake < 5; wake++) {
        mirror_serves();
        CHECK_INT(mote.now, 1000 + wake * 10000);
    }
}

TEST(registers_when_the_counter_of_a_refusal_is_too_low_and_repeats_it)
{
    begin();
    queue(&operator_key, "door", 5, "[{\"v\":7}]");
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    CHECK_INT(waiting[0].reason, 404);
    queue(&operator_key, "door", 6, "[{\"v\":7}]");
    REQUIRE(fake_mote_step(&mote, 20000));
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    answer_list();
    fake_answer(&mote, COAP_CONTENT, NULL, waiting[1].jws);
    REQUIRE(mote.app.state == APP_REFUSING);
    fake_answer(&mote, COAP_CONFLICT, NULL, "99");
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
    REQUIRE(mote.app.state == APP_REGISTERING);
    fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
    REQUIRE(mote.app.state == APP_REFUSING);
    fake_answer(&mote, COAP_CONFLICT, NULL, "99");
    CHECK_INT(mote.app.state, APP_SLEEPING); /* once per wake-up */
    CHECK_INT(mote.app.reason, APP_REASON_NO_RESOURCE);
    mirror_serves();
    CHECK_INT(waiting[1].reason, 404);
}

TEST(acknowledges_in_compact_form_with_the_low_octets)
{
    struct coap_message message;

    begin();
    mote.config.form = APP_FORM_COMPACT;
    queue(&operator_key, "led", 0x12345, "[{\"v\":1}]");
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    REQUIRE(fake_sent(&mote.wire, 5, &message));
    CHECK_INT(message.code, COAP_PUT);
    CHECK_INT(message.payload[0] & 0x08, 0x08);
    CHECK_INT(message.payload[3] << 8 | message.payload[4], 0x2345);
}

TEST(stops_acknowledging_a_command_that_the_mirror_has_forgotten)
{
    struct coap_message message;

    begin();
    queue(&operator_key, "led", 3, "[{\"v\":1}]");
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    mote.app.store.record.ack_due = true; /* as if a loss of power had lost the answer */
    mote.wire.count = 0;
    waiting_count = 0;
    REQUIRE(fake_mote_step(&mote, 20000));
    REQUIRE(fake_sent(&mote.wire, 0, &message));
    CHECK(message.code == COAP_PUT && strstr(header_of(&message), "\"ack\":3}") != NULL);
    fake_answer(&mote, COAP_BAD_REQUEST, NULL, "ack names no command of this endpoint");
    CHECK(!mote.app.store.record.ack_due);
}

TEST(stops_an_acknowledgement_refused_after_a_registration)
{
    struct coap_message message;

    begin();
    queue(&operator_key, "led", 3, "[{\"v\":1}]");
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    mote.app.store.record.ack_due = true;
    mote.wire.count = 0;
    waiting_count = 0;
    REQUIRE(fake_mote_step(&mote, 20000));
    fake_answer(&mote, COAP_UNAUTHORIZED, NULL, "the signature is invalid");
    CHECK(mote.app.store.record.ack_due);
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL); /* the mirror has no key */
    REQUIRE(mote.app.state == APP_REGISTERING);
    fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
    REQUIRE(fake_sent(&mote.wire, mote.wire.count - 1, &message));
    CHECK(message.code == COAP_PUT && strstr(header_of(&message), "\"ack\":3}") != NULL);
    fake_answer(&mote, COAP_UNAUTHORIZED, NULL, "the signature is invalid");
    CHECK(!mote.app.store.record.ack_due);
}

TEST(keeps_new_commanders_named_by_a_current_one)
{
    char keys[512] = "{\"keys\":[";
    struct writer out;

    begin();
    writer_init(&out, (uint8_t *)keys, sizeof keys - 1);
    writer_str(&out, "{\"keys\":[");
    jwk_write(&out, successor.point);
    writer_str(&out, "]}");
    queue(&operator_key, ".keys", 1, keys);
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    mirror_serves();
    CHECK(waiting[0].acknowledged);
    app_stop(&mote.app);
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    queue(&operator_key, "led", 2, "[{\"v\":1}]");
    mirror_serves();
    CHECK_INT(acted, 0);
    queue(&successor, "led", 3, "[{\"v\":1}]");
    mirror_serves();
    CHECK_INT(acted, 1);
}

/* Runs with two commands until power fails at the given write, then without failures until no
 * command is pending. */
static bool live_through(unsigned cut_at, size_t torn)
{
    unsigned writes;

    begin();
    queue(&operator_key, "led", 1, "[{\"v\":1}]");
    queue(&operator_key, "led", 2, "[{\"v\":2}]");
    mote.storage.cut_at = cut_at;
    mote.storage.torn = torn;
    if (fake_mote_boot(&mote) == MOTE_OK)
        mirror_serves();
    writes = mote.storage.writes;
    CHECK(acted <= 2);
    for (int life = 0; life < 2; life++) {
        fake_power_on(&mote.storage);
        mote.event_count = 0;
        CHECK_INT(fake_mote_boot(&mote), MOTE_OK);
        mirror_serves();
        mirror_serves();
        CHECK(acted <= 2);
        CHECK(acted >= (unsigned)waiting[0].acknowledged + waiting[1].acknowledged);
        app_stop(&mote.app);
    }
    for (int i = 0; i < 2; i++) /* each has one result */
        CHECK(waiting[i].acknowledged != (waiting[i].reason == 500));
    return writes >= cut_at;
}

TEST(no_loss_of_power_repeats_or_wrongly_acknowledges_a_command)
{
    static const size_t torn[] = {9, 512};
    unsigned cut = 1;
    bool reached = true;

    for (; reached && harness_ok; cut++)
        for (size_t i = 0; i < sizeof torn / sizeof torn[0] && harness_ok; i++)
            reached = live_through(cut, torn[i]);
    CHECK(cut > 7); /* identity, numbers, location, and two for each command */
}

int main(void)
{
    RUN(carries_out_a_command_and_acknowledges_it_with_its_reading);
    RUN(keeps_the_reading_that_follows_a_command_once);
    RUN(handles_queued_commands_one_by_one_and_four_per_wake_up);
    RUN(asks_only_as_often_as_configured);
    RUN(loses_no_command_when_the_mirror_cannot_serve_it);
    RUN(a_command_that_does_not_fit_delays_no_reading);
    RUN(skips_a_command_that_the_mirror_has_closed);
    RUN(a_refused_list_is_requested_again_and_delays_no_reading);
    RUN(asks_without_an_update_when_no_sensor_gives_a_reading);
    RUN(receives_commands_in_a_closed_domain_although_it_wakes_hourly);
    RUN(carries_out_only_authentic_commands_for_it_and_in_time);
    RUN(detects_every_changed_letter_of_a_command);
    RUN(never_repeats_a_command_and_skips_an_unsupported_one);
    RUN(reports_results_of_commands_again_to_a_restored_mirror);
    RUN(reports_a_command_that_failed_until_the_mirror_knows);
    RUN(a_mirror_without_results_gets_one_for_each_command);
    RUN(registers_when_the_counter_of_a_refusal_is_too_low_and_repeats_it);
    RUN(acknowledges_in_compact_form_with_the_low_octets);
    RUN(stops_acknowledging_a_command_that_the_mirror_has_forgotten);
    RUN(stops_an_acknowledgement_refused_after_a_registration);
    RUN(keeps_new_commanders_named_by_a_current_one);
    RUN(no_loss_of_power_repeats_or_wrongly_acknowledges_a_command);
    return harness_report();
}
