/* The verification of the mirror: its identity key and its signed answers. */
#include "harness.h"
#include "mote/app.h"
#include "mote/cbor.h"
#include "support/fake.h"

static struct fake_mote mote;

static const uint8_t MIRROR_KEY[P256_PRIVATE_SIZE] = {7, 7, 7};
static const uint8_t OTHER_KEY[P256_PRIVATE_SIZE] = {8, 8, 8};

static void point_of(const uint8_t *key, uint8_t *point)
{
    if (mote.curve.public_key(mote.curve.context, key, point) != MOTE_OK)
        abort();
}

/* Answers the request for the mirror's key. */
static void answer_with_key(const uint8_t *key)
{
    uint8_t point[P256_PUBLIC_SIZE];
    char text[200] = "";
    struct writer w;

    point_of(key, point);
    writer_init(&w, (uint8_t *)text, sizeof text - 1);
    jwk_write(&w, point);
    fake_answer(&mote, COAP_CONTENT, NULL, text);
}

static void octets_write(struct writer *w, const uint8_t *data, size_t len)
{
    cbor_head_write(w, CBOR_OCTETS, len);
    writer_bytes(w, data, len);
}

/* COSE_Sign1 over {0: time, 1: highest, 3: 4096}, as in RFC 9052. */
static size_t cose(const uint8_t *key, const uint8_t *external, uint64_t time, uint64_t highest,
                   uint8_t *out, size_t size)
{
    static const uint8_t header[] = {0xa1, 0x01, 0x26};
    uint8_t map[64];
    uint8_t structure[256];
    uint8_t digest[SHA256_SIZE];
    uint8_t signature[P256_SIGNATURE_SIZE];
    struct writer m;
    struct writer w;

    writer_init(&m, map, sizeof map);
    cbor_head_write(&m, CBOR_MAP, 3);
    cbor_head_write(&m, CBOR_UNSIGNED, 0);
    cbor_head_write(&m, CBOR_UNSIGNED, time);
    cbor_head_write(&m, CBOR_UNSIGNED, 1);
    cbor_head_write(&m, CBOR_UNSIGNED, highest);
    cbor_head_write(&m, CBOR_UNSIGNED, 3);
    cbor_head_write(&m, CBOR_UNSIGNED, 4096);
    writer_init(&w, structure, sizeof structure);
    cbor_head_write(&w, CBOR_ARRAY, 4);
    cbor_head_write(&w, CBOR_TEXT, 10);
    writer_str(&w, "Signature1");
    octets_write(&w, header, sizeof header);
    octets_write(&w, external, SHA256_SIZE);
    octets_write(&w, map, writer_len(&m));
    sha256_pieces(&mote.hash, &(struct piece){structure, writer_len(&w)}, 1, digest);
    if (mote.curve.sign(mote.curve.context, key, digest, signature) != MOTE_OK)
        abort();
    writer_init(&w, out, size);
    cbor_head_write(&w, CBOR_TAG, 18);
    cbor_head_write(&w, CBOR_ARRAY, 4);
    octets_write(&w, header, sizeof header);
    cbor_head_write(&w, CBOR_MAP, 0);
    octets_write(&w, map, writer_len(&m));
    octets_write(&w, signature, sizeof signature);
    return writer_len(&w);
}

/* Answers the registration, signed by `key`. With `spoil` the signature is for another request. */
static void signed_answer(const uint8_t *key, uint8_t code, uint64_t time, uint64_t highest,
                          bool spoil)
{
    uint8_t datagram[512];
    uint8_t body[300];
    uint8_t external[SHA256_SIZE];
    struct coap_message request = fake_newest(&mote);
    struct coap_builder builder;
    struct writer w;
    size_t len;

    sha256_pieces(&mote.hash, &(struct piece){request.payload, request.payload_len}, 1, external);
    external[0] ^= spoil;
    len = cose(key, external, time, highest, body, sizeof body);
    writer_init(&w, datagram, sizeof datagram);
    coap_begin(&builder, &w, COAP_ACK, code, request.id, request.token, request.token_len);
    if (code == COAP_CREATED)
        coap_add_parts(&builder, COAP_LOCATION_PATH, "ms/7", '/');
    coap_add_uint(&builder, COAP_CONTENT_FORMAT, COAP_FORMAT_COSE_SIGN1);
    coap_payload(&builder, body, len);
    app_receive(&mote.app, datagram, writer_len(&w), mote.now);
}

