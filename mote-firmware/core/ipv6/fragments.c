/* Reassembly. The fragmented part is collected behind room for the headers before it. */
#include "mote/ipv6_fragments.h"

#include <string.h>

#include "mote/base.h"

enum { FRAGMENT_HEADER_SIZE = 8, MORE_AT = 3, PAYLOAD_LEN_AT = 4, NEXT_AT = 6, UPPER_MIN = 8 };

struct fragment {
    struct ipv6_header header;
    size_t at;      /* of the fragment header; it replaces the octets before it */
    size_t next_at; /* of the octet that names it */
    uint8_t next;
    size_t offset;
    bool more;
    uint32_t id;
    const uint8_t *data;
    size_t len;
};

void ipv6_reassembler_init(struct ipv6_reassembler *reassembler, struct ipv6_reassembly *slots,
                           size_t slot_count, uint8_t *octets)
{
    *reassembler = (struct ipv6_reassembler){slots, slot_count, ipv6_reassemble};
    for (size_t i = 0; i < slot_count; i++)
        slots[i] = (struct ipv6_reassembly){.octets = octets + i * IPV6_REASSEMBLY_SIZE};
}

static void read_fragment(struct reader *r, struct fragment *fragment)
{
    fragment->next = reader_u8(r);
    reader_u8(r);
    uint16_t offset = reader_u16(r);
    fragment->offset = offset & 0xfff8U;
    fragment->more = (offset & 1) != 0;
    fragment->id = reader_u32(r);
    fragment->data = r->at;
    fragment->len = r->left;
}

/* Finds the fragment header after the headers that nodes on the path process. MOTE_E_STATE: there
 * is none. */
static int find_fragment(struct fragment *fragment, const uint8_t *packet, size_t len)
{
    struct reader r;
    int error = ipv6_parse(&fragment->header, packet, len);
    if (error)
        return error;
    reader_init(&r, packet, len);
    reader_take(&r, IPV6_HEADER_SIZE);
    fragment->next_at = NEXT_AT;
    for (;;) {
        fragment->at = len - r.left;
        uint8_t protocol = packet[fragment->next_at];
        if (protocol == NEXT_FRAGMENT) {
            read_fragment(&r, fragment);
            return r.failed ? MOTE_E_SHORT : MOTE_OK;
        }
        if (protocol != NEXT_HOP_BY_HOP && protocol != NEXT_ROUTING && protocol != NEXT_DESTINATION)
            return MOTE_E_STATE;
        fragment->next_at = fragment->at;
        const uint8_t *octets = reader_take(&r, 8);
        if (octets == NULL || reader_take(&r, octets[1] * 8U) == NULL)
            return MOTE_E_SHORT;
    }
}

static int set_payload_len(uint8_t *packet, size_t len)
{
    packet[PAYLOAD_LEN_AT] = (uint8_t)((len - IPV6_HEADER_SIZE) >> 8);
    packet[PAYLOAD_LEN_AT + 1] = (uint8_t)(len - IPV6_HEADER_SIZE);
    return (int)len;
}

/* Removes the header of an atomic fragment. */
static int remove_header(uint8_t *packet, size_t len, const struct fragment *fragment)
{
    packet[fragment->next_at] = fragment->next;
    memmove(packet + fragment->at, fragment->data, fragment->len);
    return set_payload_len(packet, len - FRAGMENT_HEADER_SIZE);
}

/* ---- slots ---- */

static bool from(const struct ipv6_reassembly *slot, const struct fragment *fragment)
{
    return slot->used && ipv6_equal(&slot->src, &fragment->header.src);
}

/* The packet's slot; else a free one; else the oldest of its source; else the oldest. */
static struct ipv6_reassembly *find_slot(const struct ipv6_reassembler *reassembler,
                                         const struct fragment *fragment, uint32_t now)
{
    struct ipv6_reassembly *best = NULL;
    unsigned best_rank = 0;
    for (size_t i = 0; i < reassembler->slot_count; i++) {
        struct ipv6_reassembly *slot = &reassembler->slots[i];
        if (slot->used && now - slot->started >= IPV6_REASSEMBLY_MS)
            slot->used = false;
        if (from(slot, fragment) && slot->id == fragment->id &&
            ipv6_equal(&slot->dst, &fragment->header.dst))
            return slot;
        unsigned rank = !slot->used ? 3 : from(slot, fragment) ? 2 : 1;
        if (rank > best_rank || (rank == best_rank && now - slot->started > now - best->started)) {
            best = slot;
            best_rank = rank;
        }
    }
    if (best != NULL) {
        *best = (struct ipv6_reassembly){.used = true,
                                         .src = fragment->header.src,
                                         .dst = fragment->header.dst,
                                         .id = fragment->id,
                                         .started = now,
                                         .octets = best->octets};
    }
    return best;
}

/* ---- octets ---- */

static bool is_set(const uint8_t *bits, size_t at)
{
    return ((unsigned)bits[at / 8] >> (at % 8) & 1U) != 0;
}

static void set(uint8_t *bits, size_t at)
{
    bits[at / 8] = (uint8_t)(bits[at / 8] | 1U << (at % 8));
}

static size_t units_of(const struct fragment *fragment)
{
    return (fragment->len + IPV6_FRAGMENT_UNIT - 1) / IPV6_FRAGMENT_UNIT;
}

