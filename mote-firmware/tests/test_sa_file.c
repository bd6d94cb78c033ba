#include "../apps/sa_file.h"
#include "harness.h"

#define KEY_1 "000102030405060708090a0b0c0d0e0f"
#define KEY_2 "101112131415161718191a1b1c1d1e1f"
#define KEY_3 "202122232425262728292a2b2c2d2e2f"
#define KEY_4 "303132333435363738393a3b3c3d3e3f"
#define HOST "fd00::1"
#define MOTE "fd00::202:2:2:2"
#define OUT_LINE "out esp cbc-xcbc 0x11000001 " MOTE " " HOST " " KEY_1 " " KEY_2 "\n"

static struct sa_file file;
static char problem[300];

static int parse(const char *text)
{
    problem[0] = '\0';
    return sa_file_parse(&file, text, strlen(text), problem, sizeof problem);
}

/* Checks that the text is refused with a sentence that has both parts. */
static void refused(const char *text, const char *line, const char *why)
{
    CHECK_INT(parse(text), -1);
    CHECK_INT(file.count, 0);
    if (strncmp(problem, line, strlen(line)) != 0 || strstr(problem, why) == NULL) {
        printf("said: %s\n", problem);
        CHECK(false);
    }
    CHECK(strstr(problem, "0102030405") == NULL && strstr(problem, "1112131415") == NULL);
}

TEST(reads_every_profile)
{
    static const struct {
        const char *line;
        const struct ipsec_protocol *protocol;
        const struct ipsec_cipher *cipher;
        const struct ipsec_integrity *integrity;
    } cases[] = {
        {"esp cbc-xcbc 0x1 " MOTE " " HOST " " KEY_1 " " KEY_2, &ipsec_esp, &ipsec_aes_cbc,
         &ipsec_xcbc_96},
        {"esp ctr-xcbc 0x1 " MOTE " " HOST " " KEY_1 "a0a1a2a3 " KEY_2, &ipsec_esp, &ipsec_aes_ctr,
         &ipsec_xcbc_96},
        {"esp-udp ctr-xcbc 0x1 " MOTE " " HOST " " KEY_1 "a0a1a2a3 " KEY_2, &ipsec_esp_udp,
         &ipsec_aes_ctr, &ipsec_xcbc_96},
        {"esp cbc-sha1 0x1 " MOTE " " HOST " " KEY_1 " " KEY_2 "20212223", &ipsec_esp,
         &ipsec_aes_cbc, &ipsec_hmac_sha1_96},
        {"esp ctr-sha1 0x1 " MOTE " " HOST " " KEY_1 "a0a1a2a3 " KEY_2 "20212223", &ipsec_esp,
         &ipsec_aes_ctr, &ipsec_hmac_sha1_96},
        {"esp ccm8 0x1 " MOTE " " HOST " " KEY_1 "a0a1a2", &ipsec_esp, &ipsec_aes_ccm_8, NULL},
        {"ah ah-sha1 0x1 " MOTE " " HOST " " KEY_2 "20212223", &ipsec_ah, NULL,
         &ipsec_hmac_sha1_96},
        {"ah ah-xcbc 0x1 " MOTE " " HOST " " KEY_2, &ipsec_ah, NULL, &ipsec_xcbc_96},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        snprintf(text, sizeof text, "# a comment\n\n  out %s # another\r\n", cases[i].line);
        REQUIRE(parse(text) == 0 && file.count == 1);
        const struct ipsec_sa *sa = &file.entries[0].sa;
        CHECK(sa->protocol == cases[i].protocol && sa->cipher == cases[i].cipher &&
              sa->integrity == cases[i].integrity);
        CHECK_INT(sa->spi, 1);
        CHECK_INT(file.entries[0].line, 3);
        CHECK_INT(file.entries[0].destination.octets[15], 1);
        if (sa->cipher != NULL)
            CHECK_INT(sa->key[15], 15);
        if (sa->integrity != NULL)
            CHECK_INT(sa->integrity_key[1], 0x11);
    }
    CHECK_INT(parse(""), 0);
    CHECK_INT(file.count, 0);
}

