/*
 * The endpoint's reaction to each response: one test for each row of the table in docs/protocol.md
 * section 3.6. test_app_mirror.c tests the rows about verified answers.
 */
#include "harness.h"
#include "mote/app.h"
#include "support/fake.h"

enum { WAKE_MS = 10000 };

/* Codes without a specific reaction. */
static const uint8_t OTHER_CODES[] = {
    COAP_BAD_REQUEST, COAP_BAD_OPTION, COAP_METHOD_NOT_ALLOWED, COAP_NOT_ACCEPTABLE,
    COAP_INCOMPLETE,  COAP_TOO_LARGE,  COAP_UNSUPPORTED_FORMAT};
static const uint8_t OVERLOADED[] = {COAP_TOO_MANY, 0xa0 /* 5.00 */, COAP_UNAVAILABLE};
static const uint8_t LOST[] = {COAP_UNAUTHORIZED, COAP_NOT_FOUND, COAP_CONFLICT};

static struct fake_mote mote;

/* The first wake-up: the mirror's key is requested. */
static void key_requested(void)
{
    fake_mote_init(&mote);
    if (fake_mote_boot(&mote) != MOTE_OK || !fake_mote_step(&mote, 0))
        abort();
}

/* A mirror without a key: the registration is under way. */
static void registering(void)
{
    key_requested();
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
}

/* Registered at /ms/7; the first update is under way. */
static void sending(void)
{
    registering();
    fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
}

/* The first update is accepted, and the list of commands requested. */
static void listing(void)
{
    fake_mote_init(&mote);
    mote.config.commands = &app_commands;
    mote.config.check_every = 100;
    if (fake_mote_boot(&mote) != MOTE_OK || !fake_mote_step(&mote, 0))
        abort();
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
    fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    if (mote.app.state != APP_LISTING_COMMANDS)
        abort();
}

/* Command 4 of two was requested. */
static void fetching(void)
{
    listing();
    fake_answer(&mote, COAP_CONTENT, NULL, "</ms/7/led?command=4>,</ms/7/led?command=5>");
    if (mote.app.state != APP_FETCHING_COMMAND)
        abort();
}

/* True if the wake-up has ended and the next wake-up is after the usual pause. */
static bool sleeps(void)
{
    return mote.app.state == APP_SLEEPING && mote.app.wake_at == mote.app.woke_at + WAKE_MS;
}

static void check_ends(uint8_t code, void (*reach)(void))
{
    reach();
    fake_answer(&mote, code, NULL, NULL);
    CHECK(sleeps());
    CHECK(mote.app.wake_up_failed);
}

/* The wake-up ends, and Max-Age delays the next one by at most an hour. */
static void check_overloaded(void (*reach)(void))
{
    for (size_t i = 0; i < sizeof OVERLOADED; i++)
        check_ends(OVERLOADED[i], reach);
    reach();
    fake_answer_later(&mote, COAP_TOO_MANY, 45);
    CHECK_INT(mote.app.wake_at, mote.now + 45 * 1000);
    reach();
    fake_answer_later(&mote, COAP_UNAVAILABLE, 86400);
    CHECK_INT(mote.app.wake_at, mote.now + 3600 * 1000);
}

/* Answers with 4.01 and an Echo value. */
static void challenge(void)
{
    uint8_t datagram[64];
    struct coap_message request = fake_newest(&mote);
    struct coap_builder builder;
    struct writer out;

    writer_init(&out, datagram, sizeof datagram);
    coap_begin(&builder, &out, COAP_ACK, COAP_UNAUTHORIZED, request.id, request.token,
               request.token_len);
    coap_add(&builder, COAP_ECHO, (const uint8_t *)"echo", 4);
    app_receive(&mote.app, datagram, writer_len(&out), mote.now);
}

TEST(repeats_a_request_once_with_the_echo_value)
{
    struct coap_message message;
    struct coap_option echo;

    sending();
    challenge();
    message = fake_newest(&mote);
    CHECK_INT(message.code, COAP_PUT);
    CHECK(fake_option(&message, COAP_ECHO, &echo));
    challenge();
    CHECK(sleeps()); /* as after any other 4.01: it has registered in this wake-up */
}

TEST(retransmits_a_confirmable_request_and_ends)
{
    static void (*const reach[])(void) = {key_requested, registering, sending, listing, fetching};

    for (size_t i = 0; i < sizeof reach / sizeof reach[0]; i++) {
        reach[i]();
        size_t sent = mote.wire.count;
        while (mote.app.state != APP_SLEEPING)
            REQUIRE(fake_mote_step(&mote, 100000));
        CHECK_INT(mote.wire.count - sent, 2);
        CHECK_INT(fake_last_event(&mote)->kind, APP_EVENT_UNANSWERED);
        CHECK(mote.app.wake_up_failed);
    }
}

