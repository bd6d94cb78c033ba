/*
 * 6LoWPAN: header compression (RFC 6282), fragmentation (RFC 4944), and compressed AH and ESP (Raza
 * et al. 2011; docs/protocol.md section 9). Compression is lossless: every packet is restored octet
 * for octet.
 */
#ifndef MOTE_SIXLOWPAN_H
#define MOTE_SIXLOWPAN_H

#include "mote/base.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"

/* A prefix shared by the network; entry i of the table has context identifier i. */
struct lowpan_context {
    uint8_t prefix_len; /* bits, 0: not in use */
    uint8_t prefix[16];
    bool compress; /* use it for compression too (RFC 6775 section 4.2), not only decompression */
};

/* The compressed form of an IPsec header. If `struct lowpan` does not point at a form, it is not
 * linked: received headers in this form are refused, and own headers are sent uncompressed. */
struct lowpan_nhc;
extern const struct lowpan_nhc lowpan_nhc_esp;
extern const struct lowpan_nhc lowpan_nhc_ah;

struct lowpan {
    const struct lowpan_context *contexts;
    size_t context_count;         /* at most 16 */
    const struct lowpan_nhc *esp; /* NULL: not supported */
    const struct lowpan_nhc *ah;  /* NULL: not supported */
};

/*
 * Sets the forms of a node that can restore elided sequence numbers (ipsec_restore_sequence). They
 * read AH and ESP with whole and with elided numbers, and write the low 1 or 2 octets of the number
 * of AH or ESP, or the whole number (0). Only the receiver that holds the association can restore
 * the other octets, so a number may be elided only if its packet ends at the neighbour.
 */
void lowpan_elide(struct lowpan *lowpan, size_t low_ah, size_t low_esp);

/*
 * The octets of a source route on top of the IPv6 MTU. The small endpoint gets no fragments of
 * hosts and sets 0.
 */
#ifndef LOWPAN_ROUTE_MAX
#define LOWPAN_ROUTE_MAX 128
#endif

/* Properties of a packet's compressed form. */
enum {
    LOWPAN_IPSEC_NHC = 1, /* AH or ESP was compressed: the neighbour supports these forms */
    LOWPAN_LOW_1 = 2,     /* the outermost AH or ESP has only its number's low octet */
    LOWPAN_LOW_2 = 4      /* only the low two octets */
};

enum {
    LOWPAN_FRAME_MAX = 127,  /* aMaxPhyPacketSize of IEEE 802.15.4 */
    LOWPAN_SINGLE_MAX = 256, /* more than a decompressed packet of one frame needs */
    /* A reassembled datagram: a packet of the IPv6 MTU with a source route. */
    LOWPAN_DATAGRAM_MAX = IPV6_MTU + LOWPAN_ROUTE_MAX,
    LOWPAN_FIRST_MAX = 144, /* in a first fragment: a multiple of 8, and Contiki-NG accepts 148 */
    LOWPAN_REASSEMBLY_MS = 5000,
    LOWPAN_FRAG1_SIZE = 4,
    LOWPAN_FRAGN_SIZE = 5
};

/*
 * Writes the compressed headers of `packet`, dispatch included, in at most `size` octets. They
 * replace the first `covered` octets of the packet; the rest follows uncompressed. Headers that do
 * not fit stay uncompressed. `ipsec`: the neighbour supports compressed AH and ESP. Returns the
 * length or an error; MOTE_E_MALFORMED for an invalid packet.
 */
int lowpan_compress(const struct lowpan *lowpan, const uint8_t *packet, size_t len,
                    const struct link_address *src, const struct link_address *dst, bool ipsec,
                    uint8_t *out, size_t size, size_t *covered);

/* Work left for a complete decompressed packet, and a property of its compressed form. */
struct lowpan_deferred {
    size_t checksum_at; /* of an elided UDP checksum, for lowpan_fill_checksum; 0: none */
    uint8_t ipsec_nhc;  /* LOWPAN_IPSEC_NHC, LOWPAN_LOW_1 and LOWPAN_LOW_2, or 0 */
};