TEST(names_the_refused_line)
{
    refused("out esp cbc 0x1 " MOTE " " HOST " " KEY_1 "\n", "line 1", "ICV");
    refused("\nout esp ah-sha1 0x1 " MOTE " " HOST " " KEY_1 "\n", "line 2", "give esp or esp-udp");
    refused("up esp ccm8 0x1 " MOTE " " HOST " " KEY_1 "a0a1a2", "line 1", "in or out");
    refused("out esp ccm8 0x1 " MOTE " " HOST " " KEY_1, "line 1", "sizes");
    refused("out esp ccm8 0x1 " MOTE " " HOST " " KEY_1 "a0a1a2 " KEY_2, "line 1", "sizes");
    refused("out esp ccm8 0x0 " MOTE " " HOST " " KEY_1 "a0a1a2", "line 1", "SPI");
    refused("out esp ccm8 0x123456789 " MOTE " " HOST " " KEY_1 "a0a1a2", "line 1", "SPI");
    refused("out esp ccm8 0x1 " MOTE " ff02::1 " KEY_1 "a0a1a2", "line 1", "unicast");
    refused("out esp ccm8 0x1", "line 1", "give: ");
    refused("out esp ccm8 0x1 a b c d e f g h i j k l", "line 1", "give: ");
}

TEST(refuses_shared_keys_and_ambiguous_associations)
{
    refused(OUT_LINE "in esp cbc-xcbc 0x2 " HOST " " MOTE " " KEY_3 " " KEY_1, "line 2",
            "line 1 has the same key");
    refused(OUT_LINE "in esp ctr-xcbc 0x2 " HOST " " MOTE " " KEY_1 "a0a1a2a3 " KEY_4, "line 2",
            "line 1 has the same key"); /* even with a salt */
    refused("out esp cbc-xcbc 0x1 " MOTE " " HOST " " KEY_1 " " KEY_1, "line 1", "the same key");
    refused(OUT_LINE "# a comment\nout esp cbc-xcbc 0x11000001 fd00::9 " HOST " " KEY_3 " " KEY_4,
            "line 3", "line 1 has the same destination, protocol and SPI");
    refused(OUT_LINE "out esp cbc-xcbc 0x2 " MOTE " " HOST " " KEY_3 " " KEY_4, "line 2",
            "protocol and direction");
}

TEST(adds_ah_around_the_esp_of_its_peer)
{
    struct net_peer peers[SA_FILE_ENTRIES];
    REQUIRE(parse("in ah ah-xcbc 0x3 " HOST " " MOTE " " KEY_3 "\n" OUT_LINE
                  "out ah ah-xcbc 0x4 " MOTE " " HOST " " KEY_4 "\n") == 0);
    REQUIRE(sa_entries_peers(file.entries, file.count, peers) == 1);
    CHECK(peers[0].out == &file.entries[1].sa && peers[0].ah_out == &file.entries[2].sa);
    CHECK(peers[0].in == &file.entries[0].sa && peers[0].ah_in == NULL);
    CHECK_INT(peers[0].address.octets[15], 1);
}

/* Output of sa_file_write_c for the text. */
static char *as_c(const char *text)
{
    char *made = NULL;
    size_t size;
    FILE *out = open_memstream(&made, &size);

    if (out == NULL)
        abort();
    CHECK_INT(parse(text), 0);
    sa_file_write_c(&file, out);
    fclose(out);
    return made;
}

