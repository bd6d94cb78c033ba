#include "harness.h"
#include "mote/senml.h"

static size_t json(uint8_t *out, size_t size, const struct senml_record *record)
{
    struct writer w;

    writer_init(&w, out, size);
    return senml_json(&w, record, 1) == MOTE_OK ? writer_len(&w) : 0;
}

#define CHECK_TEXT(out, len, text) CHECK_OCTETS(out, len, text, strlen(text))

TEST(writes_the_first_example_of_rfc_8428)
{
    const struct senml_record record = {
        .name = "urn:dev:ow:10e2073a01080063", .unit = "Cel", .value = {231, 1}};
    uint8_t out[128];

    CHECK_TEXT(out, json(out, sizeof out, &record),
               "[{\"n\":\"urn:dev:ow:10e2073a01080063\",\"u\":\"Cel\",\"v\":23.1}]");
}

TEST(omits_the_time_of_a_mote_without_a_clock)
{
    struct senml_record record = {.name = "m/load", .unit = "/", .value = {5, 2}};
    uint8_t out[128];

    CHECK_TEXT(out, json(out, sizeof out, &record), "[{\"n\":\"m/load\",\"u\":\"/\",\"v\":0.05}]");
    record.timed = true;
    record.time = 1276020076;
    CHECK_TEXT(out, json(out, sizeof out, &record),
               "[{\"n\":\"m/load\",\"u\":\"/\",\"v\":0.05,\"t\":1276020076}]");
}

TEST(writes_every_decimal_number_exactly)
{
    const struct {
        struct decimal value;
        const char *text;
    } cases[] = {{{0, 0}, "0"},
                 {{0, 2}, "0.00"},
                 {{-5, 2}, "-0.05"},
                 {{-1250, 2}, "-12.50"},
                 {{24822534144, 0}, "24822534144"},
                 {{INT64_MAX, 0}, "9223372036854775807"},
                 {{INT64_MIN, 18}, "-9.223372036854775808"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t out[32];
        struct writer w;

        writer_init(&w, out, sizeof out);
        decimal_write(&w, cases[i].value);
        CHECK_TEXT(out, writer_len(&w), cases[i].text);
    }
}

TEST(writes_cbor_with_decimal_fractions)
{
    /* [{0: "m/t", 1: "Cel", 2: 4([-1, 231]), 6: 1276020076}], by RFC 8949's diagnostic rules */
    const char *expected = "81 a4 00 63 6d2f74 01 63 43656c 02 c4 82 20 18e7 06 1a 4c0e856c";
    const struct senml_record record = {
        .name = "m/t", .unit = "Cel", .value = {231, 1}, .timed = true, .time = 1276020076};
    uint8_t wanted[64];
    uint8_t out[64];
    struct writer w;

    writer_init(&w, out, sizeof out);
    CHECK_INT(senml_cbor(&w, &record, 1), MOTE_OK);
    CHECK_OCTETS(out, writer_len(&w), wanted, from_hex(expected, wanted, sizeof wanted));
}

TEST(writes_integers_of_every_size_in_cbor)
{
    const struct {
        int64_t digits;
        const char *hex;
    } cases[] = {{23, "17"},
                 {24, "1818"},
                 {256, "190100"},
                 {65536, "1a00010000"},
                 {4294967296, "1b0000000100000000"},
                 {-1, "20"},
                 {-500, "3901f3"},
                 {INT64_MIN, "3b7fffffffffffffff"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct senml_record record = {.name = "a", .value = {cases[i].digits, 0}};
        uint8_t out[32];
        uint8_t wanted[16];
        struct writer w;

        writer_init(&w, out, sizeof out);
        CHECK_INT(senml_cbor(&w, &record, 1), MOTE_OK);
        /* behind 81 a2 00 61 'a' 02 */
        CHECK_OCTETS(out + 6, writer_len(&w) - 6, wanted,
                     from_hex(cases[i].hex, wanted, sizeof wanted));
    }
}

TEST(refuses_names_and_units_that_rfc_8428_does_not_allow)
{
    const char *const names[] = {"", "-a", "/a", "a b", "a\"b", "a\xc3\xa9", "a+b"};
    const struct senml_record bad_unit = {.name = "a", .unit = "C\"", .value = {1, 0}};
    uint8_t out[64];

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct senml_record record = {.name = names[i], .value = {1, 0}};
        struct writer w;

        writer_init(&w, out, sizeof out);
        CHECK_INT(senml_json(&w, &record, 1), MOTE_E_MALFORMED);
    }
    CHECK_INT(json(out, sizeof out, &bad_unit), 0);
    CHECK(senml_name_valid("urn:dev:ow:10e2_0.-/x"));
}

TEST(reports_a_pack_that_does_not_fit)
{
    const struct senml_record record = {.name = "mote-1/load", .unit = "/", .value = {5, 2}};
    uint8_t out[64];
    struct writer w;

    for (size_t size = 0; size < 38; size++) {
        writer_init(&w, out, size);
        CHECK_INT(senml_json(&w, &record, 1), MOTE_E_SPACE);
    }
    writer_init(&w, out, 38);
    CHECK_INT(senml_json(&w, &record, 1), MOTE_OK);
}

int main(void)
{
    RUN(writes_the_first_example_of_rfc_8428);
    RUN(omits_the_time_of_a_mote_without_a_clock);
    RUN(writes_every_decimal_number_exactly);
    RUN(writes_cbor_with_decimal_fractions);
    RUN(writes_integers_of_every_size_in_cbor);
    RUN(refuses_names_and_units_that_rfc_8428_does_not_allow);
    RUN(reports_a_pack_that_does_not_fit);
    return harness_report();
}
