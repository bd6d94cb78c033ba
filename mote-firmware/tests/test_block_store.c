/* The block store: stored blocks stay, and numbers never repeat. */
#include "block_fixture.h"

/* Written octets of a store with one block. */
static size_t stored_octets(uint8_t payload_size, bool with_icv)
{
    struct block_store_config config = fresh(payload_size, with_icv, 1);
    struct block_store store;
    uint32_t number;
    size_t before = 0;
    size_t count = 0;

    CHECK_INT(block_store_open(&store, &config), MOTE_OK);
    CHECK_INT(append(&store, 1, &number), MOTE_OK);
    before = ram.writes;
    CHECK_INT(append(&store, 2, &number), MOTE_OK);
    CHECK_INT(ram.writes - before, 2); /* the entry, and its commit octet */
    /* The first of two entries ends where the second begins. */
    for (size_t at = 40; at < SEGMENT; at++)
        if (memcmp(ram.octets[0] + at, (uint8_t[]){0xff, 0xff, 0xff, 0xff}, 4) == 0 && count == 0)
            count = at - 40;
    return count / 2;
}

TEST(a_block_costs_the_ten_and_twenty_two_octets_of_the_paper)
{
    const size_t apart = 8 + 1; /* time index and commit octet */

    for (uint8_t payload = 6; payload <= 54; payload = (uint8_t)(payload + 16)) {
        CHECK_INT(stored_octets(payload, false) - apart - payload, 10);
        CHECK_INT(stored_octets(payload, true) - apart - payload, 22);
    }
    /* 22 octets of 54 are 40.7 %. */
    CHECK_INT((stored_octets(54, true) - apart - 54) * 1000 / 54, 407);
}

TEST(an_opened_store_has_what_was_stored)
{
    struct block_store_config config = fresh(54, false, 4);
    struct block_store store;
    struct stored_block block;
    uint32_t number, oldest, newest;

    for (uint32_t seed = 1; seed <= 30; seed++) {
        config.limit = reserved;
        REQUIRE(block_store_open(&store, &config) == MOTE_OK);
        REQUIRE(append(&store, seed, &number) == MOTE_OK);
        CHECK_INT(number, seed);
    }
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    for (uint32_t seed = 1; seed <= 30; seed++) {
        CHECK_INT(find_number(&store, seed, &block), MOTE_OK);
        CHECK_INT(block.least, T0 + seed);
        CHECK(opens(&store, &block, &HOST, seed));
        CHECK(opens(&store, &block, &OTHER, seed));
    }
    CHECK_INT(block_store_bounds(&store, &oldest, &newest), MOTE_OK);
    CHECK(oldest == 1 && newest == 30);
    CHECK_INT(find_number(&store, 31, &block), MOTE_E_STATE);
    CHECK(!ram.overwritten);
}

TEST(a_full_store_refuses_or_overwrites_the_oldest)
{
    struct block_store_config config = fresh(54, false, 3);
    struct block_store store;
    struct stored_block block;
    uint32_t number = 0;

    config.full = BLOCK_STORE_REFUSE;
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    uint32_t all = 3 * store.capacity;
    for (uint32_t seed = 1; seed <= 2 * store.capacity; seed++)
        CHECK_INT(append(&store, seed, &number), MOTE_OK);
    CHECK_INT(append(&store, 99, &number), MOTE_E_SPACE); /* one segment is kept free */
    CHECK_INT(find_number(&store, 1, &block), MOTE_OK);
    store.config.full = BLOCK_STORE_OVERWRITE_OLDEST;
    for (uint32_t i = 0; i < store.capacity; i++)
        CHECK_INT(append(&store, 98, &number), MOTE_OK);
    CHECK_INT(find_number(&store, 1, &block), MOTE_OK);
    CHECK_INT(append(&store, 100, &number), MOTE_OK);
    CHECK_INT(number, all + 1);
    CHECK_INT(find_number(&store, 1, &block), MOTE_E_STATE);
    CHECK_INT(find_number(&store, store.capacity + 1, &block), MOTE_OK);
    for (uint32_t i = 0; i < 3; i++) /* wear is even */
        CHECK_INT(ram.erases[i], i == 0 ? 2 : 1);
}

