/* The endpoint against a mirror played by hand. The peer test (tests/peer) plays a real one. */
#include "harness.h"
#include "mote/app.h"
#include "mote/cbor.h"
#include "support/fake.h"

static struct fake_mote mote;

static const struct app_event *last_event(void)
{
    return &mote.events[mote.event_count - 1];
}

static struct coap_message newest(void)
{
    struct coap_message message;

    if (!fake_sent(&mote.wire, mote.wire.count - 1, &message))
        abort();
    return message;
}

static bool path_is(const struct coap_message *message, const char *path)
{
    struct coap_options options;
    struct coap_option option;
    char joined[128] = "";

    coap_options_begin(&options, message);
    while (coap_options_next(&options, &option))
        if (option.number == COAP_URI_PATH)
            snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "/%.*s",
                     (int)option.len, (const char *)option.value);
    return strcmp(joined, path) == 0;
}

/* A mirror without an identity key. */
static void keyless(void)
{
    if (newest().code == COAP_GET)
        fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
}

/* Boots and registers at /ms/7; the first update is then under way. */
static void registered(void)
{
    fake_mote_init(&mote);
    if (fake_mote_boot(&mote) != MOTE_OK || !fake_mote_step(&mote, 0))
        abort();
    keyless();
    fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
}

/* ... and has sent its first two readings, and woken up again: the third is under way. */
static void in_rhythm(void)
{
    registered();
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    if (!fake_mote_step(&mote, 10000))
        abort();
}

TEST(registers_first_and_then_sends_every_reading)
{
    struct coap_message message;

    registered();
    CHECK_INT(mote.events[0].kind, APP_EVENT_KEY);
    CHECK_INT(mote.events[1].kind, APP_EVENT_REGISTERED);
    CHECK(strcmp(mote.texts[1], "ms/7") == 0);
    REQUIRE(fake_sent(&mote.wire, 0, &message));
    CHECK(message.code == COAP_GET && path_is(&message, "/keys/mirror"));
    REQUIRE(fake_sent(&mote.wire, 1, &message));
    CHECK(message.type == COAP_CON && message.code == COAP_POST && path_is(&message, "/ms"));
    message = newest();
    CHECK(message.type == COAP_CON && message.code == COAP_PUT && path_is(&message, "/ms/7/load"));
    fake_answer(&mote, COAP_CREATED, NULL, NULL);
    message = newest();
    CHECK(message.type == COAP_NON && path_is(&message, "/ms/7/memory"));
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(mote.app.state, APP_SLEEPING);
    for (size_t i = 1; i <= 3; i++)
        CHECK_INT(fake_sent_seq(&mote, i), i);
    CHECK_INT(last_event()->kind, APP_EVENT_SENT);
    CHECK_INT(last_event()->seq, 3);
}

TEST(is_silent_between_wake_ups)
{
    size_t sent;

    registered();
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    sent = mote.wire.count;
    CHECK_INT(app_deadline(&mote.app), 1000 + 10000);
    mote.now += 9999;
    app_poll(&mote.app, mote.now);
    CHECK_INT(mote.wire.count, sent);
    mote.now++;
    app_poll(&mote.app, mote.now);
    CHECK_INT(mote.wire.count, sent + 1);
}

TEST(confirms_the_first_update_and_at_least_every_sixty_fourth)
{
    unsigned unconfirmed = 0;
    unsigned confirmed = 0;

    registered();
    for (int updates = 0; updates < 200; updates++) {
        if (newest().type == COAP_CON) {
            CHECK(updates == 0 || unconfirmed == 63);
            unconfirmed = 0;
            confirmed++;
        } else {
            unconfirmed++;
        }
        fake_answer(&mote, COAP_CHANGED, NULL, NULL);
        mote.event_count = 0;
        if (mote.app.state == APP_SLEEPING) {
            mote.wire.count = 0;
            REQUIRE(fake_mote_step(&mote, 10000));
        }
    }
    CHECK_INT(confirmed, 4);
}

TEST(an_unanswered_update_costs_a_bounded_wait_and_is_no_failure)
{
    registered();
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(newest().type, COAP_NON);
    CHECK_INT(app_deadline(&mote.app), mote.now + 500);
    REQUIRE(fake_mote_step(&mote, 500));
    CHECK_INT(mote.app.state, APP_SLEEPING);
    CHECK_INT(last_event()->kind, APP_EVENT_SENT);
    CHECK_INT(last_event()->code, 0);
    CHECK_INT(app_deadline(&mote.app), 11000);
}

