/* A change of a block store's key: every block stays readable, under the old or the new key. */
#include "harness.h"
#include "mote/block_store.h"
#include "mote/crypto_bearssl.h"
#include "support/ram_blocks.h"

enum { T0 = 1800000000, SMALL_SEGMENT = 200, MODEL_MAX = 128, PAYLOAD = 6, ENTRY = PAYLOAD + 19 };

static struct bearssl_aes128 aes_state;
static struct aes128 aes;
static const struct ipsec_crypto crypto = {&aes, NULL, NULL};
static struct ram_blocks ram;
static struct ipsec_sa old_sa, new_sa;
static uint32_t old_reserved, new_reserved;

static const struct ipv6_address HOST = {{0xfd, [15] = 1}};
static const struct ipv6_address OTHER = {{0x20, 0x01, 0x0d, 0xb8, [15] = 7}};

static int reserve(void *context, uint32_t last)
{
    uint32_t *reserved = context;

    CHECK(last > *reserved);
    if (ram.dark)
        return MOTE_E_IO;
    *reserved = last;
    return MOTE_OK;
}

static struct ipsec_sa make_sa(uint8_t key)
{
    return (struct ipsec_sa){.protocol = &ipsec_esp,
                             .cipher = &ipsec_aes_ctr,
                             .integrity = &ipsec_xcbc_96,
                             .spi = 0x11000000U + key,
                             .salt = {key},
                             .key = {key, 1},
                             .integrity_key = {key, 2},
                             .reserved = UINT32_MAX};
}

static struct block_store_config configuration(bool with_icv, enum block_store_full full)
{
    return (struct block_store_config){.storage = &ram.port,
                                       .sa = &old_sa,
                                       .crypto = &crypto,
                                       .source = {{0xfd, [15] = 2}},
                                       .destination = HOST,
                                       .payload_size = PAYLOAD,
                                       .with_icv = with_icv,
                                       .full = full,
                                       .mode =
                                           with_icv ? BLOCK_STORE_STORED_ICV : BLOCK_STORE_NEW_ICV,
                                       .limit = old_reserved,
                                       .reserve = reserve,
                                       .reserve_context = &old_reserved};
}

static struct block_store_config fresh(bool with_icv, enum block_store_full full, uint32_t segments)
{
    bearssl_aes128(&aes, &aes_state);
    ram_blocks_init(&ram, RAM_SEGMENT_MAX, segments);
    ram.port.segment_size = SMALL_SEGMENT;
    old_reserved = new_reserved = 0;
    old_sa = make_sa(1);
    new_sa = make_sa(2);
    return configuration(with_icv, full);
}

/* The same block store under the new key, with or without the old one. */
static struct block_store_config changed(struct block_store_config config,
                                         struct ipsec_sa *previous)
{
    config.sa = &new_sa;
    config.previous = previous;
    config.limit = new_reserved;
    config.reserve_context = &new_reserved;
    return config;
}

static int append(struct block_store *store, uint32_t seed, uint32_t *number)
{
    const uint8_t payload[PAYLOAD] = {(uint8_t)seed, (uint8_t)(seed >> 8), 7};

    return block_store_append(store, payload, T0 + seed, T0 + seed, number);
}

static int find_number(const struct block_store *store, uint32_t number, struct stored_block *block)
{
    int error = block_store_find(store, number, 0, UINT32_MAX, block);

    return error || block->number == number ? error : MOTE_E_STATE;
}

/* True if the block's packet has the SPI of its key and opens under this key, with the payload of
 * that seed. */
static bool opens(const struct block_store *store, const struct stored_block *block,
                  const struct ipv6_address *requester, uint32_t seed)
{
    uint8_t packet[BLOCK_STORE_PACKET_MAX], plain[BLOCK_STORE_PACKET_MAX], protocol;
    struct ipsec_sa in = make_sa(block->previous ? 1 : 2);
    struct ipv6_upper upper;
    struct udp udp;
    uint32_t spi;
    int len = block_store_packet(store, block, requester, packet, sizeof packet);

    if (len <= 0 || ipsec_peek(packet, (size_t)len, &protocol, &spi) != MOTE_OK || spi != in.spi)
        return false;
    len = ipsec_open(&in, &crypto, packet, (size_t)len, plain, sizeof plain);
    return len > 0 && ipv6_find_upper(&upper, plain, (size_t)len) == MOTE_OK &&
           udp_parse(&udp, &upper, plain) == MOTE_OK && udp.payload_len == PAYLOAD &&
           udp.payload[0] == (uint8_t)seed && udp.payload[1] == (uint8_t)(seed >> 8);
}

