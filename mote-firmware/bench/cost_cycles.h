/*
 * The parts of cost_cycles.c that each processor has: a 16-bit timer that counts in steps, and an
 * output for characters.
 */
#ifndef MOTE_BENCH_COST_CYCLES_H
#define MOTE_BENCH_COST_CYCLES_H

#include <stdint.h>

enum { CYCLES_PER_TICK = 8 };

/* How often the timer has wrapped; only its interrupt changes it while the timer runs. */
extern volatile uint16_t cost_timer_wraps;

/* Prepares the output and enables the timer's interrupt. */
void cost_start_processor(void);

/* The timer begins at 0, without wraps. */
void cost_start_timer(void);
uint16_t cost_timer(void);

void cost_put(char c);

#endif
