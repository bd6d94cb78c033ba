/* Flash wear: the erasures of sectors in ten years (flash endures ten thousand). Appended counters
 * are never lost. */
#include "harness.h"
#include "mote/counter_store.h"
#include "mote/store.h"
#include "support/fake.h"

enum { MINUTES = 10 * 365 * 24 * 60, DAY = 24 * 60, ENDURANCE = 10000, NEIGHBOURS = 23 };

/* Frames per step of the simulation: only the first can cause a write. */
enum { SKIP = COUNTERS_RECEIVED_STEP };

static struct fake_storage flash;

static void name_neighbour(uint8_t name[COUNTER_NAME], unsigned number)
{
    memset(name, 0, COUNTER_NAME);
    name[0] = 'H';
    name[COUNTER_NAME - 1] = (uint8_t)number;
}

static unsigned worn(void)
{
    return flash.erases[flash.erases[1] > flash.erases[0]];
}

/* ---- ten years ---- */

/* A frame a minute from one neighbour in a full table, as many own frames, and a restart a month:
 * 1/23 of the load of all neighbours. */
static unsigned ten_years_of_a_neighbour(size_t sector)
{
    static const uint8_t own[COUNTER_NAME] = "F";
    struct counter_store counters;
    uint8_t name[COUNTER_NAME];
    uint32_t heard = 0;
    uint32_t sent = 0;

    fake_storage_init(&flash);
    flash.port.size = sector;
    CHECK(counter_store_open(&counters, &flash.port) == MOTE_OK);
    for (unsigned i = 0; i < NEIGHBOURS; i++) {
        name_neighbour(name, i);
        CHECK_INT(counter_store_reserve(&counters, name, 0, COUNTERS_RECEIVED_STEP), MOTE_OK);
    }
    for (uint32_t minute = 0; minute < MINUTES && harness_ok; minute += SKIP) {
        if (minute % (30 * DAY) == 0) {
            CHECK(counter_store_open(&counters, &flash.port) == MOTE_OK);
            CHECK(counter_store_limit(&counters, name) >= heard);
            CHECK(counter_store_limit(&counters, own) >= sent);
            heard = counter_store_limit(&counters, name);
            sent = counter_store_limit(&counters, own);
        }
        CHECK_INT(counter_store_reserve(&counters, name, heard, COUNTERS_RECEIVED_STEP), MOTE_OK);
        CHECK_INT(counter_store_reserve(&counters, own, sent, COUNTERS_OWN_STEP), MOTE_OK);
        heard += SKIP;
        sent += SKIP;
    }
    return worn();
}

TEST(ten_years_of_frames_from_23_neighbours_do_not_wear_out_flash)
{
    unsigned erased = ten_years_of_a_neighbour(4096);

    CHECK(erased > 0 && erased * NEIGHBOURS < ENDURANCE);
}

TEST(sectors_of_half_a_kilobyte_last_ten_years_with_one_neighbour)
{
    unsigned erased = ten_years_of_a_neighbour(STORAGE_SLOT_SIZE);

    CHECK(erased > 0 && erased < ENDURANCE);
}

TEST(without_appending_each_write_erases)
{
    struct counter_store counters;
    uint8_t name[COUNTER_NAME];

    fake_storage_init(&flash);
    flash.port.size = 0;
    name_neighbour(name, 1);
    REQUIRE(counter_store_open(&counters, &flash.port) == MOTE_OK);
    for (uint32_t i = 0; i < 100; i++)
        CHECK_INT(counter_store_reserve(&counters, name, i * SKIP, SKIP), MOTE_OK);
    CHECK_INT(flash.erases[0] + flash.erases[1], 100);
}

/* An update a minute and a registration a day, on a sector of half a kilobyte. */
TEST(ten_years_of_updates_do_not_wear_out_the_identity)
{
    static const uint8_t key[STORE_KEY_SIZE] = {1};
    static const uint8_t tag[STORE_TAG_SIZE] = {2};
    struct store store;
    uint64_t number;

    fake_storage_init(&flash);
    flash.port.size = STORAGE_SLOT_SIZE;
    REQUIRE(store_open(&store, &flash.port) == MOTE_E_STATE);
    REQUIRE(store_create(&store, key) == MOTE_OK);
    for (uint32_t minute = 0; minute < MINUTES && harness_ok; minute++) {
        CHECK_INT(store_take_number(&store, &number), MOTE_OK);
        if (minute % DAY == 0)
            CHECK_INT(store_set_location(&store, "ms/7", tag), MOTE_OK);
    }
    CHECK_INT(number, MINUTES);
    CHECK(worn() < ENDURANCE);
}

/* ---- nothing is lost ---- */

/* The size of sectors for this many changes, with the counters of three neighbours. */
static size_t room_for(unsigned changes)
{
    size_t record = COUNTERS_MAX * (COUNTER_NAME + 4) + SLOTS_OVERHEAD;

    return (record / STORAGE_ALIGN + 1 + changes) * STORAGE_ALIGN;
}

/* Uses numbers, each only after its reservation, until power fails and nothing is left of earlier
 * reservations. `used` is one above the last number of each neighbour. */
