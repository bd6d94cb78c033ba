/* The block store: stored blocks stay, numbers never repeat, and packets are ESP. */
#include "harness.h"
#include "mote/block_store.h"
#include "mote/crypto_bearssl.h"
#include "support/ram_blocks.h"
#include "vectors.h"

enum { T0 = 1800000000, SEGMENT = 1024, SMALL_SEGMENT = 200, MODEL_MAX = 512 };

static struct bearssl_aes128 aes_state;
static struct aes128 plain_aes;
static unsigned aes_blocks;
static void counted_encrypt(void *context, uint8_t block[AES_BLOCK])
{
    aes_blocks++;
    plain_aes.encrypt(context, block);
}
static struct aes128 aes;
static const struct ipsec_crypto crypto = {&aes, NULL, NULL};
static struct ram_blocks ram;
static uint32_t reserved;

static const struct ipv6_address HOST = {{0xfd, [15] = 1}};
static const struct ipv6_address OTHER = {{0x20, 0x01, 0x0d, 0xb8, [15] = 7}};

static int reserve(void *context, uint32_t last)
{
    (void)context;
    CHECK(last > reserved);
    if (ram.dark)
        return MOTE_E_IO;
    reserved = last;
    return MOTE_OK;
}

static struct ipsec_sa make_sa(void)
{
    struct ipsec_sa sa = {.protocol = &ipsec_esp,
                          .cipher = &ipsec_aes_ctr,
                          .integrity = &ipsec_xcbc_96,
                          .spi = 0x11000009,
                          .salt = {0xa0, 0xa1, 0xa2, 0xa3},
                          .reserved = UINT32_MAX};
    for (uint8_t i = 0; i < 16; i++) {
        sa.key[i] = i;
        sa.integrity_key[i] = (uint8_t)(0x10 + i);
    }
    return sa;
}

static struct ipsec_sa sa;

static struct block_store_config configuration(uint8_t payload_size, bool with_icv)
{
    static const uint8_t mote[16] = {0xfd, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 2, 0, 2, 0, 2};
    struct block_store_config config = {.storage = &ram.port,
                                        .sa = &sa,
                                        .crypto = &crypto,
                                        .destination = HOST,
                                        .payload_size = payload_size,
                                        .with_icv = with_icv,
                                        .mode =
                                            with_icv ? BLOCK_STORE_STORED_ICV : BLOCK_STORE_NEW_ICV,
                                        .limit = reserved,
                                        .reserve = reserve};
    memcpy(config.source.octets, mote, sizeof mote);
    return config;
}

/* An empty block store. */
static struct block_store_config fresh(uint8_t payload_size, bool with_icv, uint32_t segments)
{
    bearssl_aes128(&plain_aes, &aes_state);
    aes = plain_aes;
    aes.encrypt = counted_encrypt;
    ram_blocks_init(&ram, SEGMENT, segments);
    reserved = 0;
    sa = make_sa();
    return configuration(payload_size, with_icv);
}

static void fill(uint8_t *payload, uint32_t seed)
{
    for (uint32_t i = 0; i < BLOCK_STORE_PAYLOAD_MAX; i++)
        payload[i] = (uint8_t)(seed * 31 + seed / 7 + i * 3);
}

/* True if the requester opens the block as ESP, with the payload of that seed. */
static bool opens(const struct block_store *store, const struct stored_block *block,
                  const struct ipv6_address *requester, uint32_t seed)
{
    uint8_t packet[BLOCK_STORE_PACKET_MAX], plain[BLOCK_STORE_PACKET_MAX],
        payload[BLOCK_STORE_PAYLOAD_MAX];
    struct ipsec_sa in = make_sa();
    struct ipv6_upper upper;
    struct udp udp;
    int len = block_store_packet(store, block, requester, packet, sizeof packet);

    fill(payload, seed);
    if (len > 0)
        len = ipsec_open(&in, &crypto, packet, (size_t)len, plain, sizeof plain);
    return len > 0 && ipv6_find_upper(&upper, plain, (size_t)len) == MOTE_OK &&
           udp_parse(&udp, &upper, plain) == MOTE_OK && udp.src_port == BLOCK_STORE_PORT &&
           udp.dst_port == BLOCK_STORE_PORT && ipv6_equal(&upper.dst, requester) &&
           udp.payload_len == store->config.payload_size &&
           memcmp(udp.payload, payload, udp.payload_len) == 0;
}

