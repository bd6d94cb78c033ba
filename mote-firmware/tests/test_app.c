/* The endpoint with a scripted mirror. tests/peer has real mirrors. */
#include "harness.h"
#include "mote/app.h"
#include "support/fake.h"

static struct fake_mote mote;

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
static void answer_without_key(void)
{
    if (fake_newest(&mote).code == COAP_GET)
        fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
}

/* Starts and registers at /ms/7. Then the first update is under way. */
static void registered(void)
{
    fake_mote_init(&mote);
    if (fake_mote_boot(&mote) != MOTE_OK || !fake_mote_step(&mote, 0))
        abort();
    answer_without_key();
    fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
}

/* Registers, sends two readings and wakes up again. Then the third update is under way. */
static void registered_and_awake(void)
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
    message = fake_newest(&mote);
    CHECK(message.type == COAP_CON && message.code == COAP_PUT && path_is(&message, "/ms/7/load"));
    fake_answer(&mote, COAP_CREATED, NULL, NULL);
    message = fake_newest(&mote);
    CHECK(message.type == COAP_NON && path_is(&message, "/ms/7/memory"));
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(mote.app.state, APP_SLEEPING);
    for (size_t i = 1; i <= 3; i++)
        CHECK_INT(fake_sent_seq(&mote, i), i);
    CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_SENT);
    CHECK_INT(fake_last_event(&mote)->seq, 3);
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
        if (fake_newest(&mote).type == COAP_CON) {
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

TEST(an_unanswered_update_waits_a_bounded_time_and_is_not_a_failure)
{
    registered();
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(fake_newest(&mote).type, COAP_NON);
    CHECK_INT(app_deadline(&mote.app), mote.now + 500);
    REQUIRE(fake_mote_step(&mote, 500));
    CHECK_INT(mote.app.state, APP_SLEEPING);
    CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_SENT);
    CHECK_INT(fake_last_event(&mote)->code, 0);
    CHECK_INT(app_deadline(&mote.app), 11000);
}

TEST(does_not_listen_when_configured_so)
{
    registered();
    mote.app.config.listen_ms = 0;
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(fake_newest(&mote).type, COAP_NON);
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
        CHECK_INT(mote.wire.count - before, 3); /* one transmission and two repetitions */
        CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_UNANSWERED);
        CHECK(mote.app.wake_at > slept_until);
        CHECK(mote.app.wake_at <= mote.app.woke_at + 70000);
        slept_until = mote.app.wake_at;
        mote.wire.count = 0;
    }
    CHECK_INT(mote.app.wake_at - mote.app.woke_at, 60000); /* the longest pause */
}

/* Answers as late as possible, with a response of endless small blocks. */
static void answer_slowly(unsigned block)
{
    struct coap_message request = fake_newest(&mote);
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

TEST(a_slow_mirror_keeps_it_awake_for_two_minutes_at_most)
{
    uint64_t woke;

    fake_mote_init(&mote);
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    woke = mote.now;
    for (unsigned block = 0; mote.app.state != APP_SLEEPING && block < 40; block++)
        answer_slowly(block);
    CHECK_INT(mote.app.state, APP_SLEEPING);
    CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_UNANSWERED);
    CHECK(mote.now - woke <= 130000);
    CHECK(mote.app.wake_at - mote.now >= 110000);
    CHECK(fake_mote_step(&mote, 120000)); /* and begins again */
    CHECK_INT(mote.app.state, APP_FETCHING_KEY);
    CHECK(app_deadline(&mote.app) < mote.now + 4000);
}

TEST(registers_again_when_the_mirror_has_forgotten_it)
{
    struct coap_message message;

    registered_and_awake();
    fake_answer(&mote, COAP_NOT_FOUND, NULL, "no such entry");
    CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_REFUSED);
    answer_without_key();
    CHECK_INT(fake_newest(&mote).code, COAP_POST);
    fake_answer(&mote, COAP_CREATED, "ms/9", NULL);
    message = fake_newest(&mote);
    CHECK(path_is(&message, "/ms/9/load") && message.type == COAP_CON);
    CHECK_INT(fake_sent_seq(&mote, mote.wire.count - 1), 6);
    /* not twice in one wake-up */
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

TEST(an_unverified_hint_does_not_move_the_counter)
{
    registered_and_awake();
    fake_answer(&mote, COAP_CONFLICT, NULL, "9007199254740000");
    answer_without_key();
    CHECK(fake_newest(&mote).code == COAP_POST);
    CHECK_INT(fake_sent_seq(&mote, mote.wire.count - 1), 5);
    fake_answer(&mote, COAP_CONFLICT, NULL, "9007199254740000");
    CHECK_INT(mote.app.state, APP_SLEEPING);
    CHECK(mote.app.store.next < 100);
}

TEST(retries_slowly_until_the_key_is_approved)
{
    registered();
    for (int wake = 0; wake < 6; wake++) {
        fake_answer(&mote, COAP_FORBIDDEN, NULL, "pending");
        CHECK_INT(mote.app.state, APP_SLEEPING);
        CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_REFUSED);
        REQUIRE(fake_mote_step(&mote, 60000));
        CHECK_INT(fake_newest(&mote).code, COAP_PUT);
    }
    CHECK_INT(mote.app.backoff, 6);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(mote.app.backoff, 0);
    CHECK_INT(app_deadline(&mote.app), mote.now + 10000);
}

TEST(returns_when_an_overloaded_mirror_allows)
{
    registered();
    fake_answer_later(&mote, COAP_TOO_MANY, 45);
    CHECK_INT(app_deadline(&mote.app), mote.now + 45000);
}

