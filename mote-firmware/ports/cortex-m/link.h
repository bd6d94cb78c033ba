/*
 * The link to the mirror over one hop: UDP, IPv6 link-local, optionally ESP, 6LoWPAN, 802.15.4. A
 * packet is on the stack while it is sent, so it needs no static RAM: the radio driver returns when
 * the frame is acknowledged or has failed.
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
    LINK_REPETITION_MS = 5000 /* for duplicates: there are only 256 sequence numbers */
};

/* Transmits one PSDU without FCS. The radio does CSMA, acknowledgements and retransmissions. 0 or
 * MOTE_E_IO. */
struct frame_radio {
    int (*transmit)(void *context, const uint8_t *psdu, size_t len);
    void *context;
};

/* Protects packets. seal and open write to `out` and return the new length or an error. */
struct link_guard {
    const struct lowpan_nhc *nhc; /* the compressed form of its header */
    int (*seal)(void *context, const uint8_t *packet, size_t len, uint8_t *out, size_t size);
    int (*open)(void *context, const uint8_t *packet, size_t len, uint8_t *out, size_t size);
    void *context;
};

struct link {
    const struct frame_radio *radio;
    const struct link_guard *guard; /* protects all packets; NULL: none */
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

/* `own` and `peer` are EUI-64s. `first` is the first frame and datagram number and should be
 * random. */
void link_init(struct link *link, const struct frame_radio *radio, const struct link_guard *guard,
               const uint8_t own[EUI64_SIZE], const uint8_t peer[EUI64_SIZE], uint16_t first);

struct wire link_wire(struct link *link);

/* Takes a received frame. Returns the length of the mirror's datagram that it completes, in
 * `datagram` until the next call; else 0. */
size_t link_receive(struct link *link, const uint8_t *psdu, size_t len, uint32_t now,
                    const uint8_t **datagram);

#endif
