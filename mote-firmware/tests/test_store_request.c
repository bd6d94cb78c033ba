/* Requests for stored blocks, and the file with the blocks. */
#include <sys/stat.h>
#include <unistd.h>

#include "../apps/store_request.h"
#include "block_file.h"
#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "support/blocks_contract.h"
#include "support/ram_blocks.h"

enum { T0 = 1800000000 };

static struct ram_blocks ram;
static struct block_store store;
static uint32_t entry_size;

static int reserve(void *context, uint32_t last)
{
    (void)context;
    (void)last;
    return MOTE_OK;
}

/* A block store of `count` blocks, a second apart. */
static void append(uint32_t count)
{
    static struct bearssl_aes128 aes_state;
    static struct aes128 aes;
    static const struct ipsec_crypto crypto = {&aes, NULL, NULL};
    static struct ipsec_sa sa;
    const struct block_store_config config = {
        .storage = &ram.port, .sa = &sa, .crypto = &crypto, .payload_size = 6, .reserve = reserve};
    const uint8_t payload[6] = {1};
    uint32_t number;

    sa = (struct ipsec_sa){.protocol = &ipsec_esp,
                           .cipher = &ipsec_aes_ctr,
                           .integrity = &ipsec_xcbc_96,
                           .spi = 9,
                           .reserved = UINT32_MAX};
    bearssl_aes128(&aes, &aes_state);
    ram_blocks_init(&ram, 1024, 8);
    entry_size = 16 + 8 + 1;
    CHECK_INT(block_store_open(&store, &config), MOTE_OK);
    for (uint32_t i = 1; i <= count; i++)
        CHECK_INT(block_store_append(&store, payload, T0 + i, T0 + i, &number), MOTE_OK);
}

static int read_request(const char *hex, struct store_request *request)
{
    uint8_t octets[64];

    return store_request_read(request, octets, from_hex(hex, octets, sizeof octets));
}

/* The answer to a request, as hexadecimal digits. */
static const char *answer(const char *hex)
{
    static char text[200];
    struct store_request request;
    struct store_burst burst;
    uint8_t octets[64];
    struct writer w;

    writer_init(&w, octets, sizeof octets);
    CHECK_INT(read_request(hex, &request), MOTE_OK);
    CHECK_INT(store_burst_find(&burst, &store, &request), MOTE_OK);
    store_burst_write(&burst, &w);
    for (size_t i = 0; i < w.len; i++)
        snprintf(text + 2 * i, 3, "%02x", octets[i]);
    return text;
}

static void check_answer(const char *request, const char *expected)
{
    const char *got = answer(request);

    if (strcmp(got, expected) != 0)
        printf("%s: %s instead of %s\n", request, got, expected);
    CHECK(strcmp(got, expected) == 0);
}

TEST(reads_ranges_and_refuses_invalid_ones)
{
    static const char *const wrong[] = {
        "",
        "80",
        "a1",
        "a10001ff",
        "a2000b010a",
        "a202080307",
        "a10401",
        "a10701",
        "a100fb0000000000000000",
        "a20001"
        "0002",
        "a1001b0000000100000000",
        "a1006101",
        "bf0001ff",
    };
    struct store_request request;

    CHECK_INT(read_request("a0", &request), MOTE_OK);
    CHECK(request.from == 0 && request.to == UINT32_MAX && request.first == 1 &&
          request.last == UINT32_MAX && request.blocks == UINT32_MAX);
    CHECK_INT(read_request("a5 0001 0102 0203 0304 0405", &request), MOTE_OK);
    CHECK(request.from == 1 && request.to == 2 && request.first == 3 && request.last == 4 &&
          request.blocks == 5);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK_INT(read_request(wrong[i], &request), MOTE_E_MALFORMED);
}

TEST(answers_with_the_blocks_of_a_burst_and_where_the_next_begins)
{
    append(70);
    check_answer("a0", "a30201041affffffff061821");
    check_answer("a1021821", "a3021821041affffffff061841");
    check_answer("a1021841", "a202184104183f");
    check_answer("a1021847", "a0");
    /* the block of a time, two blocks by number, and lost ones asked for again */
    check_answer("a2001a6b49d205011a6b49d206", "a202050403");
    check_answer("a202040305", "a202040403");
    check_answer("a2020404182a", "a30204"
                                 "04182a"
                                 "061824");
}

TEST(names_damaged_blocks)
{
    append(5);
    ram.octets[0][40 + 2 * entry_size] ^= 1;
    check_answer("a0", "a302010418"
                       "1b"
                       "0504");
    check_answer("a2001a6b49d205011a6b49d205", "a302030404"
                                               "0501");
}

