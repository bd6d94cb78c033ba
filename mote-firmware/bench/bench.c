/*
 * Measures the core's operations on this machine. Each is repeated for a fifth of a second, three
 * times; the median is printed. The figures compare versions of this code, not motes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "operations.h"

enum { RUNS = 3 };
#define RUN_NS 200000000.0

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double measure(struct bench *b, void (*work)(struct bench *b))
{
    double start = now_ns(), end;
    long count = 0;
    do {
        work(b);
        count++;
        end = now_ns();
    } while (end - start < RUN_NS);
    return (end - start) / (double)count;
}

static int by_value(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void report(struct bench *b, const struct operation *operation)
{
    double runs[RUNS];
    for (int i = 0; i < RUNS; i++)
        runs[i] = measure(b, operation->work);
    qsort(runs, RUNS, sizeof runs[0], by_value);
    printf("%-52s %12.0f ns\n", operation->name, runs[RUNS / 2]);
}

int main(void)
{
    static struct bench b;
    bearssl_p256(&b.p256, &br_ec_p256_m31);
    bench_prepare(&b);
    printf("UDP payload %d octets, BearSSL constant-time AES and P-256 (m31)\n", BENCH_PAYLOAD);
    for (size_t i = 0; i < OPERATIONS; i++)
        report(&b, &operations[i]);
    return 0;
}
