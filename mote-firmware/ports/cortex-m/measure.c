#include "measure.h"

#include "board.h"

enum { PAINTED = 24 * 1024, UNPAINTED = 64 };
#define PAINT 0xa5c3f00dU

/* Two instructions per iteration. */
static void turns(void *context)
{
    uint32_t n = *(const uint32_t *)context;

    __asm__ volatile("1: subs %0, #1\n bne 1b" : "+r"(n) : : "cc");
}

static void nothing(void *context)
{
    (void)context;
}

__attribute__((noinline)) static uint32_t ticks_of(void (*work)(void *context), void *context)
{
    uint32_t before;

    counter_start();
    before = counter_read();
    work(context);
    return before - counter_read();
}

int meter_calibrate(struct meter *meter)
{
    uint32_t some = 100000, more = 1000000;
    double a = ticks_of(turns, &some), b = ticks_of(turns, &more);
    double seen;

    meter->overhead = ticks_of(nothing, NULL);
    meter->ticks_per_instruction = (b - a) / (2.0 * (more - some));
    if (meter->ticks_per_instruction <= 0)
        return -1;
    seen = (a - meter->overhead) / meter->ticks_per_instruction / (2.0 * some);
    return seen > 0.999 && seen < 1.001 ? 0 : -1;
}

static uint32_t *stack_pointer(void)
{
    uint32_t *pointer;

    __asm__ volatile("mov %0, sp" : "=r"(pointer));
    return pointer;
}

/* Fills the octets below the stack. It calls no function, so it has no stack frame there. */
__attribute__((noinline)) static void paint(volatile uint32_t *low, volatile uint32_t *high)
{
    while (high > low)
        *--high = PAINT;
}

struct measure measure_call(const struct meter *meter, void (*work)(void *context), void *context)
{
    uint32_t *top = stack_pointer();
    uint32_t *low = top - PAINTED / sizeof *top;
    const uint32_t *at = low;
    uint32_t ticks;

    paint(low, top - UNPAINTED / sizeof *top);
    ticks = ticks_of(work, context);
    while (at < top && *at == PAINT)
        at++;
    return (struct measure){.instructions =
                                (ticks - meter->overhead) / meter->ticks_per_instruction,
                            .stack = (uint32_t)(top - at) * (uint32_t)sizeof *top};
}
