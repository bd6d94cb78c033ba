/* Reassembly of IPv6 packets (RFC 8200 section 4.5, RFC 5722, 6946, 7112). */
#include "harness.h"
#include "mote/ipv6_fragments.h"

enum { SLOTS = 2, ID = 7 };

static const struct ipv6_address SOURCE = {{0x20, 1, 0x0d, 0xb8, [15] = 2}};
static const struct ipv6_address OTHER = {{0x20, 1, 0x0d, 0xb8, [15] = 3}};
static const struct ipv6_address MOTE = {{0xfd, [15] = 1}};

static struct ipv6_reassembler reassembler;
static struct ipv6_reassembly slots[SLOTS];
static uint8_t memory[SLOTS][IPV6_REASSEMBLY_SIZE];
static uint8_t whole[2048], packet[2048];
static size_t whole_len;
static struct ipv6_address source;
static uint32_t id, now;

/* A UDP packet of `len` octets of payload in `whole`; nothing has arrived yet. */
static void begin(size_t len)
{
    uint8_t payload[2048];
    const struct udp udp = {5683, 61616, payload, len};
    for (size_t i = 0; i < sizeof payload; i++)
        payload[i] = (uint8_t)(i * 7 + i / 256);
    whole_len = (size_t)ipv6_udp_packet(&udp, &SOURCE, &MOTE, whole, sizeof whole);
    memset(memory, 0xa5, sizeof memory);
    ipv6_reassembler_init(&reassembler, slots, SLOTS, memory[0]);
    source = SOURCE;
    id = ID;
    now = 1000;
}

/* Inserts a fragment header in front of `len` octets of content. */
static size_t make(uint8_t next, size_t offset, bool more, const uint8_t *content, size_t len)
{
    const struct ipv6_header header = {.payload_len = (uint16_t)(8 + len),
                                       .next_header = NEXT_FRAGMENT,
                                       .hop_limit = 64,
                                       .src = source,
                                       .dst = MOTE};
    struct writer w;
    writer_init(&w, packet, sizeof packet);
    ipv6_write(&header, &w);
    writer_u8(&w, next);
    writer_u8(&w, 0);
    writer_u16(&w, (uint16_t)(offset | more));
    writer_u32(&w, id);
    writer_bytes(&w, content, len);
    return w.len;
}

static int take(size_t len)
{
    return reassembler.take(&reassembler, packet, len, sizeof packet, now);
}

/* Receives the octets from `from` to `to` of the packet's payload. */
static int part(size_t from, size_t to)
{
    size_t payload = whole_len - IPV6_HEADER_SIZE;
    to = to > payload ? payload : to;
    return take(make(NEXT_UDP, from, to < payload, whole + IPV6_HEADER_SIZE + from, to - from));
}

static void check_whole(int result)
{
    CHECK_OCTETS(packet, (size_t)(result > 0 ? result : 0), whole, whole_len);
}

TEST(leaves_whole_packets_as_they_are)
{
    begin(64);
    memcpy(packet, whole, whole_len);
    check_whole(take(whole_len));
    CHECK_INT(take(10), MOTE_E_SHORT);
}

