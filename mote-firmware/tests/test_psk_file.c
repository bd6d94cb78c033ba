#include "../apps/psk_file.h"
#include "harness.h"

static struct psk psk;
static char problem[200];

static int parse(const char *text)
{
    problem[0] = '\0';
    return psk_file_parse(&psk, text, strlen(text), problem, sizeof problem);
}

static void refused(const char *text, const char *why)
{
    CHECK_INT(parse(text), -1);
    CHECK_INT(psk.key_len, 0);
    if (strstr(problem, why) == NULL) {
        printf("said: %s\n", problem);
        CHECK(false);
    }
    CHECK(strstr(problem, "secret") == NULL);
}

TEST(reads_a_key_as_text_among_comments)
{
    REQUIRE(parse("# of the mote\n\nnode 7=a secret=key \r\n") == 0);
    CHECK(strcmp(psk.identity, "node 7") == 0);
    CHECK_OCTETS(psk.key, psk.key_len, "a secret=key", 12);
}

TEST(reads_a_key_in_hexadecimal_digits)
{
    static const uint8_t key[] = {0, 1, 0xfe, 0xff, 4, 5, 6, 0xaf};

    REQUIRE(parse("a=hex:0001fEFf040506AF") == 0);
    CHECK_OCTETS(psk.key, psk.key_len, key, sizeof key);
}

TEST(refuses_invalid_keys_and_shows_none)
{
    char text[400];

    refused("", "IDENTITY=KEY");
    refused("no secret at all", "IDENTITY=KEY");
    refused("=secret-key", "IDENTITY=KEY");
    refused("a=seven77", "8 to 128");
    refused("a=hex:00010203040506", "8 to 128");
    refused("a=hex:000102030405060", "8 to 128");
    refused("a=hex:00010203040506secret", "8 to 128");
    refused("a=secret-one\nb=secret-two\n", "single line");
    snprintf(text, sizeof text, "a=%0129d", 1);
    refused(text, "8 to 128");
    snprintf(text, sizeof text, "%0129d=secret-key", 1);
    refused(text, "1 to 128");
}

int main(void)
{
    RUN(reads_a_key_as_text_among_comments);
    RUN(reads_a_key_in_hexadecimal_digits);
    RUN(refuses_invalid_keys_and_shows_none);
    return harness_report();
}
