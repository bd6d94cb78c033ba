/*
 * The MAC of IEEE 802.15.4-2020: acknowledgements and retransmission (section 6.7.4), duplicate
 * detection, and the random backoff of unslotted CSMA-CA (6.2.5.1) without carrier sense, because
 * the ether simulates the airtime.
 */
#ifndef MOTE_PORTS_POSIX_MAC_H
#define MOTE_PORTS_POSIX_MAC_H

#include "zep.h"

enum {
    MAC_PAN = 0xabcd,
    MAC_TRANSMISSIONS = 4, /* the first and macMaxFrameRetries */
    /* Longer than the standard's 864 microseconds: a process waits for its scheduler. The gateway's
     * virtual radio waits as long. With half of this time, packets were lost over six hops on a
     * busy machine. */
    MAC_ACK_WAIT_MS = 100,
    MAC_BACKOFF_MIN = 3, /* macMinBe, macMaxBe */
    MAC_BACKOFF_MAX = 5,
    MAC_REPETITION_MS = 5000 /* for duplicates: there are only 256 sequence numbers */
};

/*
 * IDLE: no frame. mac_send -> BACKOFF.
 * BACKOFF: at `at` the frame is transmitted -> WAIT_ACK; a broadcast -> DONE.
 * WAIT_ACK: an acknowledgement with its sequence number -> DONE; at `at` -> BACKOFF, or after the
 * last transmission -> FAILED. DONE, FAILED: until the caller calls mac_idle -> IDLE.
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
    struct link_address heard; /* sender of the last unsecured frame, numbered heard_seq */
    uint8_t heard_seq;
    uint64_t heard_at; /* ms */
};

void mac_init(struct mac *mac, struct zep *zep, const struct random *random);

/* The most octets of payload in one frame to `dst`. */
size_t mac_payload_max(const struct mac *mac, const struct link_address *dst);

/* Starts the transmission of a data frame. MOTE_E_STATE unless idle, MOTE_E_SPACE if it is too
 * long. */
int mac_send(struct mac *mac, const struct link_address *dst, const uint8_t *payload, size_t len,
             uint64_t now);

/* Starts the transmission of a complete PSDU without FCS. MOTE_E_STATE unless idle, MOTE_E_SPACE if
 * too long, or an error of frame_parse. */
int mac_send_psdu(struct mac *mac, const uint8_t *psdu, size_t len, uint64_t now);

/* Handles time-outs. Returns the time of the next call; UINT64_MAX: none. */
uint64_t mac_tick(struct mac *mac, uint64_t now);
void mac_idle(struct mac *mac);

/*
 * Takes a received frame: acknowledges it, or handles an acknowledgement. True if `psdu` has a new
 * payload for this node. The frame counter detects duplicates of secured frames: their sequence
 * number is not authenticated, so an attacker could use it to suppress a neighbour's frame.
 */
bool mac_receive(struct mac *mac, uint8_t *psdu, size_t len, struct frame *frame, uint64_t now);

#endif
