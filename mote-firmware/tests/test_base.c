#include "harness.h"
#include "mote/base.h"

TEST(reads_both_byte_orders)
{
    const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6};
    struct reader r;
    reader_init(&r, data, sizeof data);
    CHECK(reader_u64(&r) == 0x0102030405060708U);
    CHECK(reader_u64_le(&r) == 0x0807060504030201U);
    CHECK(reader_u32(&r) == 0x01020304U);
    CHECK(reader_u16_le(&r) == 0x0605);
    CHECK(!r.failed && r.left == 0);
}

TEST(stays_failed_after_the_first_short_read)
{
    const uint8_t data[] = {1, 2, 3};
    uint8_t out[2] = {9, 9};
    struct reader r;
    reader_init(&r, data, sizeof data);
    CHECK_INT(reader_u32(&r), 0);
    CHECK(r.failed);
    CHECK_INT(reader_u8(&r), 0);
    CHECK(reader_take(&r, 0) == NULL);
    CHECK(!reader_copy(&r, out, 1));
    CHECK_INT(out[0], 9);
}

TEST(reads_nothing_from_an_empty_input)
{
    struct reader r;
    reader_init(&r, NULL, 0);
    CHECK(reader_copy(&r, NULL, 0) && !r.failed);
    CHECK_INT(reader_u8(&r), 0);
    CHECK(r.failed);
}

TEST(writes_what_the_reader_reads_back)
{
    uint8_t out[64];
    struct writer w;
    struct reader r;
    writer_init(&w, out, sizeof out);
    writer_u8(&w, 7);
    writer_u16(&w, 0x1234);
    writer_u16_le(&w, 0x1234);
    writer_u32(&w, 0x12345678);
    writer_u32_le(&w, 0x12345678);
    writer_u64(&w, 0x1122334455667788U);
    writer_u64_le(&w, 0x1122334455667788U);
    reader_init(&r, out, writer_len(&w));
    CHECK_INT(reader_u8(&r), 7);
    CHECK_INT(reader_u16(&r), 0x1234);
    CHECK_INT(reader_u16_le(&r), 0x1234);
    CHECK_INT(reader_u32(&r), 0x12345678);
    CHECK_INT(reader_u32_le(&r), 0x12345678);
    CHECK(reader_u64(&r) == 0x1122334455667788U);
    CHECK(reader_u64_le(&r) == 0x1122334455667788U);
    CHECK(r.left == 0 && !r.failed);
}

TEST(never_returns_a_truncated_message)
{
    uint8_t out[3] = {0};
    struct writer w;
    writer_init(&w, out, sizeof out);
    writer_u16(&w, 0x0102);
    writer_u16(&w, 0x0304);
    writer_u8(&w, 5);
    CHECK(w.failed);
    CHECK_INT(writer_len(&w), 0);
    CHECK_INT(out[2], 0);
}

TEST(writes_decimals_up_to_the_largest)
{
    uint8_t out[32];
    struct writer w;
    writer_init(&w, out, sizeof out);
    writer_decimal(&w, 0);
    writer_str(&w, ",");
    writer_decimal(&w, UINT64_MAX);
    CHECK_OCTETS(out, writer_len(&w), "0,18446744073709551615", 22);
}

TEST(compares_and_wipes)
{
    uint8_t a[] = {1, 2, 3};
    uint8_t b[] = {1, 2, 4};
    CHECK(!equal_ct(a, b, 3));
    CHECK(equal_ct(a, b, 2));
    wipe(a, sizeof a);
    CHECK(a[0] == 0 && a[1] == 0 && a[2] == 0);
}

TEST(divides_like_the_compiler)
{
    static const uint64_t edges[] = {0, 1, 2, 9, 10, 999, 1000, UINT32_MAX, INT64_MAX, UINT64_MAX};
    struct dice dice = {7};
    uint64_t rest;

    for (unsigned round = 0; round < 2000; round++) {
        uint64_t value = round < 100 ? edges[round / 10] : dice_roll(&dice);
        uint64_t by = round < 100 ? edges[round % 10] : dice_roll(&dice) >> dice_below(&dice, 64);

        by = by > INT64_MAX ? INT64_MAX : by == 0 ? 1 : by;
        CHECK(divide(value, by, &rest) == value / by);
        CHECK(rest == value % by);
        CHECK(divide(value, by, NULL) == value / by);
    }
}

int main(void)
{
    RUN(reads_both_byte_orders);
    RUN(stays_failed_after_the_first_short_read);
    RUN(reads_nothing_from_an_empty_input);
    RUN(writes_what_the_reader_reads_back);
    RUN(never_returns_a_truncated_message);
    RUN(writes_decimals_up_to_the_largest);
    RUN(compares_and_wipes);
    RUN(divides_like_the_compiler);
    return harness_report();
}
