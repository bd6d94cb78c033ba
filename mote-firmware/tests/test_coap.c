#include "harness.h"
#include "mote/coap.h"
#include "support/fake.h"

#define CHECK_TEXT(out, len, text) CHECK_OCTETS(out, len, text, strlen(text))

TEST(reads_and_writes_the_messages_of_rfc_7252_appendix_a)
{
    /* Figures 16 and 17 */
    static const uint8_t request[] = {0x41, 0x01, 0x7d, 0x35, 0x20, 0xbb, 't', 'e', 'm',
                                      'p',  'e',  'r',  'a',  't',  'u',  'r', 'e'};
    static const uint8_t response[] = {0x61, 0x45, 0x7d, 0x35, 0x20, 0xff,
                                       '2',  '2',  '.',  '3',  ' ',  'C'};
    struct coap_message message;
    struct coap_option option;
    struct coap_builder builder;
    struct writer w;
    uint8_t out[32];

    REQUIRE(coap_parse(&message, request, sizeof request) == MOTE_OK);
    CHECK(message.type == COAP_CON && message.code == COAP_GET && message.id == 0x7d35);
    CHECK_OCTETS(message.token, message.token_len, "\x20", 1);
    REQUIRE(fake_option(&message, COAP_URI_PATH, &option));
    CHECK_TEXT(option.value, option.len, "temperature");
    CHECK_INT(message.payload_len, 0);

    REQUIRE(coap_parse(&message, response, sizeof response) == MOTE_OK);
    CHECK(message.type == COAP_ACK && message.code == COAP_CONTENT && message.id == 0x7d35);
    CHECK_TEXT(message.payload, message.payload_len, "22.3 C");

    writer_init(&w, out, sizeof out);
    coap_begin(&builder, &w, COAP_CON, COAP_GET, 0x7d35, (const uint8_t *)"\x20", 1);
    coap_add_parts(&builder, COAP_URI_PATH, "temperature", '/');
    CHECK_OCTETS(out, writer_len(&w), request, sizeof request);
    writer_init(&w, out, sizeof out);
    coap_begin(&builder, &w, COAP_ACK, COAP_CONTENT, 0x7d35, (const uint8_t *)"\x20", 1);
    coap_payload(&builder, (const uint8_t *)"22.3 C", 6);
    CHECK_OCTETS(out, writer_len(&w), response, sizeof response);
}

TEST(refuses_every_message_format_error)
{
    const struct {
        const char *hex;
        int error;
    } cases[] = {{"", MOTE_E_SHORT},
                 {"40 01 00", MOTE_E_SHORT},
                 {"80 01 0001", MOTE_E_MALFORMED},                    /* version 2 */
                 {"49 01 0001 010203040506070809", MOTE_E_MALFORMED}, /* token length 9 */
                 {"42 01 0001 01", MOTE_E_MALFORMED},                 /* token cut */
                 {"40 00 0001 00", MOTE_E_MALFORMED}, /* Empty with more than a header */
                 {"41 00 0001 00", MOTE_E_MALFORMED},
                 {"40 20 0001", MOTE_E_MALFORMED},       /* class 1 */
                 {"40 c1 0001", MOTE_E_MALFORMED},       /* class 6 */
                 {"40 e1 0001", MOTE_E_MALFORMED},       /* class 7 */
                 {"40 01 0001 ff", MOTE_E_MALFORMED},    /* marker without payload */
                 {"40 01 0001 f1 00", MOTE_E_MALFORMED}, /* delta 15 */
                 {"40 01 0001 1f 00", MOTE_E_MALFORMED}, /* length 15 */
                 {"40 01 0001 d1", MOTE_E_MALFORMED},    /* extension missing */
                 {"40 01 0001 e1 00", MOTE_E_MALFORMED},
                 {"40 01 0001 b4 616263", MOTE_E_MALFORMED}, /* value cut */
                 {"40 01 0001 e0 ffff", MOTE_E_MALFORMED}};  /* number over 65535 */

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t data[32];
        struct coap_message message;

        CHECK_INT(coap_parse(&message, data, from_hex(cases[i].hex, data, sizeof data)),
                  cases[i].error);
    }
}

TEST(writes_long_options_so_that_they_read_back)
{
    static const size_t sizes[] = {0, 12, 13, 268, 269, 270, 700};
    uint8_t value[700];
    uint8_t out[800];

    memset(value, 'x', sizeof value);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct coap_builder builder;
        struct coap_message message;
        struct coap_option option;
        struct writer w;

        writer_init(&w, out, sizeof out);
        coap_begin(&builder, &w, COAP_NON, COAP_PUT, 1, NULL, 0);
        coap_add(&builder, 13, value, sizes[i]);
        coap_add(&builder, 282, value, 1);
        coap_add(&builder, 65535, NULL, 0);
        REQUIRE(coap_parse(&message, out, writer_len(&w)) == MOTE_OK);
        REQUIRE(fake_option(&message, 13, &option));
        CHECK_OCTETS(option.value, option.len, value, sizes[i]);
        CHECK(fake_option(&message, 282, &option) && option.len == 1);
        CHECK(fake_option(&message, 65535, &option) && option.len == 0);
    }
}

TEST(refuses_to_write_options_out_of_order)
{
    uint8_t out[32];
    struct coap_builder builder;
    struct writer w;

    writer_init(&w, out, sizeof out);
    coap_begin(&builder, &w, COAP_CON, COAP_GET, 1, NULL, 0);
    coap_add(&builder, 15, NULL, 0);
    coap_add(&builder, 11, NULL, 0);
    CHECK(w.failed);
}

TEST(never_reads_outside_a_mutilated_message)
{
    struct dice dice = {42};

    for (int round = 0; round < 20000; round++) {
        uint8_t data[64];
        size_t len = dice_below(&dice, sizeof data);
        uint8_t *exact = malloc(len + 1); /* the sanitizer detects an access beyond it */
        struct coap_message message;
        struct coap_options options;
        struct coap_option option;

        dice_fill(&dice, data, sizeof data);
        data[0] = (uint8_t)(0x40 | (data[0] & 0x33));
        memcpy(exact, data, len);
        if (coap_parse(&message, exact, len) == MOTE_OK) {
            size_t seen = 0;

            coap_options_begin(&options, &message);
            while (coap_options_next(&options, &option))
                seen += option.len;
            CHECK(!options.in.failed && options.in.left == 0);
            CHECK(seen + message.payload_len <= len);
        }
        free(exact);
    }
}

int main(void)
{
    RUN(reads_and_writes_the_messages_of_rfc_7252_appendix_a);
    RUN(refuses_every_message_format_error);
    RUN(writes_long_options_so_that_they_read_back);
    RUN(refuses_to_write_options_out_of_order);
    RUN(never_reads_outside_a_mutilated_message);
    return harness_report();
}
