/*
 * What a radio chip and its driver do: acknowledge, wait for acknowledgements and repeat, leave
 * repetitions out (IEEE 802.15.4-2020, 6.7.4; unslotted CSMA-CA, 6.2.5.1, without a carrier to
 * sense: the ether plays the airtime).
 */
#ifndef MOTE_PORTS_POSIX_MAC_H
#define MOTE_PORTS_POSIX_MAC_H

#include "zep.h"

enum {
    MAC_PAN = 0xabcd,
    MAC_TRANSMISSIONS = 4, /* the first and macMaxFrameRetries */
    /* The standard's 864 microseconds are for chips; a process waits for a scheduler. */
    MAC_ACK_WAIT_MS = 50,
    MAC_BACKOFF_MIN = 3, /* macMinBe, macMaxBe */
    MAC_BACKOFF_MAX = 5,
    MAC_REPETITION_MS = 5000 /* later the same number is another frame's: there are 256 */
};

/*
 * IDLE: no frame. mac_send leads to BACKOFF.
 * BACKOFF: until `at`; then the frame goes out and leads to WAIT_ACK, a broadcast to DONE.
 * WAIT_ACK: the acknowledgement with its sequence number leads to DONE; `at` leads to BACKOFF, or
 *   after the last transmission to FAILED.
 * DONE, FAILED: until the caller has taken note with mac_idle.
 */
enum mac_state { MAC_IDLE, MAC_BACKOFF, MAC_WAIT_ACK, MAC_DONE, MAC_FAILED };

struct mac {
    struct zep *zep;
    struct link_address own;
    const struct random *random;
    enum mac_state state;
    uint8_t psdu[FRAME_MAX];
    size_t len;
    uint8_t seq;
    bool wants_ack;
    unsigned transmissions;
    uint64_t at;               /* ms */
    struct link_address heard; /* whose last unsecured frame had the sequence number heard_seq */
    uint8_t heard_seq;
    uint64_t heard_at; /* ms */
};

void mac_init(struct mac *mac, struct zep *zep, const struct random *random);

/* Octets of payload that one frame to `dst` takes. */
size_t mac_room(const struct mac *mac, const struct link_address *dst);

/* Begins to send; MOTE_E_STATE unless idle, MOTE_E_SPACE if too long. */
int mac_send(struct mac *mac, const struct link_address *dst, const uint8_t *payload, size_t len,
             uint64_t now);

/* The same for a whole PSDU without FCS, whose header says its number and whether it is to be
 * acknowledged. MOTE_E_STATE unless idle, MOTE_E_SPACE if too long, or why it is no frame. */
int mac_send_psdu(struct mac *mac, const uint8_t *psdu, size_t len, uint64_t now);

/* Time has passed; when it wants to be called again, UINT64_MAX: never. */
uint64_t mac_tick(struct mac *mac, uint64_t now);
void mac_idle(struct mac *mac);

/*
 * Takes a frame from the air: acknowledges it, notes acknowledgements. True if it brings a new
 * payload for us, which then lies in `psdu`. Of secured frames only the frame counter tells
 * repetitions: nobody vouches for a sequence number, and a stranger who sends one first would
 * silence the neighbour whose turn it is.
 */
bool mac_receive(struct mac *mac, uint8_t *psdu, size_t len, struct frame *frame, uint64_t now);

#endif