static int append(struct block_store *store, uint32_t seed, uint32_t *number)
{
    uint8_t payload[BLOCK_STORE_PAYLOAD_MAX];

    fill(payload, seed);
    return block_store_append(store, payload, T0 + seed, T0 + seed, number);
}

static int find_number(const struct block_store *store, uint32_t number, struct stored_block *block)
{
    int error = block_store_find(store, number, 0, UINT32_MAX, block);

    return error || block->number == number ? error : MOTE_E_STATE;
}

/* ---- the wire ---- */

static size_t field(FILE *file, const char *label, uint8_t *out, unsigned long *number)
{
    static char line[1024];
    size_t len = strlen(label);

    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, label, len) == 0 && line[len] == ' ') {
            *number = strtoul(line + len + 1, NULL, 10);
            return from_hex(line + len + 1, out, 256);
        }
    return 0;
}

static void check_packet(FILE *file, const char *label, const struct block_store *store,
                         const struct stored_block *block, const struct ipv6_address *requester,
                         uint32_t sequence)
{
    uint8_t expected[256], packet[BLOCK_STORE_PACKET_MAX];
    unsigned long ignored;
    size_t len = field(file, label, expected, &ignored);

    store->config.sa->sent = sequence - 1;
    int got = block_store_packet(store, block, requester, packet, sizeof packet);
    CHECK_OCTETS(packet, got < 0 ? 0 : (size_t)got, expected, len);
}

/* Checks one case of the file; false at its end. */
static bool check_case(FILE *file)
{
    uint8_t octets[256], payload[256];
    unsigned long size, number, sequence, ignored;
    struct block_store store;
    struct stored_block block;
    uint32_t given;

    size = 0;
    field(file, "case", octets, &size);
    if (size == 0 || !harness_ok)
        return false;
    field(file, "number", octets, &number);
    field(file, "sequence", octets, &sequence);
    CHECK_INT(field(file, "payload", payload, &ignored), size);
    struct block_store_config config = fresh((uint8_t)size, true, 2);
    config.limit = (uint32_t)number - 1;
    CHECK_INT(block_store_open(&store, &config), MOTE_OK);
    CHECK_INT(block_store_append(&store, payload, T0, T0, &given), MOTE_OK);
    CHECK_INT(given, number);
    CHECK_INT(find_number(&store, given, &block), MOTE_OK);
    size_t len = field(file, "text", octets, &ignored);
    CHECK_OCTETS(block.text, size + BLOCK_STORE_OVERHEAD, octets, len);
    len = field(file, "icv", octets, &ignored);
    CHECK_OCTETS(block.icv, ipsec_icv_size(&sa), octets, len);
    long at = ftell(file);
    store.config.mode = BLOCK_STORE_NEW_ICV;
    check_packet(file, "b", &store, &block, &HOST, (uint32_t)sequence);
    check_packet(file, "c", &store, &block, &OTHER, (uint32_t)sequence);
    store.config.mode = BLOCK_STORE_STORED_ICV;
    check_packet(file, "d", &store, &block, &HOST, (uint32_t)sequence);
    store.config.mode = BLOCK_STORE_REENCRYPT;
    fseek(file, at, SEEK_SET);
    check_packet(file, "b", &store, &block, &HOST, (uint32_t)sequence);
    check_packet(file, "c", &store, &block, &OTHER, (uint32_t)sequence);
    return true;
}