TEST(writes_c_with_the_associations_of_a_block_store_apart)
{
    char *made = as_c("# kept apart\n"
                      "store esp ctr-xcbc 0x9 " MOTE " " HOST " " KEY_1 "a0a1a2a3 " KEY_2 "\n"
                      "in ah ah-sha1 0x1102 " HOST " " MOTE " " KEY_3 "01020304\n");
    CHECK(
        strcmp(made,
               "/* Made from a file of associations: it holds their keys. */\n"
               "#ifdef MOTE_STORED_ASSOCIATIONS\n"
               "static struct sa_entry stored_associations[] = {\n"
               "    {.line = 2, .inbound = false, .source.octets = {0xfd, 0x00, 0x00, 0x00, 0x00, "
               "0x00, 0x00, 0x00, 0x02, 0x02, 0x00, 0x02, 0x00, 0x02, 0x00, 0x02}, "
               ".destination.octets = {0xfd, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, "
               "0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01},\n"
               "     .sa = {.protocol = &ipsec_esp, .cipher = &ipsec_aes_ctr, .integrity = "
               "&ipsec_xcbc_96, .spi = 0x00000009, .key = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, "
               "0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f}, .salt = {0xa0, "
               "0xa1, 0xa2, 0xa3}, .integrity_key = {0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, "
               "0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f, 0x00, 0x00, 0x00, 0x00, "
               "0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00}}},\n"
               "};\n"
               "#else\n"
               "static struct sa_entry associations[] = {\n"
               "    {.line = 3, .inbound = true, .source.octets = {0xfd, 0x00, 0x00, 0x00, 0x00, "
               "0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01}, "
               ".destination.octets = {0xfd, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, "
               "0x02, 0x00, 0x02, 0x00, 0x02, 0x00, 0x02},\n"
               "     .sa = {.protocol = &ipsec_ah, .cipher = NULL, .integrity = "
               "&ipsec_hmac_sha1_96, .spi = 0x00001102, .key = {0x00, 0x00, 0x00, 0x00, 0x00, "
               "0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00}, .salt = "
               "{0x00, 0x00, 0x00, 0x00}, .integrity_key = {0x20, 0x21, 0x22, 0x23, 0x24, 0x25, "
               "0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f, 0x01, 0x02, 0x03, "
               "0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, "
               "0x00}}},\n"
               "};\n"
               "#endif\n") == 0);
    free(made);
}

TEST(finds_the_lines_of_each_block_store_by_its_name)
{
    static const char ends[] = MOTE " " HOST;
    struct sa_entry *previous;
    char text[800];
    size_t count;

    snprintf(text, sizeof text,
             "store=b esp ctr-xcbc 0x1 %s %sa0a1a2a3 %s\nstore esp ctr-xcbc 0x2 %s %s\n"
             "store=b esp ctr-xcbc 0x3 %s %s\n",
             ends, KEY_1, KEY_2, ends, KEY_3 "a0a1a2a3 " KEY_4, ends,
             "404142434445464748494a4b4c4d4e4fa0a1a2a3 505152535455565758595a5b5c5d5e5f");
    REQUIRE(parse(text) == 0 && file.count == 3);
    CHECK(sa_file_stored(&file, "b", &previous, &count) == &file.entries[2]);
    CHECK(previous == &file.entries[0] && count == 2);
    CHECK(sa_file_stored(&file, "", &previous, &count) == &file.entries[1]);
    CHECK(previous == NULL && count == 1);
    CHECK(sa_file_stored(&file, "c", &previous, &count) == NULL && count == 0);
    char *made = as_c(text);
    CHECK(strstr(made, ".spi = 0x00000002") != NULL && strstr(made, ".spi = 0x00000001") == NULL);
    free(made);
}

