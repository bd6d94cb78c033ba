/*
 * Reassembly (RFC 4944 section 5.3). Link addresses, size and tag identify a datagram. Fragments
 * may arrive in any order and repeatedly. An inconsistent overlap drops the datagram. A slot
 * expires LOWPAN_REASSEMBLY_MS after its first fragment.
 */
#include <string.h>

#include "iphc.h"
#include "mote/base.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/sixlowpan.h"

enum {
    MESH = 0x80, /* 10 V F hops */
    MESH_SHORT_ORIGIN = 0x20,
    MESH_SHORT_FINAL = 0x10,
    MESH_DEEP = 0x0f,
    BROADCAST = 0x50,
    FRAG_MASK = 0xf8,
    FRAG_FIRST = 0xc0,
    FRAG_NEXT = 0xe0
};

struct fragment {
    struct link_address src;
    struct link_address dst;
    uint16_t size;
    uint16_t tag;
    size_t offset;
    struct lowpan_deferred deferred;
    const uint8_t *data;
    size_t len;
};

void lowpan_receiver_init(struct lowpan_receiver *receiver, struct lowpan_slot *slots,
                          size_t slot_count, uint8_t *octets, size_t each, uint8_t *single,
                          size_t single_size)
{
    each = each > LOWPAN_DATAGRAM_MAX ? LOWPAN_DATAGRAM_MAX : each;
    *receiver = (struct lowpan_receiver){slots, slot_count, single, single_size};
    for (size_t i = 0; i < slot_count; i++)
        slots[i] = (struct lowpan_slot){.packet = octets + i * each, .capacity = each};
}

static void read_mesh_address(struct reader *r, bool is_short, struct link_address *address)
{
    *address = (struct link_address){.size = is_short ? LINK_SHORT : LINK_EXTENDED};
    reader_copy(r, address->octets, address->size);
}

/* Skips mesh and broadcast headers (RFC 4944 sections 5.2 and 11.1). The mesh header's addresses
 * replace the frame's: interface identifiers are derived from them. */
static int skip_mesh(struct reader *r, struct link_address *src, struct link_address *dst)
{
    if (r->left > 0 && (r->at[0] & 0xc0) == MESH) {
        uint8_t mesh = reader_u8(r);
        if ((mesh & MESH_DEEP) == MESH_DEEP)
            reader_u8(r);
        read_mesh_address(r, (mesh & MESH_SHORT_ORIGIN) != 0, src);
        read_mesh_address(r, (mesh & MESH_SHORT_FINAL) != 0, dst);
    }
    if (r->left > 0 && r->at[0] == BROADCAST)
        reader_u16(r);
    return r->failed || r->left == 0 ? MOTE_E_SHORT : MOTE_OK;
}

static bool expired(const struct lowpan_slot *slot, uint32_t now)
{
    return now - slot->started >= LOWPAN_REASSEMBLY_MS;
}

static bool same_datagram(const struct lowpan_slot *slot, const struct fragment *fragment)
{
    return slot->tag == fragment->tag && slot->size == fragment->size &&
           link_equal(&slot->src, &fragment->src) && link_equal(&slot->dst, &fragment->dst);
}

static struct lowpan_slot *find_slot(struct lowpan_receiver *receiver,
                                     const struct fragment *fragment)
{
    for (size_t i = 0; i < receiver->slot_count; i++) {
        struct lowpan_slot *slot = &receiver->slots[i];
        if (slot->used && same_datagram(slot, fragment))
            return slot;
    }
    return NULL;
}

/* The number of slots in use by a neighbour. */
static size_t slots_of(const struct lowpan_receiver *receiver, const struct link_address *src)
{
    size_t count = 0;
    for (size_t i = 0; i < receiver->slot_count; i++) {
        const struct lowpan_slot *slot = &receiver->slots[i];
        count += slot->used && link_equal(&slot->src, src);
    }
    return count;
}

/* A free slot; else the sender's oldest slot; else, for a sender without slots, the oldest slot of
 * a sender with several. A neighbour can thus exhaust only its own slots. */
static struct lowpan_slot *take_slot(struct lowpan_receiver *receiver,
                                     const struct fragment *fragment, uint32_t now)
{
    struct lowpan_slot *oldest = NULL;
    bool has_slots = slots_of(receiver, &fragment->src) > 0;
    for (size_t i = 0; i < receiver->slot_count; i++) {
        struct lowpan_slot *slot = &receiver->slots[i];
        if (!slot->used)
            return slot;
        bool evictable =
            has_slots ? link_equal(&slot->src, &fragment->src) : slots_of(receiver, &slot->src) > 1;
        if (evictable && (oldest == NULL || now - slot->started > now - oldest->started))
            oldest = slot;
    }
    return oldest;
}

static void expire(struct lowpan_receiver *receiver, uint32_t now)
{
    for (size_t i = 0; i < receiver->slot_count; i++)
        if (receiver->slots[i].used && expired(&receiver->slots[i], now))
            receiver->slots[i].used = false;
}

static void start(struct lowpan_slot *slot, const struct fragment *fragment, uint32_t now)
{
    slot->used = true;
    slot->src = fragment->src;
    slot->dst = fragment->dst;
    slot->tag = fragment->tag;
    slot->size = fragment->size;
    slot->received = 0;
    slot->checksum_at = 0;
    slot->ipsec_nhc = 0;
    slot->started = now;
    memset(slot->units, 0, sizeof slot->units);
}

static size_t units_present(const struct lowpan_slot *slot, size_t first, size_t end)
{
    size_t present = 0;
    for (size_t i = first; i < end; i++)
        present += (unsigned)slot->units[i / 8] >> (i % 8) & 1U;
    return present;
}