static void key_requested(void)
{
    fake_mote_init(&mote);
    if (fake_mote_boot(&mote) != MOTE_OK || !fake_mote_step(&mote, 0))
        abort();
}

TEST(pins_the_mirrors_key_with_the_first_answer_that_verifies)
{
    uint8_t point[P256_PUBLIC_SIZE];

    key_requested();
    answer_with_key(MIRROR_KEY);
    CHECK(!mote.app.store.record.mirror_known);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 1, false);
    CHECK_INT(mote.app.state, APP_SENDING);
    CHECK_INT(mote.events[1].kind, APP_EVENT_MIRROR);
    CHECK_INT(mote.events[2].kind, APP_EVENT_REGISTERED);
    point_of(MIRROR_KEY, point);
    CHECK(mote.app.store.record.mirror_known);
    CHECK_OCTETS(mote.app.store.record.mirror, sizeof point, point, sizeof point);
}

/* The time of the reading in the newest update; 0: none. */
static uint64_t sent_time(void)
{
    struct coap_message message = fake_newest(&mote);
    char pack[400] = "";
    struct writer w;
    const uint8_t *dot = memchr(message.payload, '.', message.payload_len);
    const uint8_t *end = NULL;
    const char *time;

    if (dot != NULL)
        end = memchr(dot + 1, '.', message.payload_len - (size_t)(dot + 1 - message.payload));
    writer_init(&w, (uint8_t *)pack, sizeof pack - 1);
    if (end == NULL || base64url_read(&w, dot + 1, (size_t)(end - dot - 1)) != MOTE_OK)
        return 0;
    time = strstr(pack, "\"t\":");
    return time == NULL ? 0 : strtoull(time + 4, NULL, 10);
}

TEST(takes_the_time_from_a_verified_answer_when_it_has_no_clock)
{
    key_requested();
    answer_with_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 1, false);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    REQUIRE(fake_mote_step(&mote, 10000));
    CHECK_INT(sent_time(), 1800000010);
}

static uint64_t kept_time;

static void keep(void *context, size_t sensor, struct decimal value, uint64_t time, uint64_t seq)
{
    (void)context;
    (void)sensor;
    (void)value;
    (void)seq;
    kept_time = time;
}

TEST(registers_after_a_restart_for_the_time_of_kept_readings)
{
    key_requested();
    mote.config.keep = keep;
    answer_with_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 1, false);
    kept_time = 0;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    REQUIRE(fake_newest(&mote).code == COAP_POST);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000100, 65, false);
    CHECK_INT(fake_newest(&mote).code, COAP_PUT);
    CHECK_INT(kept_time, 1800000100);
}

/* Registers while the mirror's clock is two hours ahead, and sends the readings of one wake-up. */
static void registered_with_a_clock_ahead(void)
{
    key_requested();
    answer_with_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800007200, 1, false);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    if (mote.app.state != APP_SLEEPING || !fake_mote_step(&mote, 10000) ||
        sent_time() != 1800007210)
        abort();
}

TEST(registers_once_for_the_time_when_a_reading_is_refused)
{
    registered_with_a_clock_ahead();
    fake_answer(&mote, COAP_FORBIDDEN, NULL, "the measurement is in the future");
    REQUIRE(fake_newest(&mote).code == COAP_POST);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000010, 4, false);
    CHECK_INT(fake_newest(&mote).code, COAP_PUT);
    CHECK_INT(sent_time(), 1800000010);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(mote.app.state, APP_SLEEPING);
    CHECK_INT(mote.app.backoff, 0);
}