TEST(reports_how_much_is_under_the_previous_key)
{
    static const struct {
        struct block_store_rekeyed rekeyed;
        const char *answer;
    } cases[] = {{{32, 5},
                  "a200182001"
                  "05"},
                 {{7, 0}, "a10007"},
                 {{0, 0}, "a0"}};
    const uint8_t map[] = {0xa0, 0xa0}, other[] = {0xa1, 0x00, 0x01};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t octets[16], expected[16];
        struct writer w;

        writer_init(&w, octets, sizeof octets);
        store_rekey_write(&cases[i].rekeyed, &w);
        CHECK_OCTETS(octets, w.len, expected, from_hex(cases[i].answer, expected, sizeof expected));
    }
    CHECK_INT(store_rekey_read(map, 0), MOTE_OK);
    CHECK_INT(store_rekey_read(map, 1), MOTE_OK);
    CHECK_INT(store_rekey_read(map, 2), MOTE_E_MALFORMED);
    CHECK_INT(store_rekey_read(other, 3), MOTE_E_MALFORMED);
}

TEST(a_store_file_is_made_locked_and_extended_when_truncated)
{
    char path[] = "/tmp/vigil-store-XXXXXX";
    char problem[300] = "";
    struct block_file file;
    struct block_storage storage;
    struct stat status;
    uint8_t octets[3] = {1, 2, 3};

    close(mkstemp(path));
    unlink(path);
    REQUIRE(block_file_open(&file, path, 3, &storage, problem, sizeof problem) == 0);
    CHECK(stat(path, &status) == 0 && status.st_size == 3 * BLOCK_FILE_SEGMENT &&
          (status.st_mode & 0777) == 0600);
    CHECK_INT(storage.write(storage.context, 2, BLOCK_FILE_SEGMENT - 3, octets, 3), MOTE_OK);
    block_file_close(&file);
    REQUIRE(block_file_open(&file, path, 3, &storage, problem, sizeof problem) == 0);
    memset(octets, 0, sizeof octets);
    CHECK_INT(storage.read(storage.context, 2, BLOCK_FILE_SEGMENT - 3, octets, 3), MOTE_OK);
    CHECK(octets[0] == 1 && octets[2] == 3);
    CHECK_INT(storage.erase(storage.context, 2), MOTE_OK);
    CHECK_INT(storage.read(storage.context, 2, BLOCK_FILE_SEGMENT - 3, octets, 3), MOTE_OK);
    CHECK(octets[0] == 0xff && octets[2] == 0xff);
    block_file_close(&file);
    CHECK_INT(truncate(path, 3 * BLOCK_FILE_SEGMENT - 2), 0);
    REQUIRE(block_file_open(&file, path, 3, &storage, problem, sizeof problem) == 0);
    CHECK_INT(storage.read(storage.context, 2, BLOCK_FILE_SEGMENT - 3, octets, 3), MOTE_OK);
    CHECK(octets[0] == 0xff && octets[1] == 0 && octets[2] == 0);
    block_file_close(&file);
    CHECK_INT(block_file_open(&file, path, 2, &storage, problem, sizeof problem), -1);
    CHECK(strstr(problem, "12288 octets instead of 8192") != NULL);
    unlink(path);
    CHECK_INT(block_file_open(&file, "/nowhere/store", 3, &storage, problem, sizeof problem), -1);
    CHECK(strstr(problem, "/nowhere/store") != NULL);
}

static bool keeps(const struct block_storage *storage)
{
    const char *broken = blocks_contract(storage);

    if (broken != NULL)
        printf("broken: %s\n", broken);
    return broken == NULL;
}

TEST(file_and_ram_keep_the_promises_of_block_storage)
{
    char path[] = "/tmp/vigil-store-XXXXXX";
    char problem[300] = "";
    struct block_file file;
    struct block_storage storage;

    close(mkstemp(path));
    unlink(path);
    REQUIRE(block_file_open(&file, path, 2, &storage, problem, sizeof problem) == 0);
    CHECK(keeps(&storage));
    block_file_close(&file);
    unlink(path);
    ram_blocks_init(&ram, 1024, 4);
    CHECK(keeps(&ram.port));
    CHECK(!ram.overwritten);
}

int main(void)
{
    RUN(reads_ranges_and_refuses_invalid_ones);
    RUN(answers_with_the_blocks_of_a_burst_and_where_the_next_begins);
    RUN(names_damaged_blocks);
    RUN(reports_how_much_is_under_the_previous_key);
    RUN(a_store_file_is_made_locked_and_extended_when_truncated);
    RUN(file_and_ram_keep_the_promises_of_block_storage);
    return harness_report();
}
