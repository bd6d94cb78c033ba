#include "harness.h"
#include "mote/store.h"
#include "support/fake.h"

static const uint8_t KEY[STORE_KEY_SIZE] = {1, 2, 3, 4, 5, 6, 7, 8};
static const uint8_t TAG[STORE_TAG_SIZE] = {9, 9};

static void fresh(struct fake_storage *flash, struct store *store)
{
    fake_storage_init(flash);
    if (store_open(store, &flash->port) != MOTE_E_STATE || store_create(store, KEY) != MOTE_OK)
        abort();
}

TEST(stores_key_location_command_and_mirror)
{
    struct fake_storage flash;
    struct store store;
    struct store again;
    uint8_t point[STORE_POINT_SIZE];

    memset(point, 0x5a, sizeof point);
    fresh(&flash, &store);
    CHECK_INT(store_set_location(&store, "ms/7", TAG), MOTE_OK);
    CHECK_INT(store_begin_command(&store, 12), MOTE_OK);
    CHECK_INT(store_set_mirror(&store, point), MOTE_OK);
    REQUIRE(store_open(&again, &flash.port) == MOTE_OK);
    CHECK_OCTETS(again.record.key, sizeof KEY, KEY, sizeof KEY);
    CHECK(strcmp(again.record.location, "ms/7") == 0);
    CHECK_OCTETS(again.record.tag, sizeof TAG, TAG, sizeof TAG);
    CHECK_INT(again.record.command, 12);
    CHECK(again.record.mirror_known);
    CHECK_OCTETS(again.record.mirror, sizeof point, point, sizeof point);
    CHECK(!again.slots.uncertain);
}

TEST(writes_once_for_sixty_four_numbers)
{
    struct fake_storage flash;
    struct store store;
    uint64_t number = 0;

    fresh(&flash, &store);
    flash.writes = 0;
    for (uint64_t i = 1; i <= 129; i++) {
        CHECK_INT(store_take_number(&store, &number), MOTE_OK);
        CHECK_INT(number, i);
    }
    CHECK_INT(flash.writes, 3);
}

TEST(continues_above_every_number_that_may_have_been_used)
{
    struct fake_storage flash;
    struct store store;
    uint64_t number = 0;

    fresh(&flash, &store);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    REQUIRE(store_open(&store, &flash.port) == MOTE_OK);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK_INT(number, 65);
}

TEST(raises_the_counter_durably_and_never_lowers_it)
{
    struct fake_storage flash;
    struct store store;
    uint64_t number = 0;

    fresh(&flash, &store);
    CHECK_INT(store_raise(&store, 1000), MOTE_OK);
    CHECK_INT(store_raise(&store, 10), MOTE_OK);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK_INT(number, 1001);
    CHECK_INT(store_raise(&store, 1020), MOTE_OK); /* within the reserved numbers */
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK_INT(number, 1021);
    REQUIRE(store_open(&store, &flash.port) == MOTE_OK);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK(number > 1021);
    CHECK_INT(store_raise(&store, (UINT64_C(1) << 53) - 1), MOTE_E_STATE);
}

TEST(takes_no_number_beyond_the_number_space)
{
    struct fake_storage flash;
    struct store store;
    uint64_t number = 0;

    fresh(&flash, &store);
    store.next = (UINT64_C(1) << 53) - 10;
    CHECK_INT(store_raise(&store, (UINT64_C(1) << 53) - 2), MOTE_OK);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK(number == (UINT64_C(1) << 53) - 1);
    CHECK_INT(store_take_number(&store, &number), MOTE_E_STATE);
}

TEST(no_single_answer_uses_up_the_number_space)
{
    struct fake_storage flash;
    struct store store;
    uint64_t number = 0;

    fresh(&flash, &store);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK_INT(store_raise(&store, (UINT64_C(1) << 53) - 2), MOTE_E_STATE);
    CHECK_INT(store_raise(&store, (UINT64_C(1) << 32) + 3), MOTE_E_STATE);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK_INT(number, 2);
    CHECK_INT(store_raise(&store, UINT64_C(1) << 32), MOTE_OK);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK(number == (UINT64_C(1) << 32) + 1);
}

/*
 * One run: opens, takes numbers, sometimes registers, until power fails. Every number must be above
 * all numbers of this run and earlier runs.
 */
