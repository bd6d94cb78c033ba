/* Instructions and stack of a call, on the emulated processor. */
#ifndef MOTE_PORTS_CORTEX_M_MEASURE_H
#define MOTE_PORTS_CORTEX_M_MEASURE_H

#include <stdint.h>

struct measure {
    double instructions; /* without those of calling */
    uint32_t stack;      /* octets below the caller's frame */
};

/*
 * The emulator lets each instruction take the same virtual time (run.sh); how many ticks of the
 * board's counter that is, and what an empty measurement costs, is found with loops of known
 * length. -1 when two such loops disagree: then the counter does not count instructions.
 */
struct meter {
    double ticks_per_instruction;
    double overhead; /* ticks */
};
int meter_calibrate(struct meter *meter);

struct measure measure_call(const struct meter *meter, void (*work)(void *context), void *context);

#endif
