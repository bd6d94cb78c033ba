/*
 * 6LoWPAN: header compression (RFC 6282), fragments (RFC 4944), and the compressed forms of AH and
 * ESP (Raza et al. 2011). Decompressing what was compressed gives the packet back octet for octet.
 */
#ifndef MOTE_SIXLOWPAN_H
#define MOTE_SIXLOWPAN_H

#include "mote/ipv6.h"

/* A shared prefix; entry i of the table is context identifier i. */
struct lowpan_context {
    uint8_t prefix_len; /* bits, 0: not in use */
    uint8_t prefix[16];
    bool compress; /* may be used for sending (RFC 6775 section 4.2), not only for receiving */
};

/* A compressed header of IPsec. What `struct lowpan` does not point at is not linked: it comes
 * as unknown, and goes out as it is. */
struct lowpan_nhc;
extern const struct lowpan_nhc lowpan_nhc_esp;
extern const struct lowpan_nhc lowpan_nhc_ah;

struct lowpan {
    const struct lowpan_context *contexts;
    size_t context_count;         /* at most 16 */
    const struct lowpan_nhc *esp; /* NULL: not known */
    const struct lowpan_nhc *ah;
};

enum {
    LOWPAN_SINGLE_MAX = 256, /* more than a frame holds once its headers are restored */
    LOWPAN_FIRST_MAX = 144,  /* Contiki-NG takes 148 in a first fragment; multiple of 8 */
    LOWPAN_REASSEMBLY_MS = 5000,
    LOWPAN_FRAG1_SIZE = 4,
    LOWPAN_FRAGN_SIZE = 5
};

/*
 * Writes the compressed headers of `packet`, dispatch included, in at most `size` octets, and says
 * in `covered` how many octets of the packet they stand for; the rest of the packet follows
 * unchanged. Headers that do not fit stay as they are. `ipsec` says that the neighbour knows the
 * compressed AH and ESP that we know. Returns the length or an error; MOTE_E_MALFORMED for what is
 * no IPv6 packet.
 */
int lowpan_compress(const struct lowpan *lowpan, const uint8_t *packet, size_t len,
                    const struct link_address *src, const struct link_address *dst, bool ipsec,
                    uint8_t *out, size_t size, size_t *covered);

/*
 * Restores the packet that begins at an IPHC or uncompressed-IPv6 dispatch and continues after
 * the compressed headers with what follows in `data`. `total` is the whole packet's length when a
 * first fragment says so, else 0. Returns the octets written or an error, and in `rest` what is
 * left to do once the packet is whole.
 */
struct lowpan_rest {
    size_t
        checksum_at; /* not 0: the sender left out UDP's checksum, lowpan_fill_checksum makes it */
    bool udp_nhc; /* UDP's header inside the ESP is compressed: for the association's end to undo */
};
int lowpan_decompress(const struct lowpan *lowpan, const uint8_t *data, size_t len,
                      const struct link_address *src, const struct link_address *dst, size_t total,
                      uint8_t *out, size_t size, struct lowpan_rest *rest);
int lowpan_fill_checksum(uint8_t *packet, size_t len, size_t checksum_at);

/* Restores the compressed UDP header that an opened ESP packet's payload begins with (`udp_nhc`).
 * Returns the new length or an error; `out` is not `packet`. */
int lowpan_restore_udp(const uint8_t *packet, size_t len, uint8_t *out, size_t size);

/*
 * One packet on its way out. lowpan_send_start compresses; lowpan_send_next gives one frame
 * payload at a time. `packet` is the caller's and must stay as it is meanwhile.
 */
struct lowpan_sender {
    const uint8_t *packet;
    size_t len;
    size_t sent; /* octets of the packet */
    size_t room; /* payload octets a frame takes */
    uint8_t headers[FRAME_MAX];
    size_t headers_len;
    size_t covered;
    uint16_t tag;
    bool fragmented;
};

/* `room`: what a frame takes beside its header, MIC and FCS. 0 or an error. */
int lowpan_send_start(struct lowpan_sender *sender, const struct lowpan *lowpan,
                      const uint8_t *packet, size_t len, const struct link_address *src,
                      const struct link_address *dst, bool ipsec, size_t room, uint16_t tag);
/* The next frame payload: its length, 0 when all is sent, or an error. */
int lowpan_send_next(struct lowpan_sender *sender, uint8_t *out, size_t size);
/* How many frames the whole packet takes. */
size_t lowpan_send_frames(const struct lowpan_sender *sender);

/* A datagram being put together. Each set bit of `units` is eight octets that have arrived. */
struct lowpan_slot {
    bool used;
    struct link_address src;
    struct link_address dst;
    uint16_t tag;
    uint16_t size;
    uint16_t received;
    uint16_t checksum_at;
    bool udp_nhc;
    uint32_t started;
    uint8_t units[IPV6_MTU / 8 / 8];
    uint8_t *packet;
    size_t capacity; /* a longer datagram is not put together */
};

/* Slots and octets are the caller's. */
struct lowpan_receiver {
    struct lowpan_slot *slots;
    size_t slot_count;
    uint8_t *single; /* a packet of one frame, or what a first fragment holds */
    size_t single_size;
};

/* `octets` has `each` for every slot, at most IPV6_MTU. */
void lowpan_receiver_init(struct lowpan_receiver *receiver, struct lowpan_slot *slots,
                          size_t slot_count, uint8_t *octets, size_t each, uint8_t *single,
                          size_t single_size);

/* `data` NULL: nothing complete yet. It lies in the receiver's octets, the caller's to write to,
 * until the next call. */
struct lowpan_packet {
    uint8_t *data;
    size_t len;
    struct link_address src; /* of the 6LoWPAN source: the originator under a mesh header */
    struct link_address dst;
    bool udp_nhc; /* as in struct lowpan_rest */
};

/*
 * Takes one frame payload at `now` (ms, may wrap). 0 and perhaps a packet, or why it was dropped:
 * MOTE_E_SPACE when no slot is free, MOTE_E_MALFORMED also for fragments that contradict each
 * other (then the whole datagram is forgotten).
 */
int lowpan_receive(struct lowpan_receiver *receiver, const struct lowpan *lowpan,
                   const uint8_t *data, size_t len, const struct link_address *src,
                   const struct link_address *dst, uint32_t now, struct lowpan_packet *packet);

#endif
