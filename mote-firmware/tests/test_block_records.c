/* Records of readings, and the blocks that they fill. */
#include "block_fixture.h"

TEST(records_keep_their_values_and_empty_places_are_recognized)
{
    static const struct {
        struct decimal value;
        int32_t mantissa;
        int8_t exponent;
    } cases[] = {
        {{231, 1}, 231, -1},
        {{-1250, 2}, -1250, -2},
        {{0, 18}, 0, -8},
        {{8388607, 0}, 8388607, 0},
        {{8388608, 0}, 838861, 1},
        {{-8388608, 0}, -838861, 1},
        {{16413028352, 0}, 1641303, 4},
        {{123456789012, 9}, 1234568, -4},
    };
    uint8_t octets[BLOCK_STORE_RECORD_SIZE];
    struct block_store_record back;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct block_store_record record = {.sensor = 14, .time = T0, .sequence = 65535};
        CHECK_INT(block_store_record_value(&record, cases[i].value), MOTE_OK);
        block_store_record_write(&record, octets);
        CHECK(block_store_record_read(octets, &back));
        CHECK_INT(back.mantissa, cases[i].mantissa);
        CHECK_INT(back.exponent, cases[i].exponent);
        CHECK(back.sensor == 14 && back.time == T0 && back.sequence == 65535);
    }
    CHECK_INT(block_store_record_value(&back, (struct decimal){INT64_MAX, 0}), MOTE_E_SPACE);
    CHECK_INT(block_store_record_value(&back, (struct decimal){INT64_MIN, 18}), MOTE_OK);
    memset(octets, 0xff, sizeof octets);
    CHECK(!block_store_record_read(octets, &back));
}

TEST(five_records_fill_a_block_and_fewer_wait_for_a_flush)
{
    struct block_store_config config = fresh(54, false, 2);
    struct block_store store;
    struct block_store_log log = {.count = 0};
    uint32_t oldest, newest;
    struct stored_block block;

    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    for (uint32_t i = 0; i < 7; i++) {
        struct block_store_record record = {.time = T0 + (i * 5) % 7};
        CHECK_INT(block_store_log_add(&log, &store, &record), MOTE_OK);
        CHECK_INT(block_store_bounds(&store, &oldest, &newest), MOTE_OK);
        CHECK_INT(newest, i >= 4 ? 1 : 0);
    }
    CHECK_INT(find_number(&store, 1, &block), MOTE_OK);
    CHECK(block.least == T0 && block.greatest == T0 + 6);
    CHECK_INT(block_store_log_flush(&log, &store), MOTE_OK);
    CHECK_INT(block_store_log_flush(&log, &store), MOTE_OK);
    CHECK_INT(find_number(&store, 2, &block), MOTE_OK);
    CHECK_INT(find_number(&store, 3, &block), MOTE_E_STATE);
}

TEST(records_wait_while_the_storage_fails)
{
    struct block_store_config config = fresh(22, false, 2);
    struct block_store store;
    struct block_store_log log = {.count = 0};
    struct block_store_record record = {.time = T0};

    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(block_store_log_add(&log, &store, &record), MOTE_OK);
    ram.dark = true;
    CHECK_INT(block_store_log_add(&log, &store, &record), MOTE_E_IO);
    CHECK_INT(block_store_log_add(&log, &store, &record), MOTE_E_IO);
    CHECK_INT(log.count, 2);
    ram.dark = false;
    CHECK_INT(block_store_log_add(&log, &store, &record), MOTE_OK);
    CHECK_INT(log.count, 1);
}

int main(void)
{
    RUN(records_keep_their_values_and_empty_places_are_recognized);
    RUN(five_records_fill_a_block_and_fewer_wait_for_a_flush);
    RUN(records_wait_while_the_storage_fails);
    return harness_report();
}