TEST(a_lost_or_older_store_does_not_repeat_numbers)
{
    struct block_store_config config = fresh(54, false, 3);
    struct block_store store;
    uint32_t number = 0;

    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(append(&store, 1, &number), MOTE_OK);
    static struct ram_blocks older;
    older = ram;
    for (uint32_t i = 0; i < store.capacity; i++)
        CHECK_INT(append(&store, 2, &number), MOTE_OK);
    uint32_t used = number;
    ram = older;
    config.limit = reserved;
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(append(&store, 3, &number), MOTE_OK);
    CHECK(number > used);
    used = number;
    ram_blocks_init(&ram, SEGMENT, 3);
    config.limit = reserved;
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(append(&store, 4, &number), MOTE_OK);
    CHECK(number > used);
}

TEST(refuses_unsuitable_configurations)
{
    struct block_store_config config = fresh(54, false, 3);
    struct block_store_config wrong = config;
    struct block_store store;
    uint32_t number;

    wrong.payload_size = 55;
    CHECK_INT(block_store_open(&store, &wrong), MOTE_E_UNSUPPORTED);
    wrong.payload_size = 70;
    CHECK_INT(block_store_open(&store, &wrong), MOTE_E_UNSUPPORTED);
    wrong = config;
    wrong.mode = BLOCK_STORE_STORED_ICV;
    CHECK_INT(block_store_open(&store, &wrong), MOTE_E_UNSUPPORTED);
    sa.cipher = &ipsec_aes_cbc;
    CHECK_INT(block_store_open(&store, &config), MOTE_E_UNSUPPORTED);
    sa.cipher = &ipsec_aes_ctr;
    ram.port.segment_size = 100;
    CHECK_INT(block_store_open(&store, &config), MOTE_E_SPACE);
    ram.port.segment_size = SEGMENT;
    wrong = config;
    wrong.limit = UINT32_MAX - 20;
    REQUIRE(block_store_open(&store, &wrong) == MOTE_OK);
    for (int i = 0; i < 40 && append(&store, 1, &number) == MOTE_OK; i++)
        CHECK(number < UINT32_MAX);
    CHECK_INT(append(&store, 1, &number), MOTE_E_STATE);
    CHECK_INT(block_store_open(&store, &config), MOTE_OK);
    sa.salt[3] ^= 1;
    CHECK_INT(block_store_open(&store, &config), MOTE_E_AUTH);
    sa.salt[3] ^= 1;
    wrong = config;
    wrong.with_icv = true;
    CHECK_INT(block_store_open(&store, &wrong), MOTE_E_UNSUPPORTED);
    wrong = config;
    wrong.payload_size = 38;
    CHECK_INT(block_store_open(&store, &wrong), MOTE_E_UNSUPPORTED);
}

TEST(detects_any_damaged_octet_and_skips_only_its_block)
{
    struct block_store_config config = fresh(22, true, 2);
    struct block_store store;
    struct stored_block block;
    uint32_t number;

    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    for (uint32_t seed = 1; seed <= 3; seed++)
        CHECK_INT(append(&store, seed, &number), MOTE_OK);
    const size_t entry = 32 + 12 + 8 + 1;
    for (size_t at = 40 + entry; at < 40 + 2 * entry - 1; at++) {
        ram.octets[0][at] ^= 0x10;
        CHECK_INT(block_store_find(&store, 2, T0, T0, &block), MOTE_E_MALFORMED);
        CHECK_INT(block.number, 2);
        CHECK_INT(block_store_find(&store, 3, 0, UINT32_MAX, &block), MOTE_OK);
        CHECK_INT(block_store_find(&store, 1, 0, UINT32_MAX, &block), MOTE_OK);
        CHECK(opens(&store, &block, &HOST, 1));
        ram.octets[0][at] ^= 0x10;
    }
    CHECK_INT(find_number(&store, 2, &block), MOTE_OK);
}