TEST(does_not_listen_at_all_when_told_so)
{
    registered();
    mote.app.config.listen_ms = 0;
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(newest().type, COAP_NON);
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

TEST(a_dead_mirror_ends_in_sleep_after_bounded_repetitions)
{
    uint64_t slept_until = 0;

    fake_mote_init(&mote);
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK);
    for (int wake = 0; wake < 8; wake++) {
        size_t before = mote.wire.count;

        do
            REQUIRE(fake_mote_step(&mote, 100000));
        while (mote.app.state != APP_SLEEPING);
        CHECK_INT(mote.wire.count - before, 3); /* once and two repetitions */
        CHECK_INT(last_event()->kind, APP_EVENT_UNANSWERED);
        CHECK(mote.app.wake_at > slept_until);
        CHECK(mote.app.wake_at <= mote.app.woke_at + 70000);
        slept_until = mote.app.wake_at;
        mote.wire.count = 0;
    }
    CHECK_INT(mote.app.wake_at - mote.app.woke_at, 60000); /* slow by now */
}

/* An answer that comes as late as it may, in the smallest blocks, and never ends. */
static void dawdle(unsigned block)
{
    struct coap_message request = newest();
    uint8_t datagram[64];
    struct coap_builder builder;
    struct writer w;

    writer_init(&w, datagram, sizeof datagram);
    coap_begin(&builder, &w, COAP_ACK, COAP_EMPTY, request.id, NULL, 0);
    app_receive(&mote.app, datagram, writer_len(&w), mote.now);
    mote.now += mote.config.coap.separate_ms - 1;
    app_poll(&mote.app, mote.now);
    writer_init(&w, datagram, sizeof datagram);
    coap_begin(&builder, &w, COAP_NON, COAP_CONTENT, (uint16_t)block, request.token,
               request.token_len);
    coap_add_block(&builder, COAP_BLOCK2, (struct coap_block){block, true, 0});
    coap_payload(&builder, (const uint8_t *)"0123456789abcdef", 16);
    app_receive(&mote.app, datagram, writer_len(&w), mote.now);
}

TEST(no_slow_mirror_keeps_it_awake_for_more_than_two_minutes_nor_for_most_of_the_time)
{
    uint64_t woke;

    fake_mote_init(&mote);
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    woke = mote.now;
    for (unsigned block = 0; mote.app.state != APP_SLEEPING && block < 40; block++)
        dawdle(block);
    CHECK_INT(mote.app.state, APP_SLEEPING);
    CHECK_INT(last_event()->kind, APP_EVENT_UNANSWERED);
    CHECK(mote.now - woke <= 130000);
    CHECK(mote.app.wake_at - mote.now >= 110000);
    CHECK(fake_mote_step(&mote, 120000)); /* and begins anew */
    CHECK_INT(mote.app.state, APP_ASKING);
    CHECK(app_deadline(&mote.app) < mote.now + 4000);
}

