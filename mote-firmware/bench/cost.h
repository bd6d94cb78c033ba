/* The measuring of calls on one processor, for evaluate.c. Each port has its own. */
#ifndef MOTE_BENCH_COST_H
#define MOTE_BENCH_COST_H

#include <stdint.h>

void cost_begin(void);

/* Calls `work` and prints the label, a tab and the cost of the call. */
void cost_measure(const char *label, void (*work)(void *context));

/* Prints a number that is not a cost. */
void cost_print(const char *label, uint32_t number);

/* Prints the reason and ends the program. */
_Noreturn void cost_fail(const char *what);

/* Ends the output. */
void cost_end(void);

#endif
