#include "harness.h"
#include "mote/ipv6.h"
#include "vectors.h"

/* Passes every recorded packet, of Contiki-NG and of Linux, to `check`. */
static int for_each_packet(void (*check)(const uint8_t *packet, size_t len))
{
    int packets = 0;
    for (size_t i = 0; i <= CONTIKI_FILES; i++) {
        FILE *file = i < CONTIKI_FILES ? vector_open("contiki-ng", contiki_files[i])
                                       : vector_open("linux", "6lowpan");
        struct vector_line line = {0};
        while (vector_next(file, &line)) {
            if (line.kind == 'i') {
                check(line.octets, line.len);
                packets++;
            }
        }
        fclose(file);
    }
    return packets;
}

static int udp_seen;
static int icmp_seen;

static void check_upper(const uint8_t *packet, size_t len)
{
    struct ipv6_upper upper;
    struct udp udp;
    struct icmpv6 icmp;
    REQUIRE(ipv6_find_upper(&upper, packet, len) == MOTE_OK);
    if (upper.protocol == NEXT_UDP && !upper.fragment) {
        uint8_t out[1280];
        struct writer w;
        REQUIRE(udp_parse(&udp, &upper, packet) == MOTE_OK);
        writer_init(&w, out, sizeof out);
        udp_write(&udp, &upper.src, &upper.dst, &w);
        CHECK_OCTETS(out, writer_len(&w), packet + upper.at, upper.len);
        udp_seen++;
    } else if (upper.protocol == NEXT_ICMPV6) {
        uint8_t out[1280];
        struct writer w;
        REQUIRE(icmpv6_parse(&icmp, &upper, packet) == MOTE_OK);
        writer_init(&w, out, sizeof out);
        icmpv6_write(&icmp, &upper.src, &upper.dst, &w);
        CHECK_OCTETS(out, writer_len(&w), packet + upper.at, upper.len);
        icmp_seen++;
    }
}

TEST(checks_and_makes_the_checksum_of_every_recorded_packet)
{
    int packets = for_each_packet(check_upper);
    CHECK(packets > 700);
    CHECK(udp_seen > 150);
    CHECK(icmp_seen > 300);
}

static void check_header(const uint8_t *packet, size_t len)
{
    struct ipv6_header header;
    uint8_t out[IPV6_HEADER_SIZE];
    struct writer w;
    REQUIRE(ipv6_parse(&header, packet, len) == MOTE_OK);
    writer_init(&w, out, sizeof out);
    ipv6_write(&header, &w);
    CHECK_OCTETS(out, writer_len(&w), packet, IPV6_HEADER_SIZE);
    CHECK_INT(ipv6_parse(&header, packet, len - 1), MOTE_E_SHORT);
}

TEST(reads_and_writes_back_every_recorded_header)
{
    CHECK(for_each_packet(check_header) > 700);
}

static void check_damage(const uint8_t *packet, size_t len)
{
    struct ipv6_upper upper;
    struct udp udp;
    struct icmpv6 icmp;
    uint8_t copy[2048];
    memcpy(copy, packet, len);
    REQUIRE(ipv6_find_upper(&upper, packet, len) == MOTE_OK);
    copy[len - 1] ^= 0x40;
    if (upper.protocol == NEXT_UDP && !upper.fragment)
        CHECK_INT(udp_parse(&udp, &upper, copy), MOTE_E_AUTH);
    else if (upper.protocol == NEXT_ICMPV6)
        CHECK_INT(icmpv6_parse(&icmp, &upper, copy), MOTE_E_AUTH);
}

TEST(detects_a_damaged_octet_in_every_recorded_packet)
{
    CHECK(for_each_packet(check_damage) > 700);
}

TEST(derives_addresses_from_link_addresses)
{
    const uint8_t eui[8] = {0, 2, 0, 2, 0, 2, 0, 2};
    const uint8_t prefix[8] = {0xfd, 0};
    const uint8_t local[16] = {0xfe, 0x80, 0, 0, 0, 0, 0, 0, 2, 2, 0, 2, 0, 2, 0, 2};
    const uint8_t global[16] = {0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xfe, 0, 0x12, 0x34};
    struct link_address extended = link_extended(eui);
    struct link_address brief = link_short(0x1234);
    struct ipv6_address address = ipv6_link_local(&extended);
    struct link_address back = ipv6_link_of(&address);
    CHECK_OCTETS(address.octets, 16, local, 16);
    CHECK(ipv6_is_link_local(&address) && !ipv6_is_multicast(&address));
    CHECK(link_equal(&back, &extended));
    address = ipv6_under_prefix(prefix, &brief);
    CHECK_OCTETS(address.octets, 16, global, 16);
}