TEST(puts_fragments_together_in_every_order)
{
    static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                         {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const size_t ends[] = {0, 16, 80, 107};
    for (size_t i = 0; i < 6; i++) {
        begin(99);
        for (size_t k = 0; k < 3; k++) {
            size_t at = orders[i][k];
            int result = part(ends[at], ends[at + 1]);
            if (k < 2)
                CHECK_INT(result, 0);
            else
                check_whole(result);
        }
    }
}

TEST(takes_every_length_up_to_1500_octets)
{
    for (size_t len = 9; len <= 1452; len += len < 40 ? 1 : 101) {
        begin(len);
        for (size_t from = 0; from < len + 8; from += 8) {
            int result = part(from, from + 8);
            if (from + 8 < len + 8)
                CHECK_INT(result, 0);
            else
                check_whole(result);
        }
    }
    begin(1453); /* one octet too many */
    CHECK_INT(part(0, 1400), 0);
    CHECK_INT(part(1400, 1500), MOTE_E_SPACE);
    begin(1452);
    CHECK_INT(part(0, 1400), 0);
    size_t n = make(NEXT_UDP, 1400, false, whole + 1440, 60);
    CHECK_INT(reassembler.take(&reassembler, packet, n, 1499, now), MOTE_E_SPACE);
}

TEST(ignores_repeated_fragments)
{
    begin(99);
    CHECK_INT(part(16, 80), 0);
    CHECK_INT(part(16, 80), 0);
    CHECK_INT(part(80, 107), 0);
    CHECK_INT(part(80, 107), 0);
    check_whole(part(0, 16));
    CHECK_INT(part(0, 16), 0); /* the begin of another packet */
}

/* Fragments after which nothing may be delivered, whatever follows. */
static void abandons(const size_t (*parts)[2], size_t count)
{
    begin(99);
    for (size_t i = 0; i + 1 < count; i++)
        CHECK_INT(part(parts[i][0], parts[i][1]), 0);
    CHECK_INT(part(parts[count - 1][0], parts[count - 1][1]), MOTE_E_MALFORMED);
    for (size_t from = 0; from < 107; from += 8)
        CHECK_INT(part(from, from + 8), MOTE_E_MALFORMED);
    now += IPV6_REASSEMBLY_MS;
    CHECK_INT(part(0, 80), 0);
    check_whole(part(80, 107));
}

TEST(abandons_a_packet_whose_fragments_overlap)
{
    static const size_t within[][2] = {{0, 80}, {16, 24}};
    static const size_t around[][2] = {{16, 24}, {0, 80}};
    static const size_t before[][2] = {{16, 80}, {0, 24}};
    static const size_t behind[][2] = {{0, 24}, {16, 80}};
    static const size_t longer[][2] = {{0, 24}, {0, 32}};
    static const size_t shorter[][2] = {{0, 32}, {0, 24}};
    static const size_t joined[][2] = {{0, 24}, {24, 48}, {0, 48}};
    static const size_t last[][2] = {{96, 107}, {80, 107}};
    abandons(within, 2);
    abandons(around, 2);
    abandons(before, 2);
    abandons(behind, 2);
    abandons(longer, 2);
    abandons(shorter, 2);
    abandons(joined, 3);
    abandons(last, 2);
}

TEST(abandons_a_packet_with_changed_or_contradictory_fragments)
{
    begin(99);
    CHECK_INT(part(0, 24), 0);
    whole[50] ^= 1; /* the same place, other octets */
    CHECK_INT(part(0, 24), MOTE_E_MALFORMED);
    begin(99);
    CHECK_INT(part(80, 107), 0);
    CHECK_INT(take(make(NEXT_UDP, 80, false, whole + 120, 19)), MOTE_E_MALFORMED); /* another end */
    begin(99);
    CHECK_INT(part(80, 107), 0);
    CHECK_INT(take(make(NEXT_UDP, 112, true, whole, 8)), MOTE_E_MALFORMED); /* behind the end */
    begin(99);
    CHECK_INT(part(80, 88), 0);
    CHECK_INT(take(make(NEXT_UDP, 40, false, whole, 8)), MOTE_E_MALFORMED); /* ends before */
    begin(99);
    CHECK_INT(part(80, 88), 0);
    CHECK_INT(take(make(NEXT_UDP, 80, false, whole + 120, 8)), MOTE_E_MALFORMED); /* now the last */
}

TEST(drops_only_the_fragment_that_is_malformed)
{
    begin(99);
    CHECK_INT(take(make(NEXT_UDP, 16, true, whole, 12)), MOTE_E_MALFORMED);
    CHECK_INT(take(make(NEXT_UDP, 16, true, whole, 0)), MOTE_E_MALFORMED);
    CHECK_INT(take(make(NEXT_UDP, 16, false, whole, 0)), MOTE_E_MALFORMED);
    CHECK_INT(take(make(NEXT_UDP, 0xfff8, true, whole, 64)), MOTE_E_SPACE);
    CHECK_INT(take(make(NEXT_UDP, 16, true, whole, 8) - 10), MOTE_E_SHORT);
    CHECK_INT(part(0, 80), 0);
    check_whole(part(80, 107));
}

TEST(wants_all_headers_in_the_first_fragment)
{
    uint8_t content[64] = {NEXT_UDP, 1, 1, 12}; /* destination options of 16 octets */
    begin(99);
    CHECK_INT(take(make(NEXT_DESTINATION, 0, true, content, 8)), MOTE_E_MALFORMED);
    CHECK_INT(take(make(NEXT_DESTINATION, 0, true, content, 16)), MOTE_E_MALFORMED);
    CHECK_INT(take(make(NEXT_DESTINATION, 0, true, content, 24)), 0);
    id++;
    CHECK_INT(take(make(NEXT_FRAGMENT, 0, true, content, 24)), MOTE_E_MALFORMED);
}

TEST(takes_an_atomic_fragment_apart_from_others_of_its_number)
{
    begin(99);
    CHECK_INT(part(0, 80), 0);
    check_whole(take(make(NEXT_UDP, 0, false, whole + IPV6_HEADER_SIZE, 107)));
    check_whole(part(80, 107));
}

TEST(keeps_sources_and_numbers_apart)
{
    begin(99);
    CHECK_INT(part(0, 80), 0);
    source = OTHER;
    CHECK_INT(part(80, 107), 0);
    source = SOURCE;
    check_whole(part(80, 107));
    CHECK_INT(part(0, 80), 0);
    id++;
    CHECK_INT(part(80, 107), 0);
}

TEST(forgets_a_packet_after_a_minute)
{
    begin(99);
    now = UINT32_MAX - 5; /* wraps */
    CHECK_INT(part(0, 80), 0);
    now += IPV6_REASSEMBLY_MS - 1;
    check_whole(part(80, 107));
    CHECK_INT(part(0, 80), 0);
    now += IPV6_REASSEMBLY_MS;
    CHECK_INT(part(80, 107), 0);
}

TEST(a_flood_of_one_source_takes_only_its_own_place)
{
    begin(99);
    CHECK_INT(part(0, 80), 0);
    source = OTHER;
    for (id = 100; id < 200; id++) {
        now++;
        CHECK_INT(part(0, 80), 0);
    }
    source = SOURCE;
    id = ID;
    check_whole(part(80, 107));
    for (uint32_t i = 0; i < SLOTS + 1; i++) { /* the oldest goes */
        id = 300 + i;
        source.octets[14] = (uint8_t)i;
        CHECK_INT(part(0, 80), 0);
        now++;
    }
    source.octets[14] = 0;
    id = 300;
    CHECK_INT(part(80, 107), 0);
}

TEST(removes_the_header_behind_a_route)
{
    const uint8_t route[] = {NEXT_FRAGMENT, 0, 3, 0, 0, 0, 0, 0};
    const size_t ends[] = {0, 80, 107};
    int result = 0;
    begin(99);
    for (size_t i = 0; i < 2; i++) {
        size_t n = make(NEXT_UDP, ends[i], i == 0, whole + IPV6_HEADER_SIZE + ends[i],
                        ends[i + 1] - ends[i]);
        memmove(packet + 48, packet + 40, n - 40);
        memcpy(packet + 40, route, sizeof route);
        packet[6] = NEXT_ROUTING;
        packet[5] = (uint8_t)(n - 32);
        result = take(n + 8);
    }
    CHECK_INT(result, whole_len + 8);
    CHECK_INT(packet[6], NEXT_ROUTING);
    CHECK_INT(packet[40], NEXT_UDP);
    CHECK_INT(packet[5], whole_len - 32);
    CHECK_OCTETS(packet + 48, whole_len - 40, whole + 40, whole_len - 40);
}

int main(void)
{
    RUN(leaves_whole_packets_as_they_are);
    RUN(puts_fragments_together_in_every_order);
    RUN(takes_every_length_up_to_1500_octets);
    RUN(ignores_repeated_fragments);
    RUN(abandons_a_packet_whose_fragments_overlap);
    RUN(abandons_a_packet_with_changed_or_contradictory_fragments);
    RUN(drops_only_the_fragment_that_is_malformed);
    RUN(wants_all_headers_in_the_first_fragment);
    RUN(takes_an_atomic_fragment_apart_from_others_of_its_number);
    RUN(keeps_sources_and_numbers_apart);
    RUN(forgets_a_packet_after_a_minute);
    RUN(a_flood_of_one_source_takes_only_its_own_place);
    RUN(removes_the_header_behind_a_route);
    return harness_report();
}