TEST(registers_for_the_time_at_most_hourly_while_readings_are_refused)
{
    unsigned registrations = 0;
    uint64_t began;

    registered_with_a_clock_ahead();
    began = mote.now;
    while (mote.now < began + 3 * 3600 * 1000) {
        if (fake_newest(&mote).code == COAP_POST) {
            registrations++;
            signed_answer(MIRROR_KEY, COAP_CREATED, 1800007200 + mote.now / 1000, 9, false);
        }
        CHECK_INT(fake_newest(&mote).code, COAP_PUT);
        fake_answer(&mote, COAP_FORBIDDEN, NULL, "the key awaits an operator's approval");
        if (mote.app.state == APP_SLEEPING) {
            mote.wire.count = mote.event_count = 0;
            REQUIRE(fake_mote_step(&mote, 60000));
        }
    }
    CHECK_INT(registrations, 3);
}

static bool own_clock_reads(void *context, uint64_t *seconds)
{
    (void)context;
    *seconds = 1800000000;
    return true;
}

TEST(does_not_register_for_the_time_when_it_has_a_clock)
{
    static const struct wall_clock clock = {own_clock_reads, NULL};

    fake_mote_init(&mote);
    mote.config.clock = &clock;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    answer_with_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800007200, 1, false);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    REQUIRE(fake_mote_step(&mote, 10000));
    fake_answer(&mote, COAP_FORBIDDEN, NULL, "the measurement is in the future");
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

TEST(a_verified_conflict_raises_the_counter_and_registers_again)
{
    key_requested();
    answer_with_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CONFLICT, 1800000000, 5000, false);
    CHECK_INT(fake_newest(&mote).code, COAP_POST);
    CHECK_INT(fake_sent_seq(&mote, mote.wire.count - 1), 5001);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 5001, false);
    CHECK_INT(fake_sent_seq(&mote, mote.wire.count - 1), 5002);
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    CHECK(fake_sent_seq(&mote, mote.wire.count - 1) > 5002);
}

TEST(raises_the_counter_only_once_per_wake_up)
{
    key_requested();
    answer_with_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CONFLICT, 1800000000, 5000, false);
    signed_answer(MIRROR_KEY, COAP_CONFLICT, 1800000000, 6000, false);
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

TEST(rejects_answers_not_signed_by_the_mirror_for_this_request)
{
    for (int kind = 0; kind < 3; kind++) {
        key_requested();
        answer_with_key(MIRROR_KEY);
        if (kind == 0)
            signed_answer(OTHER_KEY, COAP_CONFLICT, 1, 5000, false);
        else if (kind == 1)
            signed_answer(MIRROR_KEY, COAP_CONFLICT, 1, 5000, true);
        else
            fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
        CHECK_INT(mote.app.state, APP_SLEEPING);
        CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_FAILED);
        CHECK_INT(fake_last_event(&mote)->error, MOTE_E_AUTH);
        CHECK(mote.app.store.next < 100 && !mote.app.clock_known);
        CHECK(!mote.app.store.record.mirror_known);
        CHECK(mote.app.store.record.location[0] == '\0');
    }
}

TEST(trusts_only_the_configured_mirror)
{
    uint8_t point[P256_PUBLIC_SIZE];
    char jkt[JOSE_JKT_LEN + 1];

    fake_mote_init(&mote);
    point_of(MIRROR_KEY, point);
    jwk_thumbprint(&mote.hash, point, jkt);
    mote.config.mirror_jkt = jkt;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    answer_with_key(OTHER_KEY);
    CHECK_INT(fake_last_event(&mote)->error, MOTE_E_AUTH);
    CHECK_INT(mote.app.state, APP_SLEEPING);
    REQUIRE(fake_mote_step(&mote, 60000));
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
    CHECK_INT(mote.app.state, APP_SLEEPING); /* no key, no registration */
    REQUIRE(fake_mote_step(&mote, 60000));
    answer_with_key(MIRROR_KEY);
    CHECK_INT(fake_newest(&mote).code, COAP_POST);
}

