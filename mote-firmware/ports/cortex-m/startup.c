/* The vector table and the code before main. */
#include <stdint.h>
#include <string.h>

#include "startup.h"

extern uint8_t stack_top[], data_start[], data_end[], bss_start[], bss_end[];
extern const uint8_t data_load[];

int main(void);

void reset_handler(void)
{
    memcpy(data_start, data_load, (size_t)(data_end - data_start));
    memset(bss_start, 0, (size_t)(bss_end - bss_start));
    startup_begin();
    startup_exit(main());
}

/* A fault ends the run with an error; without a debugger the mote loops here until the watchdog
 * resets it. */
static void fault_handler(void)
{
    startup_fault();
}

__attribute__((weak)) void systick_handler(void)
{
}

/* ARMv7-M section B1.5.3: the top of the stack, then the handlers by exception number; 15 is
 * SysTick. */
struct vectors {
    void *stack;
    void (*handlers[15])(void);
};

__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    stack_top,
    {reset_handler, fault_handler, fault_handler, fault_handler, fault_handler, fault_handler, 0, 0,
     0, 0, fault_handler, fault_handler, 0, fault_handler, systick_handler}};
