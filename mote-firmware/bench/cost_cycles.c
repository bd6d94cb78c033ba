/* Costs are cycles, on processors without an operating system or a C library that prints. */
#include "cost_cycles.h"

#include <stddef.h>

#include "cost.h"

static uint32_t overhead;

static void put_text(const char *text)
{
    while (*text != '\0')
        cost_put(*text++);
}

static void put_number(uint32_t number)
{
    char digits[11] = {0};
    uint8_t at = sizeof digits - 1;

    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    put_text(digits + at);
}

/* Reads again if the timer wraps meanwhile. */
static uint32_t cycles_of(void (*work)(void *context))
{
    uint16_t wraps, count;

    cost_start_timer();
    work(NULL);
    do {
        wraps = cost_timer_wraps;
        count = cost_timer();
    } while (wraps != cost_timer_wraps);
    return ((uint32_t)wraps << 16 | count) * CYCLES_PER_TICK;
}

static void nothing(void *context)
{
    (void)context;
}

void cost_begin(void)
{
    cost_start_processor();
    overhead = cycles_of(nothing);
}

void cost_measure(const char *label, void (*work)(void *context))
{
    cost_print(label, cycles_of(work) - overhead);
}

void cost_print(const char *label, uint32_t number)
{
    put_text(label);
    cost_put('\t');
    put_number(number);
    cost_put('\n');
}

void cost_fail(const char *what)
{
    put_text("evaluate: ");
    put_text(what);
    cost_put('\n');
    cost_end();
    for (;;)
        ;
}