TEST(answers_an_echo_request_and_nothing_else)
{
    const uint8_t eui[2][8] = {{0, 1}, {0, 2}};
    struct link_address link[2] = {link_extended(eui[0]), link_extended(eui[1])};
    struct ipv6_address a = ipv6_link_local(&link[0]), b = ipv6_link_local(&link[1]);
    struct ipv6_header header = {
        .payload_len = 12, .next_header = NEXT_ICMPV6, .hop_limit = 64, .src = a, .dst = b};
    struct icmpv6 request = {ICMPV6_ECHO_REQUEST, 0, (const uint8_t *)"idsqdata", 8};
    uint8_t packet[64], answer[64];
    struct writer w;
    struct ipv6_upper upper;
    struct icmpv6 reply;
    writer_init(&w, packet, sizeof packet);
    ipv6_write(&header, &w);
    icmpv6_write(&request, &a, &b, &w);
    int len = icmpv6_echo_reply(&b, packet, w.len, answer, sizeof answer);
    REQUIRE(len == 52);
    REQUIRE(ipv6_find_upper(&upper, answer, (size_t)len) == MOTE_OK);
    REQUIRE(icmpv6_parse(&reply, &upper, answer) == MOTE_OK);
    CHECK_INT(reply.type, ICMPV6_ECHO_REPLY);
    CHECK(ipv6_equal(&upper.src, &b) && ipv6_equal(&upper.dst, &a));
    CHECK_OCTETS(reply.body, reply.body_len, "idsqdata", 8);
    CHECK_INT(icmpv6_echo_reply(&a, packet, w.len, answer, sizeof answer), MOTE_E_UNSUPPORTED);
    CHECK_INT(icmpv6_echo_reply(&a, answer, (size_t)len, packet, sizeof packet),
              MOTE_E_UNSUPPORTED);
    CHECK_INT(icmpv6_echo_reply(&b, packet, w.len, answer, 51), MOTE_E_SPACE);
}

TEST(sums_odd_pieces_as_one_message)
{
    struct dice dice = {7};
    uint8_t data[301];
    struct ipv6_address src, dst;
    dice_fill(&dice, data, sizeof data);
    dice_fill(&dice, src.octets, 16);
    dice_fill(&dice, dst.octets, 16);
    struct piece whole = {data, sizeof data};
    uint16_t expected = ipv6_checksum(&src, &dst, NEXT_UDP, &whole, 1);
    for (size_t cut = 0; cut <= sizeof data; cut++) {
        struct piece parts[] = {{data, cut}, {data + cut, sizeof data - cut}};
        CHECK_INT(ipv6_checksum(&src, &dst, NEXT_UDP, parts, 2), expected);
    }
}

TEST(refuses_headers_that_run_past_the_packet)
{
    uint8_t packet[48] = {0x60, 0, 0, 0, 0, 8, NEXT_HOP_BY_HOP, 64};
    struct ipv6_upper upper;
    struct ipv6_header header;
    packet[40] = NEXT_UDP;
    CHECK_INT(ipv6_find_upper(&upper, packet, sizeof packet), MOTE_OK);
    CHECK_INT(upper.len, 0);
    packet[41] = 1;
    CHECK_INT(ipv6_find_upper(&upper, packet, sizeof packet), MOTE_E_SHORT);
    packet[5] = 7;
    CHECK_INT(ipv6_parse(&header, packet, sizeof packet), MOTE_E_MALFORMED);
    packet[0] = 0x40;
    packet[5] = 8;
    CHECK_INT(ipv6_parse(&header, packet, sizeof packet), MOTE_E_MALFORMED);
}

TEST(never_sends_a_zero_udp_checksum)
{
    struct ipv6_address zero = {{0}};
    uint8_t out[16], payload[2] = {0, 0};
    struct udp udp = {0, 0, payload, 2};
    struct writer w;
    /* 17 + 10 + 10 + payload = 0xffff makes the sum's complement 0 */
    payload[0] = 0xff;
    payload[1] = 0xff - 17 - 10 - 10;
    writer_init(&w, out, sizeof out);
    udp_write(&udp, &zero, &zero, &w);
    CHECK_OCTETS(out + 6, 2, "\xff\xff", 2);
}

int main(void)
{
    RUN(checks_and_makes_the_checksum_of_every_recorded_packet);
    RUN(reads_and_writes_back_every_recorded_header);
    RUN(detects_a_damaged_octet_in_every_recorded_packet);
    RUN(derives_addresses_from_link_addresses);
    RUN(answers_an_echo_request_and_nothing_else);
    RUN(sums_odd_pieces_as_one_message);
    RUN(refuses_headers_that_run_past_the_packet);
    RUN(never_sends_a_zero_udp_checksum);
    return harness_report();
}
