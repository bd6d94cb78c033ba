/* What startup.c leaves to the kind of image: with a debugger behind semihosting, or alone. */
#ifndef MOTE_PORTS_CORTEX_M_STARTUP_H
#define MOTE_PORTS_CORTEX_M_STARTUP_H

void startup_begin(void);
_Noreturn void startup_exit(int status);
_Noreturn void startup_fault(void);
void reset_handler(void);
void systick_handler(void);

#endif