TEST(blocks_and_packets_are_those_of_the_shared_vectors)
{
    FILE *file = vector_open("block-store", "blocks");
    int cases = 0;

    while (check_case(file))
        cases++;
    fclose(file);
    CHECK_INT(cases, 4);
}

TEST(each_mode_costs_the_promised_aes_blocks)
{
    struct block_store_config config = fresh(54, true, 2);
    struct block_store store;
    struct stored_block block;
    uint8_t packet[BLOCK_STORE_PACKET_MAX];
    unsigned cost[4];
    uint32_t number;

    REQUIRE(block_store_open(&store, &config) == MOTE_OK && append(&store, 1, &number) == MOTE_OK);
    CHECK_INT(find_number(&store, number, &block), MOTE_OK);
    for (int i = 0; i < 4; i++) {
        static const enum block_store_mode modes[] = {BLOCK_STORE_REENCRYPT, BLOCK_STORE_NEW_ICV,
                                                      BLOCK_STORE_NEW_ICV, BLOCK_STORE_STORED_ICV};
        store.config.mode = modes[i];
        aes_blocks = 0;
        CHECK(block_store_packet(&store, &block, i == 2 ? &OTHER : &HOST, packet, sizeof packet) >
              0);
        cost[i] = aes_blocks;
    }
    CHECK_INT(cost[0], cost[1] + 4 + 4); /* 64 octets decrypted and encrypted again */
    CHECK_INT(cost[2], cost[1] + 1);     /* the block with the checksum */
    CHECK_INT(cost[3], 0);
}

TEST(modes_a_to_c_take_new_sequence_numbers_and_d_the_block_number)
{
    struct block_store_config config = fresh(54, true, 2);
    struct block_store store;
    struct stored_block block;
    uint8_t packet[BLOCK_STORE_PACKET_MAX], again[BLOCK_STORE_PACKET_MAX];
    uint32_t number;

    sa.reserved = 3;
    REQUIRE(block_store_open(&store, &config) == MOTE_OK && append(&store, 1, &number) == MOTE_OK);
    CHECK_INT(find_number(&store, number, &block), MOTE_OK);
    int len = block_store_packet(&store, &block, &HOST, packet, sizeof packet);
    CHECK_INT(block_store_packet(&store, &block, &HOST, again, sizeof again), len);
    CHECK_OCTETS(again, (size_t)len, packet, (size_t)len);
    CHECK_INT(sa.sent, 0);
    CHECK(block_store_packet(&store, &block, &OTHER, packet, sizeof packet) > 0);
    CHECK_INT(sa.sent, 1);
    store.config.mode = BLOCK_STORE_NEW_ICV;
    CHECK(block_store_packet(&store, &block, &HOST, packet, sizeof packet) > 0);
    CHECK_INT(block_store_packet(&store, &block, &HOST, packet, sizeof packet), MOTE_E_STATE);
    CHECK_INT(sa.sent, 2);
}

TEST(mode_a_does_not_seal_what_another_key_stored)
{
    struct block_store_config config = fresh(54, false, 2);
    struct block_store store;
    struct stored_block block;
    uint8_t packet[BLOCK_STORE_PACKET_MAX];
    uint32_t number;

    sa.reserved = UINT32_MAX;
    config.mode = BLOCK_STORE_REENCRYPT;
    REQUIRE(block_store_open(&store, &config) == MOTE_OK && append(&store, 1, &number) == MOTE_OK);
    CHECK_INT(find_number(&store, number, &block), MOTE_OK);
    CHECK(block_store_packet(&store, &block, &HOST, packet, sizeof packet) > 0);
    for (size_t i = 0; i < 6; i++) { /* ports and length: as after decryption with another key */
        block.text[i] ^= 1;
        CHECK_INT(block_store_packet(&store, &block, &HOST, packet, sizeof packet),
                  MOTE_E_MALFORMED);
        block.text[i] ^= 1;
    }
}