/* Stores blocks with seeds from 1 on; their numbers are the seeds. */
static void store_under_the_old_key(const struct block_store_config *config, uint32_t count)
{
    struct block_store store;
    uint32_t number;

    REQUIRE(block_store_open(&store, config) == MOTE_OK);
    for (uint32_t seed = 1; seed <= count; seed++) {
        CHECK_INT(append(&store, seed, &number), MOTE_OK);
        CHECK_INT(number, seed);
    }
}

TEST(blocks_of_both_keys_are_read_by_their_spi)
{
    for (int with_icv = 0; with_icv < 2; with_icv++) {
        struct block_store_config config = fresh(with_icv == 1, BLOCK_STORE_OVERWRITE_OLDEST, 8);
        struct block_store store;
        struct stored_block block;
        struct block_store_rekeyed rekeyed;
        uint32_t number = 0;

        store_under_the_old_key(&config, 8);
        config = changed(config, &old_sa);
        REQUIRE(block_store_open(&store, &config) == MOTE_OK);
        CHECK_INT(append(&store, 100, &number), MOTE_OK);
        CHECK(number > 8);
        for (uint32_t calls = 0; calls < 20; calls++) {
            for (uint32_t seed = 1; seed <= 8; seed++) {
                REQUIRE(find_number(&store, seed, &block) == MOTE_OK);
                CHECK_INT(block.least, T0 + seed);
                CHECK(opens(&store, &block, &HOST, seed) && opens(&store, &block, &OTHER, seed));
            }
            CHECK_INT(block_store_rekey(&store, 1, &rekeyed), MOTE_OK);
            CHECK(rekeyed.blocks <= 1);
            if (rekeyed.segments == 0)
                break;
        }
        CHECK_INT(rekeyed.segments, 0);
        CHECK(find_number(&store, number, &block) == MOTE_OK && opens(&store, &block, &HOST, 100));
        config = changed(config, NULL);
        REQUIRE(block_store_open(&store, &config) == MOTE_OK);
        for (uint32_t seed = 1; seed <= 8; seed++)
            CHECK(find_number(&store, seed, &block) == MOTE_OK && !block.previous &&
                  opens(&store, &block, &HOST, seed));
        CHECK(!ram.overwritten);
    }
}

TEST(without_the_old_key_its_blocks_are_refused)
{
    struct block_store_config config = fresh(false, BLOCK_STORE_OVERWRITE_OLDEST, 8);
    struct block_store store;
    struct block_store_rekeyed rekeyed;

    store_under_the_old_key(&config, 8);
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(block_store_rekey(&store, 32, &rekeyed), MOTE_OK);
    CHECK(rekeyed.blocks == 0 && rekeyed.segments == 0);
    config = changed(config, NULL);
    CHECK_INT(block_store_open(&store, &config), MOTE_E_AUTH);
    config = changed(config, &old_sa);
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(block_store_rekey(&store, 2, &rekeyed), MOTE_OK);
    config = changed(config, NULL);
    CHECK_INT(block_store_open(&store, &config), MOTE_E_AUTH);
}

TEST(a_full_store_that_refuses_keeps_a_segment_for_copies)
{
    struct block_store_config config = fresh(false, BLOCK_STORE_REFUSE, 4);
    struct block_store store;
    struct stored_block block;
    struct block_store_rekeyed rekeyed;
    uint32_t number = 0;

    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    uint32_t all = 3 * store.capacity;
    store_under_the_old_key(&config, all);
    config = changed(config, &old_sa);
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(append(&store, 99, &number), MOTE_E_SPACE);
    CHECK_INT(block_store_rekey(&store, 1000, &rekeyed), MOTE_OK);
    CHECK(rekeyed.blocks == all && rekeyed.segments == 0);
    for (uint32_t seed = 1; seed <= all; seed++)
        CHECK(find_number(&store, seed, &block) == MOTE_OK && opens(&store, &block, &HOST, seed));
    CHECK_INT(append(&store, 99, &number), MOTE_E_SPACE);
}