static void reset(void)
{
    uint8_t datagram[4];
    struct coap_builder builder;
    struct writer out;

    writer_init(&out, datagram, sizeof datagram);
    coap_begin(&builder, &out, COAP_RST, COAP_EMPTY, fake_newest(&mote).id, NULL, 0);
    app_receive(&mote.app, datagram, writer_len(&out), mote.now);
}

TEST(a_reset_ends_the_wake_up_or_the_check_for_commands)
{
    static void (*const reach[])(void) = {key_requested, registering, sending};
    static void (*const checking[])(void) = {listing, fetching};

    for (size_t i = 0; i < sizeof reach / sizeof reach[0]; i++) {
        reach[i]();
        reset();
        CHECK(sleeps() && mote.app.wake_up_failed);
    }
    for (size_t i = 0; i < sizeof checking / sizeof checking[0]; i++) {
        checking[i]();
        reset();
        CHECK_INT(mote.app.state, APP_SENDING);
        CHECK(mote.app.check_due);
    }
}

TEST(returns_when_the_mirror_is_too_busy_to_send_its_key)
{
    check_overloaded(key_requested);
}

TEST(registers_unverified_at_a_mirror_without_a_key)
{
    static const uint8_t codes[] = {COAP_NOT_FOUND, COAP_FORBIDDEN, COAP_METHOD_NOT_ALLOWED};

    for (size_t i = 0; i < sizeof codes; i++) {
        key_requested();
        fake_answer(&mote, codes[i], NULL, NULL);
        CHECK_INT(mote.app.state, APP_REGISTERING);
    }
    key_requested();
    fake_answer(&mote, COAP_CONTENT, NULL, "{}");
    CHECK_INT(mote.app.state, APP_REGISTERING);
}

TEST(sends_its_readings_after_registering)
{
    registering();
    fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
    CHECK_INT(mote.app.state, APP_SENDING);
}

TEST(registers_again_in_the_next_wake_up)
{
    for (size_t i = 0; i < sizeof OTHER_CODES; i++)
        check_ends(OTHER_CODES[i], registering);
    for (size_t i = 0; i < sizeof LOST; i++)
        check_ends(LOST[i], registering);
    check_ends(COAP_FORBIDDEN, registering);
    check_overloaded(registering);
    REQUIRE(fake_mote_step(&mote, 3600 * 1000));
    CHECK_INT(mote.app.state, APP_FETCHING_KEY);
}

TEST(continues_after_an_accepted_reading)
{
    sending();
    fake_answer(&mote, COAP_CREATED, NULL, NULL);
    CHECK(mote.app.state == APP_SENDING && mote.app.sensor == 1);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK(sleeps() && !mote.app.wake_up_failed);
}

TEST(continues_after_an_unanswered_non_confirmable_reading)
{
    sending();
    fake_answer(&mote, COAP_CREATED, NULL, NULL);
    REQUIRE(fake_newest(&mote).type == COAP_NON && fake_mote_step(&mote, 500));
    CHECK(sleeps() && !mote.app.wake_up_failed);
}

TEST(registers_once_when_the_registration_is_lost_and_sends_the_reading_again)
{
    for (size_t i = 0; i < sizeof LOST; i++) {
        sending();
        fake_answer(&mote, COAP_CHANGED, NULL, NULL);
        fake_answer(&mote, COAP_CHANGED, NULL, NULL);
        REQUIRE(fake_mote_step(&mote, WAKE_MS));
        fake_answer(&mote, LOST[i], NULL, NULL);
        fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL); /* no key */
        CHECK_INT(mote.app.state, APP_REGISTERING);
        fake_answer(&mote, COAP_CREATED, "ms/8", NULL);
        CHECK(mote.app.state == APP_SENDING && mote.app.sensor == 0);
        fake_answer(&mote, LOST[i], NULL, NULL);
        CHECK(sleeps() && mote.app.wake_up_failed);
        REQUIRE(fake_mote_step(&mote, WAKE_MS));
        CHECK_INT(mote.app.state, APP_FETCHING_KEY);
    }
}

TEST(a_reading_that_is_not_permitted_ends_the_wake_up)
{
    check_ends(COAP_FORBIDDEN, sending);
    REQUIRE(fake_mote_step(&mote, WAKE_MS));
    CHECK(mote.app.state == APP_SENDING && mote.app.sensor == 0);
}

TEST(sends_no_further_reading_to_an_overloaded_mirror)
{
    check_overloaded(sending);
}

