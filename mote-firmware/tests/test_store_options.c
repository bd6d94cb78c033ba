/* The options of several block stores. */
#include <getopt.h>

#include "../apps/store_options.h"
#include "harness.h"

static struct options options;

static enum options_result read_words(const char *const *words, int count)
{
    static const char *const always[] = {"vigil-mote",       "--ep", "m", "--mesh", "--mirror",
                                         "coap://[fd00::1]", "--sa", "sa"};
    char *argv[32];
    int argc = 0;

    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        argv[argc++] = (char *)(uintptr_t)always[i];
    for (int i = 0; i < count; i++)
        argv[argc++] = (char *)(uintptr_t)words[i];
    argv[argc] = NULL;
    optind = 0;
    return options_read(&options, argc, argv);
}

#define READ(...)                                                                                  \
    read_words((const char *const[]){__VA_ARGS__},                                                 \
               (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

static void check_store(size_t i, const char *name, const char *file, char mode, char full,
                        uint32_t segments)
{
    CHECK(strcmp(options.stores[i].name, name) == 0 && strcmp(options.stores[i].file, file) == 0);
    CHECK_INT(options.stores[i].mode, mode);
    CHECK_INT(options.stores[i].full, full);
    CHECK_INT(options.stores[i].segments, segments);
}

TEST(values_without_a_name_are_defaults_and_those_with_one_are_for_one_file)
{
    REQUIRE(READ("--store", "all", "--store", "alarms=/a=b", "--store-mode", "alarms=d",
                 "--store-size", "alarms=8192", "--store-full", "alarms=refuse", "--store-mode",
                 "a") == OPTIONS_RUN);
    CHECK_INT(options.store_count, 2);
    check_store(0, "", "all", 'a', 'o', 256);
    check_store(1, "alarms", "/a=b", 'd', 'r', 2);
}

TEST(a_path_with_a_sign_is_an_unnamed_file)
{
    REQUIRE(READ("--store", "./x=y") == OPTIONS_RUN);
    check_store(0, "", "./x=y", 'b', 'o', 256);
}

TEST(a_sensor_is_kept_in_the_named_file_else_in_the_unnamed_one)
{
    REQUIRE(READ("--store", "n=1", "--store", "2", "--keep", "a/b=n") == OPTIONS_RUN);
    CHECK_INT(option_store_of(&options, "a/b"), 0);
    CHECK_INT(option_store_of(&options, "a"), 1);
    REQUIRE(READ("--store", "n=1", "--keep", "load=n") == OPTIONS_RUN);
    CHECK_INT(option_store_of(&options, "memory"), options.store_count);
}

TEST(refuses_unknown_names_and_a_fifth_file)
{
    CHECK(READ("--store-mode", "n=d", "--store", "n=1") == OPTIONS_WRONG);
    CHECK(READ("--store", "n=1", "--keep", "load=m") == OPTIONS_WRONG);
    CHECK(READ("--store", "n=1", "--keep", "load") == OPTIONS_WRONG);
    CHECK(READ("--store", "n=1", "--keep", "=n") == OPTIONS_WRONG);
    CHECK(READ("--store", "n=1", "--store-mode", "n=c") == OPTIONS_WRONG);
    CHECK(READ("--store", "n=") == OPTIONS_WRONG);
    CHECK(READ("--store", "1", "--store", "b=2", "--store", "c=3", "--store", "d=4") ==
          OPTIONS_RUN);
    CHECK(READ("--store", "1", "--store", "b=2", "--store", "c=3", "--store", "d=4", "--store",
               "e=5") == OPTIONS_WRONG);
}

int main(void)
{
    RUN(values_without_a_name_are_defaults_and_those_with_one_are_for_one_file);
    RUN(a_path_with_a_sign_is_an_unnamed_file);
    RUN(a_sensor_is_kept_in_the_named_file_else_in_the_unnamed_one);
    RUN(refuses_unknown_names_and_a_fifth_file);
    return harness_report();
}
