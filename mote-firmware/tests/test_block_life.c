/* The life of a block store: losses of power, and random runs beside a model. */
#include "block_fixture.h"

enum { SMALL_SEGMENT = 200, MODEL_MAX = 512 };

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

int main(void)
{
    RUN(nothing_acknowledged_is_lost_wherever_power_fails);
    RUN(overwriting_loses_only_the_oldest_wherever_power_fails);
    RUN(random_runs_find_the_same_blocks_as_a_model);
    return harness_report();
}
