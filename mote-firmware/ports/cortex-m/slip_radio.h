/*
 * A radio on the serial line: Contiki-NG's slip-radio, which does CSMA, acknowledgements and
 * retransmissions. "!S" sends a PSDU, "!R" reports the result, any other message is a received
 * frame.
 */
#ifndef MOTE_PORTS_CORTEX_M_SLIP_RADIO_H
#define MOTE_PORTS_CORTEX_M_SLIP_RADIO_H

#include "link.h"

enum { SLIP_FRAME_MAX = 128, SLIP_REPORT_MS = 500 };

struct slip_radio {
    uint8_t in[SLIP_FRAME_MAX]; /* received octets, unescaped */
    size_t in_len;
    bool escaped;
    uint8_t heard[SLIP_FRAME_MAX]; /* the last received frame, until it is taken */
    size_t heard_len;
    uint8_t session; /* of the command under way */
    int reported;    /* its status; -1: none yet */
};

struct frame_radio slip_radio(struct slip_radio *slip);

/* Reads the serial line. Returns the length of a received frame, 0 if there is none; `psdu` is
 * valid until the next call. */
size_t slip_radio_receive(struct slip_radio *slip, const uint8_t **psdu);

#endif