static void live(struct fake_storage *flash, struct dice *dice, uint64_t *highest, bool *born)
{
    struct store store;
    uint64_t number;
    int error = store_open(&store, &flash->port);

    if (error == MOTE_E_STATE) {
        CHECK(!*born || *highest == 0);
        error = store_create(&store, KEY);
    }
    if (error != MOTE_OK) {
        CHECK(flash->dark);
        return;
    }
    *born = true;
    CHECK_OCTETS(store.record.key, sizeof KEY, KEY, sizeof KEY);
    for (int i = 0; i < 300 && !flash->dark; i++) {
        if (dice_below(dice, 20) == 0) {
            (void)store_set_location(&store, dice_below(dice, 2) ? "ms/7" : "", TAG);
        } else if (store_take_number(&store, &number) == MOTE_OK) {
            CHECK(number > *highest);
            *highest = number;
        }
    }
}

TEST(uses_no_number_twice_wherever_power_is_cut)
{
    struct dice dice = {2026};

    for (unsigned cut = 1; cut <= 12 && harness_ok; cut++)
        for (size_t torn = 0; torn <= STORAGE_SLOT_SIZE && harness_ok; torn += 16) {
            struct fake_storage flash;
            uint64_t highest = 0;
            bool born = false;

            fake_storage_init(&flash);
            for (unsigned lives = 0; lives < 4; lives++) {
                fake_power_on(&flash);
                flash.cut_at = lives < 3 ? cut : 0;
                flash.torn = torn;
                flash.rest = (enum fake_rest)((cut + lives) % FAKE_RESTS);
                live(&flash, &dice, &highest, &born);
            }
            CHECK(highest > 0);
        }
}

TEST(a_completed_write_without_confirmation_does_no_harm)
{
    struct fake_storage flash;
    struct store store;
    uint64_t number = 0;

    fresh(&flash, &store);
    flash.cut_at = flash.writes + 1;
    flash.torn = STORAGE_SLOT_SIZE; /* the whole record, and then power fails */
    CHECK_INT(store_take_number(&store, &number), MOTE_E_IO);
    fake_power_on(&flash);
    REQUIRE(store_open(&store, &flash.port) == MOTE_OK);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK_INT(number, 65);
}

TEST(skips_numbers_that_a_decayed_record_may_have_reserved)
{
    struct fake_storage flash;
    struct store store;
    uint64_t number = 0;

    fresh(&flash, &store);
    for (int i = 0; i < 70; i++)
        CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    flash.slots[store.slots.generation % 2][20] ^= 1;
    REQUIRE(store_open(&store, &flash.port) == MOTE_OK);
    CHECK(store.slots.uncertain);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    CHECK(number > 128);
}

TEST(does_not_start_again_when_both_records_are_damaged)
{
    struct fake_storage flash;
    struct store store;
    uint64_t number = 0;

    fresh(&flash, &store);
    CHECK_INT(store_take_number(&store, &number), MOTE_OK);
    flash.slots[0][30] ^= 1;
    flash.slots[1][30] ^= 1;
    CHECK_INT(store_open(&store, &flash.port), MOTE_E_MALFORMED);
}

TEST(refuses_a_location_that_does_not_fit)
{
    struct fake_storage flash;
    struct store store;
    char location[STORE_LOCATION_SIZE + 1];

    memset(location, 'a', sizeof location);
    location[STORE_LOCATION_SIZE] = '\0';
    fresh(&flash, &store);
    CHECK_INT(store_set_location(&store, location, TAG), MOTE_E_SPACE);
    location[STORE_LOCATION_SIZE - 1] = '\0';
    CHECK_INT(store_set_location(&store, location, TAG), MOTE_OK);
    CHECK(strcmp(store.record.location, location) == 0);
}

int main(void)
{
    RUN(stores_key_location_command_and_mirror);
    RUN(writes_once_for_sixty_four_numbers);
    RUN(continues_above_every_number_that_may_have_been_used);
    RUN(raises_the_counter_durably_and_never_lowers_it);
    RUN(takes_no_number_beyond_the_number_space);
    RUN(no_single_answer_uses_up_the_number_space);
    RUN(uses_no_number_twice_wherever_power_is_cut);
    RUN(a_completed_write_without_confirmation_does_no_harm);
    RUN(skips_numbers_that_a_decayed_record_may_have_reserved);
    RUN(does_not_start_again_when_both_records_are_damaged);
    RUN(refuses_a_location_that_does_not_fit);
    return harness_report();
}
