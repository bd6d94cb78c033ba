/* The devices of mps2-an385 that the images use (Arm CMSDK; registers as in its reference manual).
 */
#ifndef MOTE_PORTS_CORTEX_M_BOARD_H
#define MOTE_PORTS_CORTEX_M_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOARD_HZ = 25000000 };

/* Milliseconds since board_start; board_wait sleeps until the next tick. */
void board_start(void);
uint64_t board_ms(void);
void board_wait(void);

/* The serial line to the radio. */
void serial_write(uint8_t octet);
bool serial_read(uint8_t *octet);

/* LED0. */
void board_led(bool on);

/* A counter that decrements at BOARD_HZ. */
void counter_start(void);
uint32_t counter_read(void);

#endif
