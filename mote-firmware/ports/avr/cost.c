/*
 * Costs are cycles of an ATmega2560, counted by its timer 1 in steps of 8. The timer's interrupt
 * takes less than 0.02 % of the time.
 */
#include "cost.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdbool.h>
#include <stddef.h>

enum { CYCLES_PER_TICK = 8 };

static struct {
    volatile uint16_t wraps; /* only the interrupt changes it while the timer runs */
    uint32_t overhead;
} counter;

ISR(TIMER1_OVF_vect)
{
    counter.wraps++;
}

/* The simulator prints no tabs (run.sh). */
static void put(char c)
{
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    UDR0 = (uint8_t)(c == '\t' ? '|' : c);
}

static void put_text(const char *text)
{
    while (*text != '\0')
        put(*text++);
}

static void put_number(uint32_t number)
{
    char digits[11] = {0};
    uint8_t at = sizeof digits - 1;

    do
        digits[--at] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    put_text(digits + at);
}

/* Reads again if the timer wraps meanwhile. */
static uint32_t ticks(void)
{
    uint16_t wraps, count;

    do {
        wraps = counter.wraps;
        count = TCNT1;
    } while (wraps != counter.wraps);
    return (uint32_t)wraps << 16 | count;
}

static uint32_t cycles_of(void (*work)(void *context))
{
    TCCR1B = 0;
    TCNT1 = 0;
    TIFR1 = _BV(TOV1);
    counter.wraps = 0;
    TCCR1B = _BV(CS11);
    work(NULL);
    return ticks() * CYCLES_PER_TICK;
}

static void nothing(void *context)
{
    (void)context;
}

void cost_begin(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
    TIMSK1 = _BV(TOIE1);
    sei();
    counter.overhead = cycles_of(nothing);
}

void cost_measure(const char *label, void (*work)(void *context))
{
    cost_print(label, cycles_of(work) - counter.overhead);
}

void cost_print(const char *label, uint32_t number)
{
    put_text(label);
    put('\t');
    put_number(number);
    put('\n');
}

void cost_fail(const char *what)
{
    put_text("evaluate: ");
    put_text(what);
    put('\n');
    cost_end();
    for (;;)
        ;
}

/* The simulator ends when the processor sleeps without interrupts. */
void cost_end(void)
{
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    cli();
    sleep_enable();
    sleep_cpu();
}
