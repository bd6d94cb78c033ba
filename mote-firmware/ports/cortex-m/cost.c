/* Costs are instructions. */
#include "cost.h"

#include <stdio.h>
#include <stdlib.h>

#include "measure.h"

static struct meter meter;

void cost_begin(void)
{
    if (meter_calibrate(&meter) != 0)
        cost_fail("the board's counter does not count instructions: run it with run.sh");
}

void cost_measure(const char *label, void (*work)(void *context))
{
    printf("%s\t%.0f\n", label, measure_call(&meter, work, NULL).instructions);
}

void cost_print(const char *label, uint32_t number)
{
    printf("%s\t%u\n", label, (unsigned)number);
}

void cost_fail(const char *what)
{
    printf("evaluate: %s\n", what);
    exit(EXIT_FAILURE);
}

void cost_end(void)
{
}
