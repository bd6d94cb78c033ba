/*
 * The test harness. A test is a function whose name is a sentence; CHECK records a failure and
 * continues, REQUIRE ends the test. `make test` adds up the last line of every binary. Tests run in
 * the folder mote-firmware, so vectors are opened as "vectors/...".
 */
#ifndef MOTE_TESTS_HARNESS_H
#define MOTE_TESTS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int harness_passed;
static int harness_failed;
static bool harness_ok;

static inline void harness_fail(const char *file, int line, const char *what)
{
    printf("%s:%d: %s\n", file, line, what);
    harness_ok = false;
}

#define TEST(name) static void name(void)

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            harness_fail(__FILE__, __LINE__, #condition);                                          \
    } while (0)

#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            harness_fail(__FILE__, __LINE__, #condition);                                          \
            return;                                                                                \
        }                                                                                          \
    } while (0)

#define CHECK_INT(actual, expected)                                                                \
    do {                                                                                           \
        long long harness_a = (long long)(actual);                                                 \
        long long harness_e = (long long)(expected);                                               \
        if (harness_a != harness_e) {                                                              \
            printf("%s: %lld instead of %lld\n", #actual, harness_a, harness_e);                   \
            harness_fail(__FILE__, __LINE__, #actual " == " #expected);                            \
        }                                                                                          \
    } while (0)

static inline void harness_hex(const char *label, const uint8_t *data, size_t len)
{
    printf("  %s (%zu):", label, len);
    for (size_t i = 0; i < len; i++)
        printf("%s%02x", i % 16 == 0 ? " " : "", data[i]);
    printf("\n");
}

#define CHECK_OCTETS(actual, actual_len, expected, expected_len)                                   \
    do {                                                                                           \
        size_t harness_al = (actual_len);                                                          \
        size_t harness_el = (expected_len);                                                        \
        const uint8_t *harness_ap = (const uint8_t *)(actual);                                     \
        const uint8_t *harness_ep = (const uint8_t *)(expected);                                   \
        if (harness_al != harness_el ||                                                            \
            (harness_al > 0 && memcmp(harness_ap, harness_ep, harness_al) != 0)) {                 \
            harness_hex("actual", harness_ap, harness_al);                                         \
            harness_hex("expected", harness_ep, harness_el);                                       \
            harness_fail(__FILE__, __LINE__, #actual " == " #expected);                            \
        }                                                                                          \
    } while (0)

/* True if VIGIL_TEST names another test: ./vigil test NAME runs one test of a file. */
static inline bool harness_skips(const char *name)
{
    const char *only = getenv("VIGIL_TEST");
    return only != NULL && *only != '\0' && strcmp(only, name) != 0;
}

#define RUN(name)                                                                                  \
    do {                                                                                           \
        if (harness_skips(#name))                                                                  \
            break;                                                                                 \
        harness_ok = true;                                                                         \
        name();                                                                                    \
        if (harness_ok) {                                                                          \
            harness_passed++;                                                                      \
        } else {                                                                                   \
            harness_failed++;                                                                      \
            printf("FAILED %s\n", #name);                                                          \
        }                                                                                          \
    } while (0)

static inline int harness_report(void)
{
    printf("%d passed, %d failed\n", harness_passed, harness_failed);
    return harness_failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline int harness_nibble(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* Hexadecimal text (spaces allowed) to octets; stops at the first other character. */
static inline size_t from_hex(const char *text, uint8_t *out, size_t size)
{
    size_t len = 0;
    while (len < size) {
        while (*text == ' ')
            text++;
        int high = harness_nibble(text[0]);
        int low = high < 0 ? -1 : harness_nibble(text[1]);
        if (low < 0)
            break;
        out[len++] = (uint8_t)(high << 4 | low);
        text += 2;
    }
    return len;
}

/* xorshift64*: every random test is seeded, so it can be repeated. */
struct dice {
    uint64_t state;
};

static inline uint64_t dice_roll(struct dice *dice)
{
    dice->state ^= dice->state >> 12;
    dice->state ^= dice->state << 25;
    dice->state ^= dice->state >> 27;
    return dice->state * 0x2545f4914f6cdd1dU;
}

static inline size_t dice_below(struct dice *dice, size_t limit)
{
    return (size_t)((dice_roll(dice) >> 16) % limit);
}

static inline void dice_fill(struct dice *dice, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)(dice_roll(dice) >> 32);
}

#endif