static void use_until_dark(uint32_t used[3], unsigned turns)
{
    struct counter_store counters;
    uint8_t name[COUNTER_NAME];
    uint32_t next[3];

    if (counter_store_open(&counters, &flash.port) != MOTE_OK)
        return;
    for (unsigned i = 0; i < 3; i++) {
        name_neighbour(name, i);
        next[i] = counter_store_limit(&counters, name);
        CHECK(next[i] >= used[i]);
    }
    for (unsigned turn = 0, dark = 0; turn < turns * 3 && dark < 3 * COUNTERS_RECEIVED_STEP;
         turn++) {
        unsigned i = turn % 3;

        dark += flash.dark;
        name_neighbour(name, i);
        if (counter_store_reserve(&counters, name, next[i], COUNTERS_RECEIVED_STEP) == MOTE_OK)
            used[i] = ++next[i];
    }
}

/* The number of octets of a change, or of a record, that a cut write reaches; or all. */
enum { ALL_OF_IT = STORAGE_ALIGN + 1 };

TEST(no_cut_while_appending_repeats_a_number)
{
    for (unsigned changes = 1; changes <= 3; changes++)
        for (unsigned cut = 1; cut < 20 && harness_ok; cut++)
            for (size_t torn = 0; torn <= ALL_OF_IT && harness_ok; torn++) {
                uint32_t used[3] = {0, 0, 0};

                fake_storage_init(&flash);
                flash.port.size = room_for(changes);
                for (unsigned life = 0; life < 5; life++) {
                    fake_power_on(&flash);
                    flash.cut_at = life < 4 ? cut : 0;
                    flash.torn = torn < ALL_OF_IT ? torn : STORAGE_SLOT_SIZE;
                    flash.rest = (enum fake_rest)((cut + torn + life) % FAKE_RESTS);
                    use_until_dark(used, 120);
                }
                CHECK(used[0] >= 120);
            }
}

/* Each slot has a record, followed by more appended counters than a reservation covers. The decay
 * of any octet repeats no number. */
TEST(no_decayed_octet_repeats_a_number)
{
    struct fake_storage whole;
    uint32_t used[3] = {0, 0, 0};

    fake_storage_init(&flash);
    use_until_dark(used, 4000);
    CHECK(flash.erases[0] > 1 && flash.erases[1] > 1);
    whole = flash;
    for (unsigned slot = 0; slot < STORAGE_SLOTS; slot++)
        for (size_t at = 0; at < FAKE_SLOT_SIZE && harness_ok; at += 11) {
            uint32_t again[3] = {used[0], used[1], used[2]};

            memcpy(flash.slots, whole.slots, sizeof flash.slots);
            flash.slots[slot][at] ^= 0x10;
            use_until_dark(again, 20); /* checks that it begins above the used numbers */
            CHECK(again[0] >= used[0] + 20);
        }
}

/* A write fails without a loss of power, stored or not. Later writes must still count. */
TEST(appends_nothing_after_a_failed_write)
{
    static const uint8_t key[STORE_KEY_SIZE] = {1};
    static const uint8_t tag[STORE_TAG_SIZE] = {2};

    for (unsigned failing = 0; failing < 4; failing++) {
        struct store store;
        uint64_t number = 0, again = 0;

        fake_storage_init(&flash);
        REQUIRE(store_open(&store, &flash.port) == MOTE_E_STATE);
        REQUIRE(store_create(&store, key) == MOTE_OK);
        for (int i = 0; i < 3 * STORE_STEP; i++)
            CHECK_INT(store_take_number(&store, &number), MOTE_OK);
        flash.cut_at = flash.writes + 1;
        flash.torn = failing % 2 == 0 ? 3 : STORAGE_SLOT_SIZE;
        if (failing < 2)
            CHECK_INT(store_set_location(&store, "ms/7", tag), MOTE_E_IO);
        else
            CHECK_INT(store_take_number(&store, &number), MOTE_E_IO);
        fake_power_on(&flash);
        for (int i = 0; i < 3 * STORE_STEP; i++)
            CHECK_INT(store_take_number(&store, &number), MOTE_OK);
        REQUIRE(store_open(&store, &flash.port) == MOTE_OK);
        CHECK_INT(store_take_number(&store, &again), MOTE_OK);
        CHECK(again > number);
    }
}

TEST(a_decayed_first_record_is_not_a_new_start)
{
    struct counter_store counters;
    uint8_t name[COUNTER_NAME];

    fake_storage_init(&flash);
    name_neighbour(name, 1);
    REQUIRE(counter_store_open(&counters, &flash.port) == MOTE_OK);
    for (uint32_t value = 0; value < 1000; value++)
        CHECK_INT(counter_store_reserve(&counters, name, value, COUNTERS_RECEIVED_STEP), MOTE_OK);
    flash.slots[1][20] ^= 1;
    REQUIRE(counter_store_open(&counters, &flash.port) == MOTE_OK);
    CHECK(counter_store_limit(&counters, name) >= 1000);
}

int main(void)
{
    RUN(ten_years_of_frames_from_23_neighbours_do_not_wear_out_flash);
    RUN(sectors_of_half_a_kilobyte_last_ten_years_with_one_neighbour);
    RUN(without_appending_each_write_erases);
    RUN(ten_years_of_updates_do_not_wear_out_the_identity);
    RUN(no_cut_while_appending_repeats_a_number);
    RUN(no_decayed_octet_repeats_a_number);
    RUN(appends_nothing_after_a_failed_write);
    RUN(a_decayed_first_record_is_not_a_new_start);
    return harness_report();
}