/*
 * Decompresses a packet from its IPHC or uncompressed-IPv6 dispatch to the end of `data`. `total`
 * is the packet's length if a first fragment states it, else 0. Returns the octets written or an
 * error, and the work left in `deferred`.
 */
int lowpan_decompress(const struct lowpan *lowpan, const uint8_t *data, size_t len,
                      const struct link_address *src, const struct link_address *dst, size_t total,
                      uint8_t *out, size_t size, struct lowpan_deferred *deferred);

/* Writes the UDP checksum of a complete packet at offset `checksum_at`. */
int lowpan_fill_checksum(uint8_t *packet, size_t len, size_t checksum_at);

/*
 * One packet being sent. lowpan_send_start compresses it; each lowpan_send_next writes the payload
 * of one frame. The caller owns `packet` and must not change it until all frames are written.
 */
struct lowpan_sender {
    const uint8_t *packet;
    size_t len;
    size_t sent;        /* octets of the packet */
    size_t payload_max; /* octets in a frame */
    uint8_t headers[LOWPAN_FRAME_MAX];
    size_t headers_len;
    size_t covered;
    uint16_t tag;
    bool fragmented;
};

/* `payload_max`: octets in a frame without header, MIC and FCS. Returns 0 or an error. */
int lowpan_send_start(struct lowpan_sender *sender, const struct lowpan *lowpan,
                      const uint8_t *packet, size_t len, const struct link_address *src,
                      const struct link_address *dst, bool ipsec, size_t payload_max, uint16_t tag);
/* Writes the next frame payload. Its length, 0 when all is sent, or an error. */
int lowpan_send_next(struct lowpan_sender *sender, uint8_t *out, size_t size);
/* The number of frames of the whole packet. */
size_t lowpan_send_frames(const struct lowpan_sender *sender);

/* A datagram being reassembled. Each set bit of `units` stands for eight received octets. */
struct lowpan_slot {
    bool used;
    struct link_address src;
    struct link_address dst;
    uint16_t tag;
    uint16_t size;
    uint16_t received;
    uint16_t checksum_at;
    uint8_t ipsec_nhc;
    uint32_t started;
    uint8_t units[LOWPAN_DATAGRAM_MAX / 8 / 8];
    uint8_t *packet;
    size_t capacity; /* octets of `packet`; longer datagrams are dropped */
};

/* The receiving side. The caller owns its memory. */
struct lowpan_receiver {
    struct lowpan_slot *slots;
    size_t slot_count;
    uint8_t *single; /* an unfragmented packet, or the decompressed first fragment */
    size_t single_size;
};

/* `octets` has `each` octets for every slot; at most LOWPAN_DATAGRAM_MAX of them are used. */
void lowpan_receiver_init(struct lowpan_receiver *receiver, struct lowpan_slot *slots,
                          size_t slot_count, uint8_t *octets, size_t each, uint8_t *single,
                          size_t single_size);

/* A complete packet; `data` is NULL if there is none yet. It stays in the receiver's memory until
 * the next call, and the caller may change it. */
struct lowpan_packet {
    uint8_t *data;
    size_t len;
    struct link_address src; /* of the 6LoWPAN source: the originator under a mesh header */
    struct link_address dst;
    uint8_t ipsec_nhc; /* as in struct lowpan_deferred */
};

/*
 * Takes one frame payload at `now` (ms, wraps). Returns 0 and possibly a packet, or the reason why
 * the payload was dropped: MOTE_E_SPACE without a free slot, MOTE_E_MALFORMED also for an
 * inconsistent overlap of fragments, which drops the whole datagram.
 */
int lowpan_receive(struct lowpan_receiver *receiver, const struct lowpan *lowpan,
                   const uint8_t *data, size_t len, const struct link_address *src,
                   const struct link_address *dst, uint32_t now, struct lowpan_packet *packet);

#endif