TEST(registers_again_when_the_mirror_has_forgotten_it)
{
    struct coap_message message;

    in_rhythm();
    fake_answer(&mote, COAP_NOT_FOUND, NULL, "no such entry");
    CHECK_INT(last_event()->kind, APP_EVENT_REFUSED);
    keyless();
    CHECK_INT(newest().code, COAP_POST);
    fake_answer(&mote, COAP_CREATED, "ms/9", NULL);
    message = newest();
    CHECK(path_is(&message, "/ms/9/load") && message.type == COAP_CON);
    CHECK_INT(fake_sent_seq(&mote, mote.wire.count - 1), 6);
    /* not twice in one wake-up */
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

TEST(an_unverified_hint_does_not_move_the_counter)
{
    in_rhythm();
    fake_answer(&mote, COAP_CONFLICT, NULL, "9007199254740000");
    keyless();
    CHECK(newest().code == COAP_POST);
    CHECK_INT(fake_sent_seq(&mote, mote.wire.count - 1), 5);
    fake_answer(&mote, COAP_CONFLICT, NULL, "9007199254740000");
    CHECK_INT(mote.app.state, APP_SLEEPING);
    CHECK(mote.app.store.next < 100);
}

TEST(keeps_trying_slowly_while_nobody_has_approved_the_key)
{
    registered();
    for (int wake = 0; wake < 6; wake++) {
        fake_answer(&mote, COAP_FORBIDDEN, NULL, "pending");
        CHECK_INT(mote.app.state, APP_SLEEPING);
        CHECK_INT(last_event()->kind, APP_EVENT_REFUSED);
        REQUIRE(fake_mote_step(&mote, 60000));
        CHECK_INT(newest().code, COAP_PUT);
    }
    CHECK_INT(mote.app.slowness, 6);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(mote.app.slowness, 0);
    CHECK_INT(app_deadline(&mote.app), mote.now + 10000);
}

TEST(comes_back_when_an_overloaded_mirror_says_so)
{
    uint8_t datagram[64];
    struct coap_message request;
    struct coap_builder builder;
    struct writer out;

    registered();
    request = newest();
    writer_init(&out, datagram, sizeof datagram);
    coap_begin(&builder, &out, COAP_ACK, COAP_TOO_MANY, request.id, request.token,
               request.token_len);
    coap_add_uint(&builder, COAP_MAX_AGE, 45);
    app_receive(&mote.app, datagram, writer_len(&out), mote.now);
    CHECK_INT(app_deadline(&mote.app), mote.now + 45000);
}

TEST(renews_the_registration_at_three_quarters_of_its_lifetime)
{
    fake_mote_init(&mote);
    mote.config.lifetime = 100;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    keyless();
    fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
    for (int wake = 0; wake < 9; wake++) {
        mote.wire.count = mote.wire.count > 40 ? 0 : mote.wire.count;
        while (mote.app.state != APP_SLEEPING)
            fake_answer(&mote, COAP_CHANGED, NULL, NULL);
        REQUIRE(fake_mote_step(&mote, 10000));
        keyless();
        CHECK_INT(newest().code, mote.now == 81000 ? COAP_POST : COAP_PUT);
        if (newest().code == COAP_POST)
            fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
    }
}

TEST(resumes_after_a_restart_with_a_confirmable_update_and_a_higher_number)
{
    struct coap_message message;

    registered();
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    CHECK_INT(last_event()->kind, APP_EVENT_RESUMED);
    message = newest();
    CHECK(message.type == COAP_CON && path_is(&message, "/ms/7/load"));
    CHECK_INT(fake_sent_seq(&mote, mote.wire.count - 1), 65);
}

TEST(registers_anew_when_what_it_registered_has_changed_or_its_counter_is_in_doubt)
{
    registered();
    mote.config.mirror = "coap://[::2]";
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    keyless();
    CHECK_INT(newest().code, COAP_POST);

    registered();
    mote.storage.slots[mote.app.store.generation % 2][40] ^= 1;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    keyless();
    CHECK_INT(newest().code, COAP_POST);
}

TEST(sends_nothing_that_it_could_not_account_for)
{
    size_t sent;

    registered();
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    mote.app.store.next = mote.app.store.record.reserved + 1; /* the next number needs a write */
    mote.storage.dark = true;
    sent = mote.wire.count;
    REQUIRE(fake_mote_step(&mote, 10000));
    CHECK_INT(mote.wire.count, sent);
    CHECK_INT(last_event()->kind, APP_EVENT_FAILED);
    CHECK_INT(last_event()->error, MOTE_E_IO);
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

TEST(leaves_out_a_sensor_that_does_not_answer)
{
    registered();
    mote.sensor_broken = true;
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(last_event()->kind, APP_EVENT_SENSOR);
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

TEST(refuses_names_that_cannot_be_sent)
{
    fake_mote_init(&mote);
    mote.config.ep = "two words";
    CHECK_INT(fake_mote_boot(&mote), MOTE_E_MALFORMED);
    mote.config.ep = "mote-1";
    mote.sensors[0].path = "/load";
    CHECK_INT(fake_mote_boot(&mote), MOTE_E_MALFORMED);
    mote.sensors[0].path = "load";
    mote.sensors[0].unit = "\"";
    CHECK_INT(fake_mote_boot(&mote), MOTE_E_MALFORMED);
}

/* ---- a mirror with an identity key ---- */

static const uint8_t MIRROR_KEY[P256_PRIVATE_SIZE] = {7, 7, 7};
static const uint8_t OTHER_KEY[P256_PRIVATE_SIZE] = {8, 8, 8};

static void point_of(const uint8_t *key, uint8_t *point)
{
    if (mote.curve.public_key(mote.curve.context, key, point) != MOTE_OK)
        abort();
}

/* Answers the question for the mirror's key. */
static void tell_key(const uint8_t *key)
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

/* COSE_Sign1 over {0: time, 1: highest, 3: 4096}, as RFC 9052 spells it out. */
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

/* Answers the registration under way, signed by `key`; `spoil` changes what was asked. */
static void signed_answer(const uint8_t *key, uint8_t code, uint64_t time, uint64_t highest,
                          bool spoil)
{
    uint8_t datagram[512];
    uint8_t body[300];
    uint8_t external[SHA256_SIZE];
    struct coap_message request = newest();
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

static void asking(void)
{
    fake_mote_init(&mote);
    if (fake_mote_boot(&mote) != MOTE_OK || !fake_mote_step(&mote, 0))
        abort();
}

TEST(pins_the_mirrors_key_with_the_first_answer_that_verifies)
{
    uint8_t point[P256_PUBLIC_SIZE];

    asking();
    tell_key(MIRROR_KEY);
    CHECK(!mote.app.store.record.mirror_known);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 1, false);
    CHECK_INT(mote.app.state, APP_SENDING);
    CHECK_INT(mote.events[1].kind, APP_EVENT_MIRROR);
    CHECK_INT(mote.events[2].kind, APP_EVENT_REGISTERED);
    point_of(MIRROR_KEY, point);
    CHECK(mote.app.store.record.mirror_known);
    CHECK_OCTETS(mote.app.store.record.mirror, sizeof point, point, sizeof point);
}

TEST(takes_the_time_from_a_verified_answer_when_it_has_no_clock)
{
    struct coap_message message;
    char pack[400] = "";
    struct writer w;
    const uint8_t *dot;
    const uint8_t *end;

    asking();
    tell_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 1, false);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    REQUIRE(fake_mote_step(&mote, 10000));
    message = newest();
    dot = memchr(message.payload, '.', message.payload_len);
    REQUIRE(dot != NULL);
    end = memchr(dot + 1, '.', message.payload_len - (size_t)(dot + 1 - message.payload));
    REQUIRE(end != NULL);
    writer_init(&w, (uint8_t *)pack, sizeof pack - 1);
    REQUIRE(base64url_read(&w, dot + 1, (size_t)(end - dot - 1)) == MOTE_OK);
    CHECK(strstr(pack, "\"t\":1800000010}") != NULL);
}

TEST(a_verified_conflict_raises_the_counter_and_registers_above_it)
{
    asking();
    tell_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CONFLICT, 1800000000, 5000, false);
    CHECK_INT(newest().code, COAP_POST);
    CHECK_INT(fake_sent_seq(&mote, mote.wire.count - 1), 5001);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 5001, false);
    CHECK_INT(fake_sent_seq(&mote, mote.wire.count - 1), 5002);
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    CHECK(fake_sent_seq(&mote, mote.wire.count - 1) > 5002);
}

