/*
 * Costs are cycles of an ATmega2560, counted by its timer 1 in steps of 8. The timer's interrupt
 * takes less than 0.02 % of the time.
 */
#include "cost.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "cost_cycles.h"

volatile uint16_t cost_timer_wraps;

ISR(TIMER1_OVF_vect)
{
    cost_timer_wraps++;
}

/* The simulator prints no tabs (run.sh). */
void cost_put(char c)
{
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    UDR0 = (uint8_t)(c == '\t' ? '|' : c);
}

void cost_start_timer(void)
{
    TCCR1B = 0;
    TCNT1 = 0;
    TIFR1 = _BV(TOV1);
    cost_timer_wraps = 0;
    TCCR1B = _BV(CS11);
}

uint16_t cost_timer(void)
{
    return TCNT1;
}

void cost_start_processor(void)
{
    UCSR0A = _BV(U2X0);
    UBRR0 = 0;
    UCSR0B = _BV(TXEN0);
    TIMSK1 = _BV(TOIE1);
    sei();
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
