/* Functions that differ between images with semihosting and images that run alone. */
#ifndef MOTE_PORTS_CORTEX_M_STARTUP_H
#define MOTE_PORTS_CORTEX_M_STARTUP_H

void startup_begin(void);
_Noreturn void startup_exit(int status);
_Noreturn void startup_fault(void);
void reset_handler(void);
void systick_handler(void);

#endif
