/* Images with files and output through the emulator (newlib's rdimon), for tests and benchmarks. */
#include <stdlib.h>

#include "startup.h"

void initialise_monitor_handles(void);

void startup_begin(void)
{
    initialise_monitor_handles();
}

_Noreturn void startup_exit(int status)
{
    exit(status);
}

_Noreturn void startup_fault(void)
{
    static const char message[] = "fault: the processor stopped this image\n";
    register int operation __asm__("r0") = 4; /* SYS_WRITE0 */
    register const char *text __asm__("r1") = message;
    __asm__ volatile("bkpt 0xab" : "+r"(operation) : "r"(text) : "memory");
    _Exit(EXIT_FAILURE);
}

/* Called by newlib's exit; crti.o, which defines it, is not linked. */
void _fini(void);
void _fini(void)
{
}
