/* Counters that survive a restart: frames of link security, packets and blocks. */
#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "mote/link_counters.h"
#include "support/fake.h"

static struct fake_storage storage;
static const uint8_t frames[COUNTER_NAME] = "F1234567", heard[COUNTER_NAME] = "H8765432",
                     packets[COUNTER_NAME] = "S0001000";

TEST(counters_continue_above_all_used_values)
{
    struct counter_store counters;

    fake_storage_init(&storage);
    REQUIRE(counter_store_open(&counters, &storage.port) == MOTE_OK);
    CHECK_INT(counter_store_limit(&counters, frames), 0);
    CHECK_INT(counter_store_reserve(&counters, frames, 0, 64), MOTE_OK);
    CHECK_INT(counter_store_reserve(&counters, heard, 900, 16), MOTE_OK);
    CHECK_INT(storage.writes, 2);
    for (uint32_t used = 0; used < 64; used++)
        CHECK_INT(counter_store_reserve(&counters, frames, used, 64), MOTE_OK);
    CHECK_INT(storage.writes, 2);
    CHECK_INT(counter_store_reserve(&counters, frames, 64, 64), MOTE_OK);
    CHECK_INT(storage.writes, 3);
    REQUIRE(counter_store_open(&counters, &storage.port) == MOTE_OK);
    CHECK_INT(counter_store_limit(&counters, frames), 128);
    CHECK_INT(counter_store_limit(&counters, heard), 916);
    CHECK_INT(counter_store_reserve(&counters, frames, UINT32_MAX - 8, 64), MOTE_E_STATE);
}

TEST(counters_refuse_more_names_than_fit)
{
    struct counter_store counters;
    uint8_t name[COUNTER_NAME] = "H";

    fake_storage_init(&storage);
    REQUIRE(counter_store_open(&counters, &storage.port) == MOTE_OK);
    for (uint8_t i = 0; i < COUNTERS_MAX; i++) {
        name[1] = i;
        CHECK_INT(counter_store_reserve(&counters, name, 1, 16), MOTE_OK);
    }
    name[1] = COUNTERS_MAX;
    CHECK_INT(counter_store_reserve(&counters, name, 1, 16), MOTE_E_SPACE);
    CHECK_INT(counter_store_limit(&counters, name), 0);
}

/* ---- frames of link security ---- */

TEST(a_frame_from_before_a_restart_is_refused_after_it)
{
    static const uint8_t own[EUI64_SIZE] = {2, [7] = 1}, neighbour[EUI64_SIZE] = {2, [7] = 2};
    struct counter_store counters;
    uint32_t taken = 0;

    fake_storage_init(&storage);
    for (int life = 0; life < 3; life++) {
        struct frame_counter entries[4] = {{.used = false}};
        struct frame_counters table = {entries, 4};

        REQUIRE(counter_store_open(&counters, &storage.port) == MOTE_OK);
        link_counters_restore(&counters, &table);
        for (uint32_t old = 0; old < taken; old++)
            CHECK_INT(frame_replay_check(&table, neighbour, 0, old), MOTE_E_REPLAY);
        taken += taken > 0 ? COUNTERS_RECEIVED_STEP : 0; /* at most this many new frames are lost */
        for (int i = 0; i < 100; i++, taken++) {
            CHECK_INT(frame_replay_update(&table, neighbour, 0, taken), MOTE_OK);
            CHECK_INT(link_counters_save(&counters, neighbour, taken), MOTE_OK);
        }
    }
    CHECK_INT(link_counters_own(&counters, own), 0);
    CHECK_INT(link_counters_reserve(&counters, own, 0), MOTE_OK);
    REQUIRE(counter_store_open(&counters, &storage.port) == MOTE_OK);
    CHECK_INT(link_counters_own(&counters, own), COUNTERS_OWN_STEP);
}

static bool accepts(struct counter_store *counters, const uint8_t eui[EUI64_SIZE], uint32_t counter)
{
    struct frame_counter entries[4] = {{.used = false}};
    struct frame_counters table = {entries, 4};

    link_counters_restore(counters, &table);
    return frame_replay_update(&table, eui, 0, counter) == MOTE_OK &&
           link_counters_save(counters, eui, counter) == MOTE_OK;
}

