/*
 * Costs are cycles of an MSP430F1611, counted by Timer A in steps of 8. The timer's interrupt takes
 * less than 0.01 % of the time. Characters leave through port 1: its lowest seven bits are a
 * character, and the highest bit changes with each (run.sh).
 */
#include "cost.h"

#include <stddef.h>

enum { CYCLES_PER_TICK = 8, SMCLK_BY_8_CONTINUOUS_WITH_INTERRUPT = 0x02e2, CLEAR = 4, DONE = 4 };

static volatile uint8_t *const port_out = (volatile uint8_t *)0x21;
static volatile uint8_t *const port_direction = (volatile uint8_t *)0x22;
static volatile uint16_t *const timer_control = (volatile uint16_t *)0x160;
static volatile uint16_t *const timer_count = (volatile uint16_t *)0x170;

/* Only the interrupt in start.S changes it while the timer runs. */
volatile uint16_t timer_high;
static uint32_t overhead;

static void put(char c)
{
    *port_out = (uint8_t)((*port_out ^ 0x80U) & 0x80U) | (uint8_t)c;
}

static void put_text(const char *text)
{
    while (*text != '\0')
        put(*text++);
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
static uint32_t ticks(void)
{
    uint16_t high, count;

    do {
        high = timer_high;
        count = *timer_count;
    } while (high != timer_high);
    return (uint32_t)high << 16 | count;
}

static uint32_t cycles_of(void (*work)(void *context))
{
    *timer_control = CLEAR;
    timer_high = 0;
    *timer_control = SMCLK_BY_8_CONTINUOUS_WITH_INTERRUPT;
    work(NULL);
    return ticks() * CYCLES_PER_TICK;
}

static void nothing(void *context)
{
    (void)context;
}

void cost_begin(void)
{
    *port_direction = 0xff;
    __asm__ volatile("eint");
    overhead = cycles_of(nothing);
}

void cost_measure(const char *label, void (*work)(void *context))
{
    cost_print(label, cycles_of(work) - overhead);
}

void cost_print(const char *label, uint32_t number)
{
    put_text(label);
    put('\t');
    put_number(number);
    put('\n');
}

void cost_fail(const char *what)
{
    put_text("evaluate: ");
    put_text(what);
    put('\n');
    cost_end();
    for (;;)
        ;
}

/* The simulator stops here (run.sh). */
__attribute__((noinline)) void cost_end(void)
{
    __asm__ volatile("nop");
}
