/* Measures instructions and stack of a call on the emulated processor. */
#ifndef MOTE_PORTS_CORTEX_M_MEASURE_H
#define MOTE_PORTS_CORTEX_M_MEASURE_H

#include <stdint.h>

struct measure {
    double instructions; /* without the instructions of the call */
    uint32_t stack;      /* octets below the caller's frame */
};

/*
 * Each instruction takes the same virtual time in the emulator (run.sh). Loops of known length
 * determine its ticks of the board's counter, and the overhead of a measurement. -1 if two loops
 * disagree, because then the counter does not count instructions.
 */
struct meter {
    double ticks_per_instruction;
    double overhead; /* ticks */
};
int meter_calibrate(struct meter *meter);

struct measure measure_call(const struct meter *meter, void (*work)(void *context), void *context);

#endif