TEST(a_new_link_key_begins_with_neighbours_that_were_never_heard)
{
    static const uint8_t own[EUI64_SIZE] = {2, [7] = 1}, gateway[EUI64_SIZE] = {2, [7] = 2};
    static const uint8_t old_key[AES_BLOCK] = {1}, new_key[AES_BLOCK] = {2};
    struct bearssl_aes128 state;
    struct aes128 aes;
    struct counter_store counters;

    bearssl_aes128(&aes, &state);
    fake_storage_init(&storage);
    REQUIRE(counter_store_open(&counters, &storage.port) == MOTE_OK);
    CHECK_INT(link_counters_begin(&counters, &aes, old_key), MOTE_OK);
    CHECK_INT(link_counters_reserve(&counters, own, 0), MOTE_OK);
    CHECK(accepts(&counters, gateway, 5000));
    REQUIRE(counter_store_open(&counters, &storage.port) == MOTE_OK);
    CHECK_INT(link_counters_begin(&counters, &aes, old_key), MOTE_OK);
    CHECK(!accepts(&counters, gateway, 5000));
    REQUIRE(counter_store_open(&counters, &storage.port) == MOTE_OK);
    CHECK_INT(link_counters_begin(&counters, &aes, new_key), MOTE_OK);
    CHECK(accepts(&counters, gateway, 0));
    CHECK_INT(link_counters_own(&counters, own), COUNTERS_OWN_STEP);
    REQUIRE(counter_store_open(&counters, &storage.port) == MOTE_OK);
    CHECK_INT(link_counters_begin(&counters, &aes, new_key), MOTE_OK);
    CHECK(!accepts(&counters, gateway, 0));
    CHECK_INT(link_counters_own(&counters, own), COUNTERS_OWN_STEP);
}

/* ---- every loss of power ---- */

/* Uses numbers as a mote does, each after its reservation, until power fails, in several runs.
 * `next` is what each run knows of the numbers used before. */
static void use_until_dark(uint32_t used[3], unsigned turns)
{
    static const uint8_t *const names[3] = {frames, heard, packets};
    struct counter_store counters;
    uint32_t next[3];

    if (counter_store_open(&counters, &storage.port) != MOTE_OK)
        return;
    for (int i = 0; i < 3; i++) {
        next[i] = counter_store_limit(&counters, names[i]);
        CHECK(next[i] >= used[i]); /* never a number twice */
    }
    /* A reservation, and the step of a record that may have been lost, for each of three starts. */
    CHECK(next[1] <= used[1] + 3 * (5 + COUNTERS_RECEIVED_STEP));
    for (unsigned turn = 0; turn < turns; turn++)
        for (int i = 0; i < 3; i++)
            if (counter_store_reserve(&counters, names[i], next[i], 5) == MOTE_OK)
                used[i] = ++next[i];
}

TEST(no_loss_of_power_repeats_a_frame_counter_packet_number_or_iv)
{
    for (unsigned cut = 1; cut < 12 && harness_ok; cut++)
        for (size_t torn = 0; torn <= STORAGE_SLOT_SIZE && harness_ok; torn += 64) {
            uint32_t used[3] = {0, 0, 0};

            fake_storage_init(&storage);
            storage.cut_at = cut;
            storage.torn = torn;
            storage.rest = (enum fake_rest)((cut + torn / 64) % FAKE_RESTS);
            use_until_dark(used, 16);
            for (int life = 0; life < 3; life++) {
                fake_power_on(&storage);
                use_until_dark(used, 7);
            }
            CHECK(used[0] > 16);
        }
}

int main(void)
{
    RUN(counters_continue_above_all_used_values);
    RUN(counters_refuse_more_names_than_fit);
    RUN(a_frame_from_before_a_restart_is_refused_after_it);
    RUN(a_new_link_key_begins_with_neighbours_that_were_never_heard);
    RUN(no_loss_of_power_repeats_a_frame_counter_packet_number_or_iv);
    return harness_report();
}