TEST(renews_the_registration_at_three_quarters_of_its_lifetime)
{
    fake_mote_init(&mote);
    mote.config.lifetime = 100;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    answer_without_key();
    fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
    for (int wake = 0; wake < 9; wake++) {
        mote.wire.count = mote.wire.count > 40 ? 0 : mote.wire.count;
        while (mote.app.state != APP_SLEEPING)
            fake_answer(&mote, COAP_CHANGED, NULL, NULL);
        REQUIRE(fake_mote_step(&mote, 10000));
        answer_without_key();
        CHECK_INT(fake_newest(&mote).code, mote.now == 81000 ? COAP_POST : COAP_PUT);
        if (fake_newest(&mote).code == COAP_POST)
            fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
    }
}

TEST(resumes_with_a_confirmable_update_and_a_higher_number)
{
    struct coap_message message;

    registered();
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_RESUMED);
    message = fake_newest(&mote);
    CHECK(message.type == COAP_CON && path_is(&message, "/ms/7/load"));
    CHECK_INT(fake_sent_seq(&mote, mote.wire.count - 1), 65);
}

TEST(registers_again_after_changes_or_with_an_uncertain_counter)
{
    registered();
    mote.config.mirror = "coap://[::2]";
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    answer_without_key();
    CHECK_INT(fake_newest(&mote).code, COAP_POST);

    registered();
    mote.storage.slots[mote.app.store.slots.generation % 2][40] ^= 1;
    REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
    answer_without_key();
    CHECK_INT(fake_newest(&mote).code, COAP_POST);
}

TEST(sends_nothing_under_a_number_that_cannot_be_stored)
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
    CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_FAILED);
    CHECK_INT(fake_last_event(&mote)->error, MOTE_E_IO);
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

TEST(skips_a_sensor_that_fails)
{
    registered();
    mote.sensor_broken = true;
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_SENSOR);
    CHECK_INT(mote.app.state, APP_SLEEPING);
}

static struct {
    size_t sensor;
    uint64_t seq;
} kept[16];
static size_t kept_count;

static void keep(void *context, size_t sensor, struct decimal value, uint64_t time, uint64_t seq)
{
    (void)context;
    CHECK_INT(value.digits, mote.reading.digits);
    CHECK(time > 0);
    kept[kept_count % 16].sensor = sensor;
    kept[kept_count++ % 16].seq = seq;
}

static bool read_time(void *context, uint64_t *seconds)
{
    (void)context;
    *seconds = 1800000000;
    return true;
}

/* An endpoint that keeps its readings, before its first wake-up. */
static void begin_keeping(void)
{
    static const struct wall_clock clock = {.read = read_time};

    fake_mote_init(&mote);
    mote.config.keep = keep;
    mote.config.clock = &clock;
    kept_count = 0;
    if (fake_mote_boot(&mote) != MOTE_OK)
        abort();
}

TEST(keeps_each_reading_once_sent_or_not)
{
    begin_keeping();
    REQUIRE(fake_mote_step(&mote, 0));
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL); /* no identity key: registers without it */
    fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
    CHECK_INT(kept_count, 1);
    CHECK(kept[0].sensor == 0 && kept[0].seq == mote.app.seq);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(kept_count, 2);
    /* a mirror that no longer answers */
    mote.app.unconfirmed = 64;
    do
        REQUIRE(fake_mote_step(&mote, 100000));
    while (mote.app.state != APP_SLEEPING);
    CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_UNANSWERED);
    CHECK_INT(kept_count, 4);
    CHECK(kept[2].sensor == 0 && kept[2].seq > 0 && kept[3].sensor == 1 && kept[3].seq == 0);
}

TEST(measures_at_its_pace_without_a_route_to_the_mirror)
{
    uint64_t now;

    begin_keeping();
    now = mote.now;
    CHECK_INT(app_measure(&mote.app, now), now + 10000);
    CHECK_INT(kept_count, 2);
    CHECK_INT(app_measure(&mote.app, now + 9999), now + 10000);
    CHECK_INT(kept_count, 2);
    CHECK_INT(app_measure(&mote.app, now + 10000), now + 20000);
    CHECK_INT(kept_count, 4);
    CHECK_INT(app_deadline(&mote.app), now); /* it wakes as soon as there is a route */
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
    RUN(an_unanswered_update_waits_a_bounded_time_and_is_not_a_failure);
    RUN(does_not_listen_when_configured_so);
    RUN(a_dead_mirror_ends_in_sleep_after_bounded_repetitions);
    RUN(a_slow_mirror_keeps_it_awake_for_two_minutes_at_most);
    RUN(registers_again_when_the_mirror_has_forgotten_it);
    RUN(an_unverified_hint_does_not_move_the_counter);
    RUN(retries_slowly_until_the_key_is_approved);
    RUN(returns_when_an_overloaded_mirror_allows);
    RUN(renews_the_registration_at_three_quarters_of_its_lifetime);
    RUN(resumes_with_a_confirmable_update_and_a_higher_number);
    RUN(registers_again_after_changes_or_with_an_uncertain_counter);
    RUN(sends_nothing_under_a_number_that_cannot_be_stored);
    RUN(skips_a_sensor_that_fails);
    RUN(keeps_each_reading_once_sent_or_not);
    RUN(measures_at_its_pace_without_a_route_to_the_mirror);
    RUN(refuses_names_that_cannot_be_sent);
    RUN(forgets_the_key_when_it_stops);
    return harness_report();
}