TEST(skips_a_reading_that_the_mirror_cannot_accept)
{
    for (size_t i = 0; i < sizeof OTHER_CODES; i++) {
        sending();
        fake_answer(&mote, OTHER_CODES[i], NULL, NULL);
        CHECK(mote.app.state == APP_SENDING && mote.app.sensor == 1);
        fake_answer(&mote, COAP_CHANGED, NULL, NULL);
        CHECK(sleeps() && !mote.app.wake_up_failed);
    }
}

TEST(drops_an_acknowledgement_that_the_mirror_does_not_know)
{
    sending();
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    mote.app.store.record.acted = 3;
    mote.app.store.record.ack_due = true;
    REQUIRE(fake_mote_step(&mote, WAKE_MS));
    fake_answer(&mote, COAP_BAD_REQUEST, NULL, NULL);
    CHECK(!mote.app.store.record.ack_due);
    CHECK(mote.app.state == APP_SENDING && mote.app.sensor == 1);
}

TEST(fetches_the_first_new_command)
{
    listing();
    fake_answer(&mote, COAP_CONTENT, NULL, "</ms/7/led?command=4>");
    CHECK(mote.app.state == APP_FETCHING_COMMAND && mote.app.command == 4);
    listing();
    fake_answer(&mote, COAP_CONTENT, NULL, "");
    CHECK(mote.app.state == APP_SENDING && !mote.app.check_due);
}

TEST(registers_when_the_list_is_lost_before_an_update_was_accepted)
{
    for (size_t i = 0; i < sizeof LOST; i++) {
        fake_mote_init(&mote);
        mote.config.commands = &app_commands;
        mote.config.check_every = 1;
        REQUIRE(fake_mote_boot(&mote) == MOTE_OK && fake_mote_step(&mote, 0));
        fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
        mote.sensor_broken = true;
        fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
        fake_answer(&mote, COAP_CONTENT, NULL, "");
        REQUIRE(sleeps() && fake_mote_step(&mote, WAKE_MS));
        CHECK_INT(mote.app.state, APP_LISTING_COMMANDS);
        fake_answer(&mote, LOST[i], NULL, NULL);
        CHECK_INT(mote.app.state, APP_FETCHING_KEY);
    }
}

/* The check ends and is due in the next wake-up; the other reading is sent. */
static void check_put_off(uint8_t code, void (*reach)(void))
{
    reach();
    fake_answer(&mote, code, NULL, NULL);
    CHECK(mote.app.state == APP_SENDING && mote.app.sensor == 1);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK(sleeps() && !mote.app.wake_up_failed);
    REQUIRE(fake_mote_step(&mote, WAKE_MS));
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(mote.app.state, APP_LISTING_COMMANDS);
    reach();
    fake_answer_later(&mote, COAP_UNAVAILABLE, 45);
    CHECK_INT(mote.app.state, APP_SENDING);
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK_INT(mote.app.wake_at, mote.now + 45 * 1000);
}

TEST(requests_the_list_again_in_the_next_wake_up)
{
    for (size_t i = 0; i < sizeof OTHER_CODES; i++)
        check_put_off(OTHER_CODES[i], listing);
    for (size_t i = 0; i < sizeof OVERLOADED; i++)
        check_put_off(OVERLOADED[i], listing);
    for (size_t i = 0; i < sizeof LOST; i++)
        check_put_off(LOST[i], listing);
    check_put_off(COAP_FORBIDDEN, listing);
}

TEST(skips_a_command_only_after_not_found)
{
    fetching();
    fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
    CHECK_INT(mote.app.state, APP_LISTING_COMMANDS);
    fake_answer(&mote, COAP_CONTENT, NULL, "</ms/7/led?command=4>,</ms/7/led?command=5>");
    CHECK(mote.app.state == APP_FETCHING_COMMAND && mote.app.command == 5);
}

TEST(fetches_a_command_again_in_the_next_wake_up)
{
    for (size_t i = 0; i < sizeof OTHER_CODES; i++)
        check_put_off(OTHER_CODES[i], fetching);
    for (size_t i = 0; i < sizeof OVERLOADED; i++)
        check_put_off(OVERLOADED[i], fetching);
    check_put_off(COAP_UNAUTHORIZED, fetching);
    check_put_off(COAP_CONFLICT, fetching);
    check_put_off(COAP_FORBIDDEN, fetching);
}

/* The one sensor is read, and the refusal of command 4 is under way. */
static void refusing(void)
{
    fetching();
    fake_answer(&mote, COAP_CONTENT, NULL, "no JWS");
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    if (mote.app.state != APP_REFUSING)
        abort();
}

