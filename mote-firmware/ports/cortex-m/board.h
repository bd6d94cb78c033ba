/* The pieces of mps2-an385 that the images use (Arm CMSDK; registers as in its reference manual).
 */
#ifndef MOTE_PORTS_CORTEX_M_BOARD_H
#define MOTE_PORTS_CORTEX_M_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOARD_HZ = 25000000 };

/* Milliseconds since board_start; the processor sleeps in board_wait until the next one. */
void board_start(void);
uint64_t board_ms(void);
void board_wait(void);

/* The serial line towards the radio. */
void serial_write(uint8_t octet);
bool serial_read(uint8_t *octet);

/* The lamp LED0. */
void board_lamp(bool on);

/* A counter that runs down at BOARD_HZ. */
void counter_start(void);
uint32_t counter_read(void);

#endif
