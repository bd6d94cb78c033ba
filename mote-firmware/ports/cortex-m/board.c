#include "board.h"

#include "startup.h"

static volatile uint32_t *reg(uintptr_t address)
{
    return (volatile uint32_t *)address;
}

enum {
    UART_DATA = 0x40004000,
    UART_STATE = 0x40004004,
    UART_CONTROL = 0x40004008,
    UART_DIVIDER = 0x40004010,
    TX_FULL = 1,
    RX_FULL = 2,
    TX_AND_RX = 3,
    BAUD = 115200,
    FPGAIO_LED = 0x40028000,

    TIMER_CONTROL = 0x40000000,
    TIMER_VALUE = 0x40000004,
    TIMER_RELOAD = 0x40000008
};
#define SYST_CSR 0xE000E010U
#define SYST_RVR 0xE000E014U
#define SYST_CVR 0xE000E018U

/* Only the handler changes it. */
static volatile uint32_t milliseconds;
static uint32_t last, wraps;

void systick_handler(void)
{
    milliseconds++;
}

void board_start(void)
{
    *reg(UART_DIVIDER) = BOARD_HZ / BAUD;
    *reg(UART_CONTROL) = TX_AND_RX;
    *reg(SYST_RVR) = BOARD_HZ / 1000 - 1;
    *reg(SYST_CVR) = 0;
    *reg(SYST_CSR) = 7; /* processor clock, interrupt, on */
}

uint64_t board_ms(void)
{
    uint32_t now = milliseconds;

    wraps += now < last;
    last = now;
    return (uint64_t)wraps << 32 | now;
}

void board_wait(void)
{
    __asm__ volatile("wfi");
}

void serial_write(uint8_t octet)
{
    while (*reg(UART_STATE) & TX_FULL)
        ;
    *reg(UART_DATA) = octet;
}

bool serial_read(uint8_t *octet)
{
    if (!(*reg(UART_STATE) & RX_FULL))
        return false;
    *octet = (uint8_t)*reg(UART_DATA);
    return true;
}

void board_led(bool on)
{
    *reg(FPGAIO_LED) = on;
}

void counter_start(void)
{
    *reg(TIMER_CONTROL) = 0;
    *reg(TIMER_RELOAD) = UINT32_MAX;
    *reg(TIMER_VALUE) = UINT32_MAX;
    *reg(TIMER_CONTROL) = 1;
}

uint32_t counter_read(void)
{
    return *reg(TIMER_VALUE);
}