TEST(raises_the_counter_once_per_wake_up_only)
{
    asking();
    tell_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CONFLICT, 1800000000, 5000, false);
    signed_answer(MIRROR_KEY, COAP_CONFLICT, 1800000000, 6000, false);
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

TEST(believes_no_answer_by_another_key_to_another_request_or_without_a_signature)
{
    for (int kind = 0; kind < 3; kind++) {
        asking();
        tell_key(MIRROR_KEY);
        if (kind == 0)
            signed_answer(OTHER_KEY, COAP_CONFLICT, 1, 5000, false);
        else if (kind == 1)
            signed_answer(MIRROR_KEY, COAP_CONFLICT, 1, 5000, true);
        else
            fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
        CHECK_INT(mote.app.state, APP_SLEEPING);
        CHECK_INT(last_event()->kind, APP_EVENT_FAILED);
        CHECK_INT(last_event()->error, MOTE_E_AUTH);
        CHECK(mote.app.store.next < 100 && !mote.app.clock_known);
        CHECK(!mote.app.store.record.mirror_known);
        CHECK(mote.app.store.record.location[0] == '\0');
    }
}

TEST(trusts_only_the_mirror_that_was_named)
{
    uint8_t point[P256_PUBLIC_SIZE];
    char jkt[JOSE_JKT_LEN + 1];

    fake_mote_init(&mote);
    point_of(MIRROR_KEY, point);
    jwk_thumbprint(&mote.hash, point, jkt);
    mote.config.mirror_jkt = jkt;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    tell_key(OTHER_KEY);
    CHECK_INT(last_event()->error, MOTE_E_AUTH);
    CHECK_INT(mote.app.state, APP_SLEEPING);
    REQUIRE(fake_mote_step(&mote, 60000));
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
    CHECK_INT(mote.app.state, APP_SLEEPING); /* no key, no registration */
    REQUIRE(fake_mote_step(&mote, 60000));
    tell_key(MIRROR_KEY);
    CHECK_INT(newest().code, COAP_POST);
}