/* ---- storing ---- */

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
    CHECK(ram.reads < 8 * (8 + 1) + store.capacity + 1);
    CHECK_INT(block_store_find(&store, 0, T0 + number + 1, UINT32_MAX, &block), MOTE_E_STATE);
    CHECK_INT(block_store_find(&store, 0, T0 + 5, T0 + 4, &block), MOTE_E_STATE);
}

/* ---- loss of power ---- */

/* The acknowledged blocks: seed by number. */
struct model {
    uint32_t number[MODEL_MAX];
    uint32_t seed[MODEL_MAX];
    size_t count;
    uint32_t highest; /* highest number under which anything was stored */
};

/* Checks that every acknowledged block is stored and, if `open`, opens. With `overwritten`, the
 * oldest blocks may be missing. */
static void check_model(const struct block_store *store, const struct model *model,
                        bool overwritten, bool open)
{
    struct stored_block block;
    bool found_before = !overwritten;

    for (size_t i = 0; i < model->count && harness_ok; i++) {
        bool found = find_number(store, model->number[i], &block) == MOTE_OK;

        CHECK(found || !found_before);
        found_before = found_before || found;
        if (found && open)
            CHECK(opens(store, &block, &HOST, model->seed[i]));
    }
    CHECK(model->count == 0 || found_before);
}

/* One run: opens the store, checks it, and appends until power fails or `blocks` are stored. */
static void live(struct block_store_config *config, struct model *model, unsigned blocks,
                 unsigned cut_at)
{
    struct block_store store;
    bool overwrites = config->full == BLOCK_STORE_OVERWRITE_OLDEST;

    ram_blocks_power_on(&ram);
    ram.cut_at = cut_at;
    config->limit = reserved;
    REQUIRE(block_store_open(&store, config) == MOTE_OK);
    check_model(&store, model, overwrites, blocks == 0);
    for (unsigned i = 0; i < blocks && !ram.dark; i++) {
        uint32_t seed = (uint32_t)model->count + 1000 * cut_at;
        uint32_t number = 0;
        uint32_t attempted = store.first + store.used;
        bool begins = store.first == 0 || store.used == store.capacity;

        if (append(&store, seed, &number) == MOTE_OK) {
            CHECK(number > model->highest);
            model->highest = number;
            model->number[model->count] = number;
            model->seed[model->count++] = seed;
            REQUIRE(model->count < MODEL_MAX);
        } else if (!begins && ram.torn > 2) {
            model->highest = attempted; /* the storage has some of its ciphertext */
        }
    }
}

/* Cuts power at every write of a run, leaves the octets that each kind of storage leaves, and
 * continues. */
static void cut_everywhere(bool with_icv, enum block_store_full full, uint32_t segments,
                           unsigned blocks)
{
    static const size_t torn[] = {0, 20};
    static struct model model;

    for (int rest = FAKE_OLD; rest < FAKE_RESTS; rest++)
        for (size_t t = 0; t < sizeof torn / sizeof torn[0]; t++)
            for (unsigned cut_at = 1; harness_ok; cut_at++) {
                struct block_store_config config = fresh(6, with_icv, segments);

                ram.port.segment_size = SMALL_SEGMENT;
                config.full = full;
                memset(&model, 0, sizeof model);
                ram.torn = torn[t];
                ram.rest = (enum fake_rest)rest;
                live(&config, &model, 3, 0);
                live(&config, &model, blocks, cut_at);
                bool was_cut = ram.dark;
                live(&config, &model, 4, 0);
                live(&config, &model, 0, 0);
                CHECK(!ram.overwritten || ram.rest == FAKE_ANYTHING || ram.rest == FAKE_ZEROS);
                if (!was_cut)
                    break;
            }
}

TEST(nothing_acknowledged_is_lost_wherever_power_fails)
{
    cut_everywhere(false, BLOCK_STORE_REFUSE, 6, 14);
    cut_everywhere(true, BLOCK_STORE_REFUSE, 8, 10);
}