TEST(refuses_a_command_that_does_not_fit_its_buffer)
{
    char large[sizeof mote.body] = "";

    fetching();
    mote.app.client.request.answer_size = 100;
    memset(large, 'x', 200);
    fake_answer(&mote, COAP_CONTENT, NULL, large);
    CHECK_INT(mote.app.reason, APP_REASON_TOO_LARGE);
    CHECK(mote.app.state == APP_SENDING && mote.app.sensor == 1);
}

TEST(asks_for_further_commands_after_a_refusal)
{
    refusing();
    fake_answer(&mote, COAP_CHANGED, NULL, NULL);
    CHECK(mote.app.state == APP_LISTING_COMMANDS && mote.app.reason == APP_REASON_NONE);
}

TEST(registers_once_and_repeats_a_refusal)
{
    static const uint8_t codes[] = {COAP_UNAUTHORIZED, COAP_CONFLICT};

    for (size_t i = 0; i < sizeof codes; i++) {
        refusing(); /* in the wake-up that has registered */
        fake_answer(&mote, codes[i], NULL, NULL);
        CHECK(sleeps() && mote.app.reason == APP_REASON_CONTENT);
        REQUIRE(fake_mote_step(&mote, WAKE_MS));
        fake_answer(&mote, COAP_NOT_FOUND, NULL, NULL);
        fake_answer(&mote, COAP_CREATED, "ms/7", NULL);
        fake_answer(&mote, COAP_CHANGED, NULL, NULL);
        fake_answer(&mote, COAP_CHANGED, NULL, NULL);
        CHECK_INT(mote.app.state, APP_REFUSING);
    }
}

TEST(repeats_a_refusal_in_the_next_wake_up)
{
    for (size_t i = 0; i <= sizeof OVERLOADED; i++) {
        refusing();
        fake_answer(&mote, i == 0 ? COAP_FORBIDDEN : OVERLOADED[i - 1], NULL, NULL);
        CHECK(sleeps() && mote.app.reason == APP_REASON_CONTENT);
        REQUIRE(fake_mote_step(&mote, WAKE_MS));
        fake_answer(&mote, COAP_CHANGED, NULL, NULL);
        fake_answer(&mote, COAP_CHANGED, NULL, NULL);
        CHECK_INT(mote.app.state, APP_REFUSING);
    }
    refusing();
    fake_answer_later(&mote, COAP_UNAVAILABLE, 45);
    CHECK_INT(mote.app.wake_at, mote.now + 45 * 1000);
}

TEST(drops_a_refusal_that_the_mirror_does_not_know)
{
    for (size_t i = 0; i <= sizeof OTHER_CODES; i++) {
        refusing();
        fake_answer(&mote, i == 0 ? COAP_NOT_FOUND : OTHER_CODES[i - 1], NULL, NULL);
        CHECK(mote.app.state == APP_LISTING_COMMANDS && mote.app.reason == APP_REASON_NONE);
    }
}

int main(void)
{
    RUN(repeats_a_request_once_with_the_echo_value);
    RUN(retransmits_a_confirmable_request_and_ends);
    RUN(a_reset_ends_the_wake_up_or_the_check_for_commands);
    RUN(returns_when_the_mirror_is_too_busy_to_send_its_key);
    RUN(registers_unverified_at_a_mirror_without_a_key);
    RUN(sends_its_readings_after_registering);
    RUN(registers_again_in_the_next_wake_up);
    RUN(continues_after_an_accepted_reading);
    RUN(continues_after_an_unanswered_non_confirmable_reading);
    RUN(registers_once_when_the_registration_is_lost_and_sends_the_reading_again);
    RUN(a_reading_that_is_not_permitted_ends_the_wake_up);
    RUN(sends_no_further_reading_to_an_overloaded_mirror);
    RUN(skips_a_reading_that_the_mirror_cannot_accept);
    RUN(drops_an_acknowledgement_that_the_mirror_does_not_know);
    RUN(fetches_the_first_new_command);
    RUN(registers_when_the_list_is_lost_before_an_update_was_accepted);
    RUN(requests_the_list_again_in_the_next_wake_up);
    RUN(skips_a_command_only_after_not_found);
    RUN(fetches_a_command_again_in_the_next_wake_up);
    RUN(refuses_a_command_that_does_not_fit_its_buffer);
    RUN(asks_for_further_commands_after_a_refusal);
    RUN(registers_once_and_repeats_a_refusal);
    RUN(repeats_a_refusal_in_the_next_wake_up);
    RUN(drops_a_refusal_that_the_mirror_does_not_know);
    return harness_report();
}