/* True if exactly this fragment has arrived before. */
static bool is_repeated(const struct ipv6_reassembly *slot, const struct fragment *fragment)
{
    size_t first = fragment->offset / IPV6_FRAGMENT_UNIT;
    size_t end = first + units_of(fragment);
    const uint8_t *stored = slot->octets + IPV6_FRAGMENT_HEADERS_MAX + fragment->offset;
    if (!is_set(slot->starts, first))
        return false;
    for (size_t i = first; i < end; i++)
        if (!is_set(slot->present, i) || (i > first && is_set(slot->starts, i)))
            return false;
    bool ends = !is_set(slot->present, end) || is_set(slot->starts, end);
    bool last = fragment->offset + fragment->len == slot->total;
    return ends && last == !fragment->more && memcmp(stored, fragment->data, fragment->len) == 0;
}

static bool overlaps(const struct ipv6_reassembly *slot, const struct fragment *fragment)
{
    size_t first = fragment->offset / IPV6_FRAGMENT_UNIT;
    for (size_t i = first; i < first + units_of(fragment); i++)
        if (is_set(slot->present, i))
            return true;
    return false;
}

/* True if octets after `end` have arrived. */
static bool reaches_beyond(const struct ipv6_reassembly *slot, size_t end)
{
    for (size_t i = (end + IPV6_FRAGMENT_UNIT - 1) / IPV6_FRAGMENT_UNIT;
         i < sizeof slot->present * 8; i++)
        if (is_set(slot->present, i))
            return true;
    return false;
}

/* True if the first fragment has all headers, with the first octets of the upper layer's (RFC
 * 7112).
 */
static bool has_all_headers(uint8_t *packet, size_t len, const struct fragment *fragment)
{
    struct ipv6_upper upper;
    uint8_t *flags = packet + fragment->at + MORE_AT;
    uint8_t before = *flags;
    *flags = 0; /* else the search for the upper layer ends at the fragment header */
    bool found = ipv6_find_upper(&upper, packet, len) == MOTE_OK && !upper.fragment;
    *flags = before;
    return found && upper.len >= UPPER_MIN && fragment->next != NEXT_FRAGMENT;
}

/* Stores the headers of the first fragment right before the place of its data. */
static int store_headers(struct ipv6_reassembly *slot, const uint8_t *packet,
                         const struct fragment *fragment)
{
    if (fragment->at > IPV6_FRAGMENT_HEADERS_MAX)
        return MOTE_E_SPACE;
    uint8_t *to = slot->octets + IPV6_FRAGMENT_HEADERS_MAX - fragment->at;
    memcpy(to, packet, fragment->at);
    to[fragment->next_at] = fragment->next;
    slot->headers_len = (uint16_t)fragment->at;
    return MOTE_OK;
}

static int insert(struct ipv6_reassembly *slot, const uint8_t *packet,
                  const struct fragment *fragment)
{
    size_t end = fragment->offset + fragment->len;
    if (is_repeated(slot, fragment))
        return MOTE_OK;
    if (overlaps(slot, fragment) || (slot->total > 0 && (!fragment->more || end > slot->total)) ||
        (!fragment->more && reaches_beyond(slot, end)))
        return MOTE_E_MALFORMED;
    if (fragment->offset == 0 && store_headers(slot, packet, fragment) != MOTE_OK)
        return MOTE_E_SPACE;
    if (!fragment->more)
        slot->total = (uint16_t)end;
    memcpy(slot->octets + IPV6_FRAGMENT_HEADERS_MAX + fragment->offset, fragment->data,
           fragment->len);
    set(slot->starts, fragment->offset / IPV6_FRAGMENT_UNIT);
    for (size_t i = 0; i < units_of(fragment); i++)
        set(slot->present, fragment->offset / IPV6_FRAGMENT_UNIT + i);
    slot->received = (uint16_t)(slot->received + fragment->len);
    return MOTE_OK;
}

/* Writes the complete packet to `packet`. */
static int complete(struct ipv6_reassembly *slot, uint8_t *packet, size_t size)
{
    size_t len = slot->headers_len + (size_t)slot->total;
    slot->used = false;
    if (len > size || IPV6_HEADER_SIZE + (size_t)slot->total > IPV6_REASSEMBLED_MAX)
        return MOTE_E_SPACE;
    memcpy(packet, slot->octets + IPV6_FRAGMENT_HEADERS_MAX - slot->headers_len, len);
    return set_payload_len(packet, len);
}

static int check_fragment(uint8_t *packet, size_t len, const struct fragment *fragment)
{
    if (fragment->len == 0 || (fragment->more && fragment->len % IPV6_FRAGMENT_UNIT != 0))
        return MOTE_E_MALFORMED;
    if (fragment->offset + fragment->len > IPV6_REASSEMBLED_MAX)
        return MOTE_E_SPACE;
    return fragment->offset > 0 || has_all_headers(packet, len, fragment) ? MOTE_OK
                                                                          : MOTE_E_MALFORMED;
}

int ipv6_reassemble(struct ipv6_reassembler *reassembler, uint8_t *packet, size_t len, size_t size,
                    uint32_t now)
{
    struct fragment fragment;
    int error = find_fragment(&fragment, packet, len);
    if (error)
        return error == MOTE_E_STATE ? (int)len : error;
    if (fragment.offset == 0 && !fragment.more)
        return remove_header(packet, len, &fragment);
    error = check_fragment(packet, len, &fragment);
    if (error)
        return error;
    struct ipv6_reassembly *slot = find_slot(reassembler, &fragment, now);
    if (slot == NULL)
        return MOTE_E_SPACE;
    if (!slot->abandoned)
        error = insert(slot, packet, &fragment);
    if (slot->abandoned || error) {
        slot->abandoned = true;
        return error ? error : MOTE_E_MALFORMED;
    }
    bool whole = slot->total > 0 && slot->received == slot->total && slot->headers_len > 0;
    return whole ? complete(slot, packet, size) : 0;
}