TEST(names_the_algorithms_of_each_profile_in_c)
{
    static const char *const cases[][3] = {
        {"cbc-xcbc", KEY_1 " " KEY_2,
         "&ipsec_esp, .cipher = &ipsec_aes_cbc, .integrity = &ipsec_xcbc_96"},
        {"ctr-xcbc", KEY_1 "a0a1a2a3 " KEY_2,
         "&ipsec_esp, .cipher = &ipsec_aes_ctr, .integrity = &ipsec_xcbc_96"},
        {"ctr-xcbc", KEY_1 "a0a1a2a3 " KEY_2,
         "&ipsec_esp_udp, .cipher = &ipsec_aes_ctr, .integrity = &ipsec_xcbc_96"},
        {"cbc-sha1", KEY_1 " " KEY_2 "20212223",
         "&ipsec_esp, .cipher = &ipsec_aes_cbc, .integrity = &ipsec_hmac_sha1_96"},
        {"ctr-sha1", KEY_1 "a0a1a2a3 " KEY_2 "20212223",
         "&ipsec_esp, .cipher = &ipsec_aes_ctr, .integrity = &ipsec_hmac_sha1_96"},
        {"cbc-sha256", KEY_1 " " KEY_2 KEY_3,
         "&ipsec_esp, .cipher = &ipsec_aes_cbc, .integrity = &ipsec_hmac_sha256_128"},
        {"ccm8", KEY_1 "a0a1a2", "&ipsec_esp, .cipher = &ipsec_aes_ccm_8, .integrity = NULL"},
        {"ah-xcbc", KEY_2, "&ipsec_ah, .cipher = NULL, .integrity = &ipsec_xcbc_96"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[300];
        bool ah = strncmp(cases[i][0], "ah-", 3) == 0;
        bool udp = strncmp(cases[i][2], "&ipsec_esp_udp,", 15) == 0;
        snprintf(text, sizeof text, "out %s %s 0x1 " MOTE " " HOST " %s",
                 ah    ? "ah"
                 : udp ? "esp-udp"
                       : "esp",
                 cases[i][0], cases[i][1]);
        char *made = as_c(text);
        CHECK(strstr(made, cases[i][2]) != NULL && strstr(made, ".inbound = false") != NULL);
        free(made);
    }
}

/* The lines of vectors/ipsec/associations.txt, whose head describes them. */
static void check_case(const char *title, const char *text, const char *expected)
{
    bool accepts = strncmp(expected, "accepts ", 8) == 0;

    REQUIRE(accepts || strncmp(expected, "refuses ", 8) == 0);
    if (parse(text) != (accepts ? 0 : -1) ||
        (accepts ? file.count != strtoul(expected + 8, NULL, 10)
                 : strcmp(problem, expected + 8) != 0)) {
        printf("case %s: %zu associations, said: %s\n", title, file.count, problem);
        CHECK(false);
    }
}

TEST(agrees_with_the_shared_files)
{
    FILE *vectors = fopen("vectors/ipsec/associations.txt", "r");
    char line[512];
    char title[512] = "";
    char text[2048] = "";
    unsigned cases = 0;

    REQUIRE(vectors != NULL);
    while (fgets(line, sizeof line, vectors) != NULL) {
        if (strncmp(line, "case ", 5) == 0) {
            line[strcspn(line, "\n")] = '\0';
            memcpy(title, line + 5, sizeof line - 5);
            text[0] = '\0';
        } else if (strncmp(line, "| ", 2) == 0) {
            strncat(text, line + 2, sizeof text - strlen(text) - 1);
        } else if (line[0] != '#' && line[0] != '\n') {
            line[strcspn(line, "\n")] = '\0';
            check_case(title, text, line);
            cases++;
        }
    }
    fclose(vectors);
    CHECK(cases > 40);
}

int main(void)
{
    RUN(reads_every_profile);
    RUN(names_the_refused_line);
    RUN(refuses_shared_keys_and_ambiguous_associations);
    RUN(adds_ah_around_the_esp_of_its_peer);
    RUN(writes_c_with_the_associations_of_a_block_store_apart);
    RUN(finds_the_lines_of_each_block_store_by_its_name);
    RUN(names_the_algorithms_of_each_profile_in_c);
    RUN(agrees_with_the_shared_files);
    return harness_report();
}
