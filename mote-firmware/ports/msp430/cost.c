/*
 * Costs are cycles of an MSP430F1611, counted by Timer A in steps of 8. The timer's interrupt takes
 * less than 0.01 % of the time. Characters leave through port 1: its lowest seven bits are a
 * character, and the highest bit changes with each (run.sh).
 */
#include "cost.h"

#include "cost_cycles.h"

enum { SMCLK_BY_8_CONTINUOUS_WITH_INTERRUPT = 0x02e2, CLEAR = 4 };

static volatile uint8_t *const port_out = (volatile uint8_t *)0x21;
static volatile uint8_t *const port_direction = (volatile uint8_t *)0x22;
static volatile uint16_t *const timer_control = (volatile uint16_t *)0x160;
static volatile uint16_t *const timer_count = (volatile uint16_t *)0x170;

/* The interrupt is in start.S. */
volatile uint16_t cost_timer_wraps;

void cost_put(char c)
{
    *port_out = (uint8_t)((*port_out ^ 0x80U) & 0x80U) | (uint8_t)c;
}

void cost_start_timer(void)
{
    *timer_control = CLEAR;
    cost_timer_wraps = 0;
    *timer_control = SMCLK_BY_8_CONTINUOUS_WITH_INTERRUPT;
}

uint16_t cost_timer(void)
{
    return *timer_count;
}

void cost_start_processor(void)
{
    *port_direction = 0xff;
    __asm__ volatile("eint");
}

/* The simulator stops here (run.sh). */
__attribute__((noinline)) void cost_end(void)
{
    __asm__ volatile("nop");
}