/* Truncates the storage at every octet of its last blocks; zeros replace the missing part. */
TEST(a_truncated_store_keeps_the_rest_and_repeats_no_number)
{
    static struct ram_blocks whole;
    const size_t entry = 64 + 8 + 1;
    struct block_store_config config = fresh(54, false, 2);
    struct block_store store;
    struct stored_block block;
    uint32_t number;

    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    for (uint32_t seed = 1; seed <= 4; seed++)
        CHECK_INT(append(&store, seed, &number), MOTE_OK);
    whole = ram;
    uint32_t numbers = reserved;
    for (size_t length = 40 + 2 * entry; length < 40 + 4 * entry; length += 7) {
        ram = whole;
        reserved = config.limit = numbers;
        memset(ram.octets[0] + length, 0, SEGMENT - length);
        REQUIRE(block_store_open(&store, &config) == MOTE_OK);
        uint32_t kept = (uint32_t)((length - 40) / entry);
        for (uint32_t i = 1; i <= kept; i++) {
            CHECK_INT(find_number(&store, i, &block), MOTE_OK);
            CHECK(opens(&store, &block, &HOST, i));
        }
        CHECK_INT(block_store_find(&store, kept + 1, T0, UINT32_MAX, &block), MOTE_E_MALFORMED);
        CHECK_INT(block.number, kept + 1);
        CHECK_INT(append(&store, 5, &number), MOTE_OK);
        CHECK(number > numbers);
    }
}

TEST(a_damaged_summary_hides_no_block)
{
    struct block_store_config config = fresh(6, false, 2);
    struct block_store store;
    struct stored_block block;
    uint32_t number;

    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(append(&store, 1, &number), MOTE_OK);
    memset(ram.octets[0] + 28, 0, 4); /* the CRC of ff ff ff ff 00 00 00 00 is ff ff ff ff */
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(append(&store, 2, &number), MOTE_OK);
    CHECK_INT(block_store_find(&store, number, 0, UINT32_MAX - 1, &block), MOTE_OK);
    CHECK_INT(block.number, number);
}

TEST(a_time_is_found_without_decryption_and_without_reading_all)
{
    struct block_store_config config = fresh(54, false, 8);
    struct block_store store;
    struct stored_block block;
    uint32_t number = 0;

    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    for (uint32_t seed = 1; seed <= 8 * store.capacity; seed++)
        CHECK_INT(append(&store, seed, &number), MOTE_OK);
    aes_blocks = 0;
    ram.reads = 0;
    CHECK_INT(block_store_find(&store, 0, T0 + number - 3, T0 + number, &block), MOTE_OK);
    CHECK_INT(block.number, number - 3);
    CHECK_INT(aes_blocks, 0);
    CHECK(ram.reads < 3 * 8 + store.capacity + 1);
    CHECK_INT(block_store_find(&store, 0, T0 + number + 1, UINT32_MAX, &block), MOTE_E_STATE);
    CHECK_INT(block_store_find(&store, 0, T0 + 5, T0 + 4, &block), MOTE_E_STATE);
}

int main(void)
{
    RUN(a_block_costs_the_ten_and_twenty_two_octets_of_the_paper);
    RUN(an_opened_store_has_what_was_stored);
    RUN(a_full_store_refuses_or_overwrites_the_oldest);
    RUN(a_lost_or_older_store_does_not_repeat_numbers);
    RUN(refuses_unsuitable_configurations);
    RUN(detects_any_damaged_octet_and_skips_only_its_block);
    RUN(a_truncated_store_keeps_the_rest_and_repeats_no_number);
    RUN(a_damaged_summary_hides_no_block);
    RUN(a_time_is_found_without_decryption_and_without_reading_all);
    return harness_report();
}
