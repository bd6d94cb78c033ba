#include "slip_radio.h"

#include <string.h>

#include "board.h"

enum { END = 0xc0, ESC = 0xdb, ESC_END = 0xdc, ESC_ESC = 0xdd, SESSIONS = 0x7f };

static void put(uint8_t octet)
{
    if (octet == END || octet == ESC) {
        serial_write(ESC);
        octet = octet == END ? ESC_END : ESC_ESC;
    }
    serial_write(octet);
}

static void frame_done(struct slip_radio *slip)
{
    const uint8_t *in = slip->in;

    if (slip->in_len >= 4 && in[0] == '!' && in[1] == 'R') {
        if (in[2] == slip->session)
            slip->reported = in[3];
    } else if (slip->in_len >= 3 && in[0] != '!' && in[0] != '?' && in[0] != 'E' && in[0] != '\r') {
        memcpy(slip->heard, in, slip->in_len);
        slip->heard_len = slip->in_len;
    }
    slip->in_len = 0;
}

static void take(struct slip_radio *slip, uint8_t octet)
{
    if (octet == END) {
        frame_done(slip);
        slip->escaped = false;
        return;
    }
    if (octet == ESC) {
        slip->escaped = true;
        return;
    }
    if (slip->escaped)
        octet = octet == ESC_END ? END : ESC;
    slip->escaped = false;
    if (slip->in_len < sizeof slip->in)
        slip->in[slip->in_len++] = octet;
}

static void drain(struct slip_radio *slip)
{
    uint8_t octet;

    while (serial_read(&octet))
        take(slip, octet);
}

static int transmit(void *context, const uint8_t *psdu, size_t len)
{
    struct slip_radio *slip = context;
    uint64_t until = board_ms() + SLIP_REPORT_MS;

    slip->session = (uint8_t)((slip->session + 1) & SESSIONS);
    slip->reported = -1;
    serial_write(END);
    put('!');
    put('S');
    put(slip->session);
    put(0); /* no attributes */
    for (size_t i = 0; i < len; i++)
        put(psdu[i]);
    serial_write(END);
    while (slip->reported < 0 && board_ms() < until)
        drain(slip);
    return slip->reported == 0 ? MOTE_OK : MOTE_E_IO;
}

struct frame_radio slip_radio(struct slip_radio *slip)
{
    return (struct frame_radio){.transmit = transmit, .context = slip};
}

size_t slip_radio_receive(struct slip_radio *slip, const uint8_t **psdu)
{
    size_t len;

    drain(slip);
    len = slip->heard_len;
    slip->heard_len = 0;
    *psdu = slip->heard;
    return len;
}
