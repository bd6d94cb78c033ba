/*
 * Reassembly of IPv6 packets that their source fragmented (RFC 8200 section 4.5), in memory of the
 * caller. Overlapping fragments end their packet and also discard its later fragments (RFC 5722).
 * An atomic fragment is a whole packet, whatever others have its identification (RFC 6946). The
 * first fragment has all headers (RFC 7112).
 *
 * An image links this code only if it calls ipv6_reassembler_init. No ICMPv6 error is sent for a
 * packet that is not completed.
 */
#ifndef MOTE_IPV6_FRAGMENTS_H
#define MOTE_IPV6_FRAGMENTS_H

#include "mote/ipv6.h"

enum {
    IPV6_REASSEMBLED_MAX = 1500,     /* octets that every node accepts (RFC 8200 section 5) */
    IPV6_FRAGMENT_HEADERS_MAX = 168, /* before the fragment header: a source route of seven hops */
    IPV6_REASSEMBLY_MS = 60000,      /* since the packet's first arrival */
    IPV6_FRAGMENT_UNIT = 8,
    /* Octets of memory for each packet that is being reassembled. */
    IPV6_REASSEMBLY_SIZE = IPV6_FRAGMENT_HEADERS_MAX + IPV6_REASSEMBLED_MAX
};

/*
 * A packet that is being reassembled. Each set bit of `present` stands for eight received octets of
 * the part that was fragmented; a set bit of `starts` for the begin of a fragment, so that a
 * repeated fragment is not taken for an overlap. `headers_len` is 0 until the first fragment has
 * arrived, and `total` 0 until the last one has. An abandoned packet takes no more fragments.
 */
struct ipv6_reassembly {
    bool used;
    bool abandoned;
    struct ipv6_address src;
    struct ipv6_address dst;
    uint32_t id;
    uint32_t started;
    uint16_t headers_len;
    uint16_t total;
    uint16_t received;
    uint8_t present[(IPV6_REASSEMBLED_MAX + 63) / 64];
    uint8_t starts[(IPV6_REASSEMBLED_MAX + 63) / 64];
    uint8_t *octets;
};

struct ipv6_reassembler {
    struct ipv6_reassembly *slots;
    size_t slot_count;
    /* ipv6_reassemble. A pointer, so that an image without reassembly does not link it. */
    int (*take)(struct ipv6_reassembler *reassembler, uint8_t *packet, size_t len, size_t size,
                uint32_t now);
};

/* `octets` has IPV6_REASSEMBLY_SIZE octets for every slot. */
void ipv6_reassembler_init(struct ipv6_reassembler *reassembler, struct ipv6_reassembly *slots,
                           size_t slot_count, uint8_t *octets);

/*
 * Takes a packet for this node, at `now` (ms, wraps), in a buffer of `size` octets. A packet
 * without fragment header stays as it is; an atomic fragment loses the header; the fragment that
 * completes a packet is replaced by it. Returns the length of the packet in the buffer, 0 if
 * fragments are missing, MOTE_E_MALFORMED for a fragment that is dropped or ends its packet, or
 * MOTE_E_SPACE for a packet that is too long.
 */
int ipv6_reassemble(struct ipv6_reassembler *reassembler, uint8_t *packet, size_t len, size_t size,
                    uint32_t now);

#endif
