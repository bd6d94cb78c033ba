/* Images that run alone, without output. */
#include "startup.h"

void startup_begin(void)
{
}

_Noreturn void startup_exit(int status)
{
    (void)status;
    for (;;)
        __asm__ volatile("wfi");
}

_Noreturn void startup_fault(void)
{
    startup_exit(1);
}