TEST(overwriting_loses_only_the_oldest_wherever_power_fails)
{
    cut_everywhere(false, BLOCK_STORE_OVERWRITE_OLDEST, 3, 24);
}

/* ---- a model ---- */

struct known {
    uint32_t least;
    uint32_t greatest;
};

/* The first known block with a time in the range; 0: none. */
static uint32_t expected(const struct known *known, uint32_t oldest, uint32_t newest, uint32_t from,
                         struct known range)
{
    for (uint32_t number = from < oldest ? oldest : from; number <= newest; number++)
        if (known[number].least <= range.greatest && known[number].greatest >= range.least)
            return number;
    return 0;
}

static void random_life(struct dice *dice)
{
    static struct known known[MODEL_MAX];
    static const uint8_t sizes[] = {6, 22, 38, 54};
    bool with_icv = dice_below(dice, 2) == 1;
    struct block_store_config config =
        fresh(sizes[dice_below(dice, 4)], with_icv, (uint32_t)dice_below(dice, 6) + 2);
    struct block_store store;
    struct stored_block block;
    uint8_t payload[BLOCK_STORE_PAYLOAD_MAX] = {0};
    uint32_t number = 0;

    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    for (int i = 0; i < 400 && harness_ok; i++) {
        uint32_t oldest, newest;
        uint32_t time = T0 + (uint32_t)dice_below(dice, 1000);
        struct known span = {time, time + (uint32_t)dice_below(dice, 40)};

        if (dice_below(dice, 50) == 0) {
            config.limit = reserved;
            REQUIRE(block_store_open(&store, &config) == MOTE_OK);
        }
        if (dice_below(dice, 2) == 0) {
            CHECK_INT(block_store_append(&store, payload, span.least, span.greatest, &number),
                      MOTE_OK);
            known[number] = span;
            continue;
        }
        uint32_t from = (uint32_t)dice_below(dice, number + 2);
        CHECK_INT(block_store_bounds(&store, &oldest, &newest), MOTE_OK);
        CHECK_INT(newest, number);
        uint32_t right = newest == 0 ? 0 : expected(known, oldest, newest, from, span);
        int error = block_store_find(&store, from, span.least, span.greatest, &block);
        CHECK_INT(error == MOTE_OK ? block.number : 0, right);
    }
}

TEST(random_runs_find_the_same_blocks_as_a_model)
{
    for (uint64_t seed = 1; seed <= 15 && harness_ok; seed++) {
        struct dice dice = {seed};
        random_life(&dice);
        if (!harness_ok)
            printf("seed %llu\n", (unsigned long long)seed);
    }
}

/* ---- records ---- */

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
    RUN(blocks_and_packets_are_those_of_the_shared_vectors);
    RUN(each_mode_costs_the_promised_aes_blocks);
    RUN(modes_a_to_c_take_new_sequence_numbers_and_d_the_block_number);
    RUN(mode_a_does_not_seal_what_another_key_stored);
    RUN(a_block_costs_the_ten_and_twenty_two_octets_of_the_paper);
    RUN(an_opened_store_has_what_was_stored);
    RUN(a_full_store_refuses_or_overwrites_the_oldest);
    RUN(a_lost_or_older_store_does_not_repeat_numbers);
    RUN(refuses_unsuitable_configurations);
    RUN(detects_any_damaged_octet_and_skips_only_its_block);
    RUN(a_truncated_store_keeps_the_rest_and_repeats_no_number);
    RUN(a_damaged_summary_hides_no_block);
    RUN(a_time_is_found_without_decryption_and_without_reading_all);
    RUN(nothing_acknowledged_is_lost_wherever_power_fails);
    RUN(overwriting_loses_only_the_oldest_wherever_power_fails);
    RUN(random_runs_find_the_same_blocks_as_a_model);
    RUN(records_keep_their_values_and_empty_places_are_recognized);
    RUN(five_records_fill_a_block_and_fewer_wait_for_a_flush);
    RUN(records_wait_while_the_storage_fails);
    return harness_report();
}