TEST(a_full_store_that_overwrites_gives_up_its_oldest_segment)
{
    struct block_store_config config = fresh(false, BLOCK_STORE_OVERWRITE_OLDEST, 4);
    struct block_store store;
    struct stored_block block;
    struct block_store_rekeyed rekeyed;

    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    uint32_t each = store.capacity;
    store_under_the_old_key(&config, 4 * each);
    config = changed(config, &old_sa);
    config.full = BLOCK_STORE_REFUSE;
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(block_store_rekey(&store, 32, &rekeyed), MOTE_E_SPACE);
    store.config.full = BLOCK_STORE_OVERWRITE_OLDEST;
    CHECK_INT(block_store_rekey(&store, 1000, &rekeyed), MOTE_OK);
    CHECK(rekeyed.blocks == 3 * each && rekeyed.segments == 0);
    CHECK_INT(find_number(&store, each, &block), MOTE_E_STATE);
    for (uint32_t seed = each + 1; seed <= 4 * each; seed++)
        CHECK(find_number(&store, seed, &block) == MOTE_OK && opens(&store, &block, &HOST, seed));
}

TEST(damaged_blocks_stay_damaged_and_the_others_are_copied)
{
    struct block_store_config config = fresh(false, BLOCK_STORE_OVERWRITE_OLDEST, 8);
    struct block_store store;
    struct stored_block block;
    struct block_store_rekeyed rekeyed;

    store_under_the_old_key(&config, 5);
    ram.octets[0][40 + ENTRY] ^= 0x10;
    config = changed(config, &old_sa);
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(block_store_rekey(&store, 32, &rekeyed), MOTE_OK);
    CHECK(rekeyed.blocks == 5 && rekeyed.segments == 0);
    CHECK_INT(block_store_find(&store, 2, 0, UINT32_MAX, &block), MOTE_E_MALFORMED);
    CHECK_INT(block.number, 2);
    for (uint32_t seed = 1; seed <= 5; seed++)
        CHECK(seed == 2 ||
              (find_number(&store, seed, &block) == MOTE_OK && opens(&store, &block, &HOST, seed)));
}

TEST(a_copy_that_lost_its_summary_begins_again)
{
    for (size_t torn = 0; torn <= 5; torn += 5) {
        struct block_store_config config = fresh(false, BLOCK_STORE_OVERWRITE_OLDEST, 8);
        struct block_store store;
        struct stored_block block;
        struct block_store_rekeyed rekeyed;

        REQUIRE(block_store_open(&store, &config) == MOTE_OK);
        store_under_the_old_key(&config, store.capacity);
        ram.octets[0][40 + ENTRY] ^= 0x10;
        ram_blocks_power_on(&ram);
        ram.cut_at = 3; /* after an erasure and the header */
        ram.torn = torn;
        config = changed(config, &old_sa);
        REQUIRE(block_store_open(&store, &config) == MOTE_OK);
        CHECK_INT(block_store_rekey(&store, 1, &rekeyed), MOTE_E_IO);
        ram_blocks_power_on(&ram);
        config = changed(config, &old_sa);
        REQUIRE(block_store_open(&store, &config) == MOTE_OK);
        do {
            REQUIRE(block_store_rekey(&store, 2, &rekeyed) == MOTE_OK);
            CHECK_INT(block_store_find(&store, 0, T0 + 100, UINT32_MAX, &block), MOTE_E_STATE);
        } while (harness_ok && rekeyed.segments > 0);
        CHECK(!ram.overwritten);
    }
}

TEST(a_lost_file_does_not_repeat_the_numbers_of_copies)
{
    struct block_store_config config = fresh(false, BLOCK_STORE_OVERWRITE_OLDEST, 8);
    struct block_store store;
    struct block_store_rekeyed rekeyed;
    uint32_t number = 0;

    store_under_the_old_key(&config, 5);
    config = changed(config, &old_sa);
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(block_store_rekey(&store, 3, &rekeyed), MOTE_OK);
    ram_blocks_init(&ram, RAM_SEGMENT_MAX, 8);
    config = changed(config, NULL);
    REQUIRE(block_store_open(&store, &config) == MOTE_OK);
    CHECK_INT(append(&store, 9, &number), MOTE_OK);
    CHECK(number > 5);
}

