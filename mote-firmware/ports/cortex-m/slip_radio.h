/*
 * A radio behind the serial line: Contiki-NG's slip-radio, which does CSMA, acknowledges and
 * repeats. "!S" sends a PSDU, "!R" reports what became of it, everything else is a frame heard.
 */
#ifndef MOTE_PORTS_CORTEX_M_SLIP_RADIO_H
#define MOTE_PORTS_CORTEX_M_SLIP_RADIO_H

#include "link.h"

enum { SLIP_FRAME_MAX = 128, SLIP_REPORT_MS = 500 };

struct slip_radio {
    uint8_t in[SLIP_FRAME_MAX]; /* what comes, unescaped, up to `in_len` */
    size_t in_len;
    bool escaped;
    uint8_t heard[SLIP_FRAME_MAX]; /* the newest whole frame not yet taken */
    size_t heard_len;
    uint8_t session; /* of the command under way */
    int reported;    /* its status; -1: none yet */
};

struct frame_radio slip_radio(struct slip_radio *slip);

/* Takes in what the line has brought; the frame heard, 0 if none. `psdu` leads into the state until
 * the next call. */
size_t slip_radio_receive(struct slip_radio *slip, const uint8_t **psdu);

#endif