/* Stores new octets; ignores a duplicate. MOTE_E_MALFORMED for an inconsistent overlap. */
static int insert(struct lowpan_slot *slot, const struct fragment *fragment)
{
    size_t first = fragment->offset / 8;
    size_t end = (fragment->offset + fragment->len + 7) / 8;
    size_t present = units_present(slot, first, end);
    if (present > 0) {
        bool duplicate = present == end - first && memcmp(slot->packet + fragment->offset,
                                                          fragment->data, fragment->len) == 0;
        return duplicate ? MOTE_OK : MOTE_E_MALFORMED;
    }
    memcpy(slot->packet + fragment->offset, fragment->data, fragment->len);
    slot->received = (uint16_t)(slot->received + fragment->len);
    for (size_t i = first; i < end; i++)
        slot->units[i / 8] = (uint8_t)(slot->units[i / 8] | 1U << (i % 8));
    if (fragment->offset == 0) {
        slot->checksum_at = (uint16_t)fragment->deferred.checksum_at;
        slot->ipsec_nhc = fragment->deferred.ipsec_nhc;
    }
    return MOTE_OK;
}

static int check_bounds(const struct fragment *fragment)
{
    size_t end = fragment->offset + fragment->len;
    if (fragment->size < IPV6_HEADER_SIZE || fragment->len == 0 || end > fragment->size)
        return MOTE_E_MALFORMED;
    if (end < fragment->size && fragment->len % 8 != 0)
        return MOTE_E_MALFORMED;
    return MOTE_OK;
}

/* Checks that the result is one IPv6 packet of the length in its header. */
static int check_packet(uint8_t *packet, size_t len, size_t checksum_at)
{
    struct ipv6_header header;
    int error = ipv6_parse(&header, packet, len);
    if (error)
        return MOTE_E_MALFORMED;
    return checksum_at > 0 ? lowpan_fill_checksum(packet, len, checksum_at) : MOTE_OK;
}

static int complete(struct lowpan_slot *slot, struct lowpan_packet *packet)
{
    slot->used = false; /* `packet` stays valid until the slot is used again */
    int error = check_packet(slot->packet, slot->size, slot->checksum_at);
    if (!error) {
        *packet =
            (struct lowpan_packet){slot->packet, slot->size, slot->src, slot->dst, slot->ipsec_nhc};
    }
    return error;
}

static int add_fragment(struct lowpan_receiver *receiver, const struct fragment *fragment,
                        uint32_t now, struct lowpan_packet *packet)
{
    int error = check_bounds(fragment);
    if (error)
        return error;
    struct lowpan_slot *slot = find_slot(receiver, fragment);
    if (slot == NULL) {
        slot = take_slot(receiver, fragment, now);
        if (slot == NULL || fragment->size > slot->capacity)
            return MOTE_E_SPACE;
        start(slot, fragment, now);
    }
    error = insert(slot, fragment);
    if (error) {
        slot->used = false;
        return error;
    }
    return slot->received == slot->size ? complete(slot, packet) : MOTE_OK;
}

static int receive_fragment(struct lowpan_receiver *receiver, const struct lowpan *lowpan,
                            struct reader *r, struct fragment *fragment, uint32_t now,
                            struct lowpan_packet *packet)
{
    uint16_t head = reader_u16(r);
    bool first = (head >> 8 & FRAG_MASK) == FRAG_FIRST;
    fragment->size = head & 0x7ff;
    fragment->tag = reader_u16(r);
    fragment->offset = first ? 0 : reader_u8(r) * 8U;
    if (r->failed)
        return MOTE_E_SHORT;
    if (!first && fragment->offset == 0)
        return MOTE_E_MALFORMED; /* only a first fragment has headers */
    fragment->len = r->left;
    fragment->data = r->at;
    if (first) {
        int len = lowpan_decompress(lowpan, r->at, r->left, &fragment->src, &fragment->dst,
                                    fragment->size, receiver->single, receiver->single_size,
                                    &fragment->deferred);
        if (len < 0)
            return len;
        fragment->data = receiver->single;
        fragment->len = (size_t)len;
    }
    return add_fragment(receiver, fragment, now, packet);
}

static int receive_single(struct lowpan_receiver *receiver, const struct lowpan *lowpan,
                          struct reader *r, const struct fragment *frame,
                          struct lowpan_packet *packet)
{
    struct lowpan_deferred deferred;
    int len = lowpan_decompress(lowpan, r->at, r->left, &frame->src, &frame->dst, 0,
                                receiver->single, receiver->single_size, &deferred);
    if (len < 0)
        return len;
    int error = check_packet(receiver->single, (size_t)len, deferred.checksum_at);
    if (!error) {
        *packet = (struct lowpan_packet){receiver->single, (size_t)len, frame->src, frame->dst,
                                         deferred.ipsec_nhc};
    }
    return error;
}

int lowpan_receive(struct lowpan_receiver *receiver, const struct lowpan *lowpan,
                   const uint8_t *data, size_t len, const struct link_address *src,
                   const struct link_address *dst, uint32_t now, struct lowpan_packet *packet)
{
    struct fragment frame = {.src = *src, .dst = *dst};
    struct reader r;
    *packet = (struct lowpan_packet){0};
    reader_init(&r, data, len);
    expire(receiver, now);
    int error = skip_mesh(&r, &frame.src, &frame.dst);
    if (error)
        return error;
    uint8_t dispatch = r.at[0] & FRAG_MASK;
    if (dispatch == FRAG_FIRST || dispatch == FRAG_NEXT)
        return receive_fragment(receiver, lowpan, &r, &frame, now, packet);
    return receive_single(receiver, lowpan, &r, &frame, packet);
}