/* ---- loss of power ---- */

/* The acknowledged blocks: seed by number. */
struct model {
    uint32_t number[MODEL_MAX];
    uint32_t seed[MODEL_MAX];
    size_t count;
};

static void check_model(const struct block_store *store, const struct model *model)
{
    struct stored_block block;

    for (size_t i = 0; i < model->count && harness_ok; i++) {
        REQUIRE(find_number(store, model->number[i], &block) == MOTE_OK);
        CHECK(opens(store, &block, &HOST, model->seed[i]));
    }
}

static void append_next(struct block_store *store, struct model *model)
{
    uint32_t number = 0;

    if (append(store, (uint32_t)model->count + 1, &number) != MOTE_OK)
        return;
    for (size_t i = 0; i < model->count; i++)
        CHECK(model->number[i] != number);
    model->number[model->count] = number;
    model->seed[model->count] = (uint32_t)model->count + 1;
    model->count++;
    REQUIRE(model->count < MODEL_MAX);
}

/* One run under both keys: checks, encrypts three blocks at a time under the new key and stores in
 * between, until power fails. */
static bool live(struct block_store_config config, struct model *model, unsigned cut_at)
{
    struct block_store store;
    struct block_store_rekeyed rekeyed = {.segments = 1};

    ram_blocks_power_on(&ram);
    config = changed(config, &old_sa);
    if (block_store_open(&store, &config) != MOTE_OK) {
        CHECK(false);
        return true;
    }
    check_model(&store, model);
    ram.cut_at = cut_at;
    for (int calls = 0; calls < 20 && rekeyed.segments > 0 && !ram.dark; calls++) {
        int error = block_store_rekey(&store, 3, &rekeyed);

        CHECK(error == MOTE_OK || ram.dark);
        if (calls % 2 == 0 && !ram.dark)
            append_next(&store, model);
    }
    CHECK(ram.dark || rekeyed.segments == 0);
    return ram.dark;
}

/* Cuts power at every write of the change, and at every write of its resumption. */
static void cut_everywhere(bool with_icv, enum fake_rest rest, size_t torn)
{
    static struct model model;
    bool was_cut = true;

    for (unsigned cut_at = 1; harness_ok && was_cut; cut_at++)
        for (unsigned again = 0; again < 2 && harness_ok && was_cut; again++) {
            struct block_store_config config = fresh(with_icv, BLOCK_STORE_REFUSE, 8);
            struct block_store store;

            memset(&model, 0, sizeof model);
            REQUIRE(block_store_open(&store, &config) == MOTE_OK);
            while (model.count < 8)
                append_next(&store, &model);
            ram.torn = torn;
            ram.rest = rest;
            ram.backwards = torn > 0;
            was_cut = live(config, &model, cut_at);
            live(config, &model, again * 12 + 1);
            live(config, &model, 0);
            ram_blocks_power_on(&ram);
            config = changed(config, NULL);
            REQUIRE(block_store_open(&store, &config) == MOTE_OK);
            check_model(&store, &model);
            CHECK(!ram.overwritten || rest == FAKE_ANYTHING || rest == FAKE_ZEROS);
        }
}

TEST(nothing_acknowledged_is_lost_wherever_power_fails)
{
    for (int rest = FAKE_OLD; rest < FAKE_RESTS; rest++) {
        cut_everywhere(false, (enum fake_rest)rest, 20);
        cut_everywhere(true, (enum fake_rest)rest, 0);
    }
}

int main(void)
{
    RUN(blocks_of_both_keys_are_read_by_their_spi);
    RUN(without_the_old_key_its_blocks_are_refused);
    RUN(a_full_store_that_refuses_keeps_a_segment_for_copies);
    RUN(a_full_store_that_overwrites_gives_up_its_oldest_segment);
    RUN(damaged_blocks_stay_damaged_and_the_others_are_copied);
    RUN(a_copy_that_lost_its_summary_begins_again);
    RUN(a_lost_file_does_not_repeat_the_numbers_of_copies);
    RUN(nothing_acknowledged_is_lost_wherever_power_fails);
    return harness_report();
}
