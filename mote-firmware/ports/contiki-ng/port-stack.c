/*
 * More stack for a cc2538: signing takes 4.5 KB (docs/mote-firmware-benchmarks.md), but Contiki-NG
 * reserves only 2 KB at the end of its .stack section. This array is placed before that stack,
 * because objects are linked in the order of their names and this one precedes startup-gcc.
 * tests/contiki.sh checks the order.
 */
#include "contiki-port.h"

#if MOTE_ON_CC2538
enum { MORE_STACK = MOTE_CONF_STACK };

#define PAINT UINT64_C(0x7e57ac4e7e57ac4e)

/* Not static, so that the map shows it. */
uint64_t port_more_stack[MORE_STACK / sizeof(uint64_t)] __attribute__((section(".stack")));

void port_stack_paint(void)
{
    volatile uint64_t *at = port_more_stack;

    for (size_t i = 0; i < MORE_STACK / sizeof *at; i++)
        at[i] = PAINT;
}

size_t port_stack_unused(void)
{
    volatile const uint64_t *at = port_more_stack;
    size_t i = 0;

    while (i < MORE_STACK / sizeof *at && at[i] == PAINT)
        i++;
    return i * sizeof *at;
}
#endif