TEST(remembers_the_pinned_key_and_does_not_ask_again)
{
    key_requested();
    answer_with_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 1, false);
    mote.config.endpoint_type = "sensor"; /* so that it registers again */
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    CHECK_INT(fake_newest(&mote).code, COAP_POST);
    signed_answer(OTHER_KEY, COAP_CREATED, 1800000000, 65, false);
    CHECK_INT(fake_last_event(&mote)->error, MOTE_E_AUTH);
    REQUIRE(fake_mote_step(&mote, 60000));
    CHECK_INT(fake_newest(&mote).code, COAP_POST);
}

TEST(asks_again_for_a_key_that_never_verified_an_answer)
{
    key_requested();
    answer_with_key(OTHER_KEY);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 1, false);
    CHECK_INT(fake_last_event(&mote)->error, MOTE_E_AUTH);
    REQUIRE(fake_mote_step(&mote, 60000));
    REQUIRE(fake_newest(&mote).code == COAP_GET);
    answer_with_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000010, 2, false);
    CHECK_INT(mote.app.state, APP_SENDING);
    CHECK(mote.app.store.record.mirror_known);
}

TEST(sends_nothing_in_clear_when_the_mirror_agrees_on_no_key)
{
    struct bearssl_aes128 state;
    struct aes128 aes;

    bearssl_aes128(&aes, &state);
    fake_mote_init(&mote);
    mote.config.encryption = &app_encryption;
    mote.config.aes = &aes;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    answer_with_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 1, false); /* without key 2 */
    CHECK_INT(mote.app.state, APP_SLEEPING);
    CHECK_INT(fake_last_event(&mote)->error, MOTE_E_UNSUPPORTED);
    CHECK_INT(fake_newest(&mote).code, COAP_POST);
}

TEST(survives_answers_that_are_not_cose)
{
    struct dice dice = {3};
    uint8_t external[SHA256_SIZE] = {0};
    uint8_t point[P256_PUBLIC_SIZE];
    uint8_t good[300];
    struct jose_answer answer;
    size_t len;

    key_requested();
    point_of(MIRROR_KEY, point);
    len = cose(MIRROR_KEY, external, 1, 2, good, sizeof good);
    for (int round = 0; round < 3000; round++) {
        size_t cut = round < 150 ? (size_t)round % len : len;
        uint8_t *data = malloc(cut + 1);

        memcpy(data, good, cut);
        if (round >= 150)
            data[dice_below(&dice, 20)] = (uint8_t)dice_roll(&dice);
        (void)jose_answer_open(&mote.hash, &mote.curve, point, &(struct piece){external, 0}, data,
                               cut, &answer);
        free(data);
    }
}

int main(void)
{
    RUN(pins_the_mirrors_key_with_the_first_answer_that_verifies);
    RUN(takes_the_time_from_a_verified_answer_when_it_has_no_clock);
    RUN(registers_after_a_restart_for_the_time_of_kept_readings);
    RUN(registers_once_for_the_time_when_a_reading_is_refused);
    RUN(registers_for_the_time_at_most_hourly_while_readings_are_refused);
    RUN(does_not_register_for_the_time_when_it_has_a_clock);
    RUN(a_verified_conflict_raises_the_counter_and_registers_again);
    RUN(raises_the_counter_only_once_per_wake_up);
    RUN(rejects_answers_not_signed_by_the_mirror_for_this_request);
    RUN(trusts_only_the_configured_mirror);
    RUN(remembers_the_pinned_key_and_does_not_ask_again);
    RUN(asks_again_for_a_key_that_never_verified_an_answer);
    RUN(sends_nothing_in_clear_when_the_mirror_agrees_on_no_key);
    RUN(survives_answers_that_are_not_cose);
    return harness_report();
}
