/*
 * The way to the mirror, one hop: UDP, IPv6 link-local, optionally ESP, 6LoWPAN, 802.15.4. Packets
 * lie on the stack while they are sent, so that waiting costs no RAM: the radio's driver returns
 * when the chip has been acknowledged or has given up.
 */
#ifndef MOTE_PORTS_CORTEX_M_LINK_H
#define MOTE_PORTS_CORTEX_M_LINK_H

#include "mote/port/wire.h"
#include "mote/sixlowpan.h"

/* LINK_PACKET_MAX: a block of 256 octets under CoAP, UDP, IPv6 and ESP. */
enum {
    LINK_PAN = 0xabcd,
    LINK_PORT = 5683,
    LINK_PACKET_MAX = 416,
    LINK_SINGLE_MAX = 192,
    LINK_SLOTS = 1,
    LINK_REPETITION_MS = 5000 /* later the same number is another frame's: there are 256 */
};

/* One frame (PSDU without FCS) out. The chip does CSMA, acknowledges and repeats. 0 or MOTE_E_IO.
 */
struct frame_radio {
    int (*transmit)(void *context, const uint8_t *psdu, size_t len);
    void *context;
};

/* Protects packets, each within `out`: the new length or an error. */
struct link_guard {
    const struct lowpan_nhc *nhc; /* its header's compressed form */
    int (*seal)(void *context, const uint8_t *packet, size_t len, uint8_t *out, size_t size);
    int (*open)(void *context, const uint8_t *packet, size_t len, uint8_t *out, size_t size);
    void *context;
};

struct link {
    const struct frame_radio *radio;
    const struct link_guard *guard; /* NULL: none; else nothing unprotected comes or goes */
    struct link_address own;
    struct link_address peer;
    struct ipv6_address own_ip;
    struct ipv6_address peer_ip;
    struct lowpan lowpan;
    struct lowpan_slot slots[LINK_SLOTS];
    uint8_t datagrams[LINK_SLOTS][LINK_PACKET_MAX];
    uint8_t single[LINK_SINGLE_MAX];
    struct lowpan_receiver receiver;
    uint16_t tag;
    uint8_t seq;
    uint8_t heard_seq;
    bool heard;
    uint32_t heard_at; /* ms, may wrap */
};

/* Both sides by EUI-64. `first` is random: frames and fragments are counted from there. */
void link_init(struct link *link, const struct frame_radio *radio, const struct link_guard *guard,
               const uint8_t own[EUI64_SIZE], const uint8_t peer[EUI64_SIZE], uint16_t first);

struct wire link_wire(struct link *link);

/*
 * Takes a frame from the air; the length of the datagram from the mirror that is now whole, else
 * 0. `datagram` then leads to it, until the next call.
 */
size_t link_receive(struct link *link, const uint8_t *psdu, size_t len, uint32_t now,
                    const uint8_t **datagram);

#endif