TEST(remembers_the_pinned_key_and_does_not_ask_again)
{
    asking();
    tell_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 1, false);
    mote.config.endpoint_type = "sensor"; /* so that it registers again */
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    CHECK_INT(newest().code, COAP_POST);
    signed_answer(OTHER_KEY, COAP_CREATED, 1800000000, 65, false);
    CHECK_INT(last_event()->error, MOTE_E_AUTH);
}

TEST(does_not_send_in_the_clear_when_the_mirror_agrees_on_no_key)
{
    struct bearssl_aes128 state;
    struct aes128 aes;

    bearssl_aes128(&aes, &state);
    fake_mote_init(&mote);
    mote.config.encryption = &app_encryption;
    mote.config.aes = &aes;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    tell_key(MIRROR_KEY);
    signed_answer(MIRROR_KEY, COAP_CREATED, 1800000000, 1, false); /* without key 2 */
    CHECK_INT(mote.app.state, APP_SLEEPING);
    CHECK_INT(last_event()->error, MOTE_E_UNSUPPORTED);
    CHECK_INT(newest().code, COAP_POST);
}

TEST(survives_answers_that_are_no_cose)
{
    struct dice dice = {3};
    uint8_t external[SHA256_SIZE] = {0};
    uint8_t point[P256_PUBLIC_SIZE];
    uint8_t good[300];
    struct jose_answer answer;
    size_t len;

    asking();
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

TEST(forgets_the_key_when_it_stops)
{
    registered();
    app_stop(&mote.app);
    for (size_t i = 0; i < STORE_KEY_SIZE; i++)
        CHECK_INT(mote.app.store.record.key[i], 0);
    CHECK(app_deadline(&mote.app) == UINT64_MAX);
}

int main(void)
{
    RUN(registers_first_and_then_sends_every_reading);
    RUN(is_silent_between_wake_ups);
    RUN(confirms_the_first_update_and_at_least_every_sixty_fourth);
    RUN(an_unanswered_update_costs_a_bounded_wait_and_is_no_failure);
    RUN(does_not_listen_at_all_when_told_so);
    RUN(a_dead_mirror_ends_in_sleep_after_bounded_repetitions);
    RUN(no_slow_mirror_keeps_it_awake_for_more_than_two_minutes_nor_for_most_of_the_time);
    RUN(registers_again_when_the_mirror_has_forgotten_it);
    RUN(an_unverified_hint_does_not_move_the_counter);
    RUN(keeps_trying_slowly_while_nobody_has_approved_the_key);
    RUN(comes_back_when_an_overloaded_mirror_says_so);
    RUN(renews_the_registration_at_three_quarters_of_its_lifetime);
    RUN(resumes_after_a_restart_with_a_confirmable_update_and_a_higher_number);
    RUN(registers_anew_when_what_it_registered_has_changed_or_its_counter_is_in_doubt);
    RUN(sends_nothing_that_it_could_not_account_for);
    RUN(leaves_out_a_sensor_that_does_not_answer);
    RUN(refuses_names_that_cannot_be_sent);
    RUN(pins_the_mirrors_key_with_the_first_answer_that_verifies);
    RUN(takes_the_time_from_a_verified_answer_when_it_has_no_clock);
    RUN(a_verified_conflict_raises_the_counter_and_registers_above_it);
    RUN(raises_the_counter_once_per_wake_up_only);
    RUN(believes_no_answer_by_another_key_to_another_request_or_without_a_signature);
    RUN(trusts_only_the_mirror_that_was_named);
    RUN(remembers_the_pinned_key_and_does_not_ask_again);
    RUN(does_not_send_in_the_clear_when_the_mirror_agrees_on_no_key);
    RUN(survives_answers_that_are_no_cose);
    RUN(forgets_the_key_when_it_stops);
    return harness_report();
}
