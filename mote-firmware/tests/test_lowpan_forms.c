/* The compressed forms of single headers, and unknown forms. */
#include "lowpan.h"
#include "mote/ieee802154.h"
#include "vectors.h"

static size_t compressed_len(const uint8_t *packet, size_t len, const struct link_address *src,
                             const struct link_address *dst, bool ipsec, uint8_t *out)
{
    size_t covered = 0;
    int n = lowpan_compress(&lowpan, packet, len, src, dst, ipsec, out, FRAME_MAX, &covered);
    CHECK(n > 0);
    return n < 0 ? 0 : (size_t)n;
}

static struct ipv6_address address(const char *hex)
{
    struct ipv6_address made;
    from_hex(hex, made.octets, 16);
    return made;
}

/* RFC 6282 section 3.1.1: each address form and its octets beyond dispatch and next header. */
TEST(finds_the_shortest_form_of_every_kind_of_address)
{
    static const struct {
        const char *address;
        size_t as_source, as_destination;
    } rows[] = {
        {"00000000000000000000000000000000", 0, 16},
        {"fe800000000000000012000000000001", 0, 8}, /* the source's link address */
        {"fe80000000000000000000fffe001234", 2, 2},
        {"fe800000000000005555555555555555", 8, 8},
        {"fe800000000000010012000000000001", 16, 16},
        {"fd000000000000000012000000000001", 0, 8},
        {"fd00000000000000000000fffe00abcd", 2, 2},
        {"20010db8000000000012000000000001", 1, 9}, /* context 1: one octet names it */
        {"20010db8000700000012000000000001", 1, 9},
        {"20010db8000900000000000000000001", 1, 1},   /* the whole address is a context */
        {"20010db80000002c0012000000000001", 16, 16}, /* beyond the 61 bits of context 4 */
        {"20010db8000000280012000000000001", 1, 9},
        {"20010db9000000000012000000000001", 16, 16}, /* for receiving only */
        {"ff020000000000000000000000000001", 16, 1},
        {"ff020000000000000000000000000101", 16, 4},
        {"ff050000000000000000000000010003", 16, 4},
        {"ff050000000000000000000100010003", 16, 6},
        {"ff050000000000000000010000010003", 16, 16},
        {"ff3e004020010db80000000012345678", 16, 7}, /* RFC 3306 around context 1 */
        {"ff7e0140fd0000000000000012345678", 16, 6}, /* RFC 3956 around context 0 */
    };
    const uint8_t eui[8] = {0x02, 0x12, 0, 0, 0, 0, 0, 1}, other[8] = {2};
    struct link_address src = link_extended(eui), dst = link_extended(other);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t packet[40], out[FRAME_MAX];
        struct ipv6_header header = {.next_header = NEXT_NONE, .hop_limit = 64};
        struct writer w;
        header.src = address(rows[i].address);
        header.dst = ipv6_link_local(&dst);
        writer_init(&w, packet, sizeof packet);
        ipv6_write(&header, &w);
        CHECK_INT(compressed_len(packet, 40, &src, &dst, false, out), 3 + rows[i].as_source);
        round_trip(&lowpan, packet, 40, &src, &dst, false, 104);
        header.dst = header.src;
        header.src = ipv6_link_local(&src);
        writer_init(&w, packet, sizeof packet);
        ipv6_write(&header, &w);
        CHECK_INT(compressed_len(packet, 40, &src, &dst, false, out), 3 + rows[i].as_destination);
        round_trip(&lowpan, packet, 40, &src, &dst, false, 104);
    }
}

TEST(carries_every_traffic_class_flow_label_and_hop_limit)
{
    struct link_address src = link_short(1), dst = link_short(2);
    static const uint32_t labels[] = {0, 1, 0xf0000, 0xfffff};
    static const uint8_t limits[] = {0, 1, 2, 63, 64, 255};
    for (unsigned class = 0; class < 256; class ++) {
        for (size_t i = 0; i < 24; i++) {
            uint8_t packet[40];
            struct writer w;
            struct ipv6_header header = {.traffic_class = (uint8_t) class,
                                         .flow_label = labels[i % 4],
                                         .hop_limit = limits[i / 4],
                                         .next_header = NEXT_NONE,
                                         .src = ipv6_link_local(&src),
                                         .dst = ipv6_link_local(&dst)};
            writer_init(&w, packet, sizeof packet);
            ipv6_write(&header, &w);
            round_trip(&lowpan, packet, 40, &src, &dst, false, 104);
        }
    }
}

TEST(skips_mesh_and_broadcast_headers)
{
    /* hops 15 with the deep octet, originator short 1, final EUI-64, BC0 sequence 9, IPHC */
    uint8_t payload[64];
    size_t len = from_hex("af20 0001 1122334455667788 5009 7a33 3a 010203", payload, 64);
    struct link_address src = link_short(5), dst = link_short(6), origin = link_short(1);
    struct lowpan_packet got;
    reset();
    REQUIRE(lowpan_receive(&receiver, &lowpan, payload, len, &src, &dst, 0, &got) == MOTE_OK);
    struct ipv6_header header;
    REQUIRE(got.data != NULL && ipv6_parse(&header, got.data, got.len) == MOTE_OK);
    struct ipv6_address expected = ipv6_link_local(&origin);
    CHECK(ipv6_equal(&header.src, &expected));
    CHECK(link_equal(&got.src, &origin) && got.dst.size == LINK_EXTENDED);
    for (size_t cut = 0; cut < 14; cut++)
        CHECK(lowpan_receive(&receiver, &lowpan, payload, cut, &src, &dst, 0, &got) != MOTE_OK);
}

TEST(computes_an_elided_udp_checksum_also_over_fragments)
{
    struct link_address src = link_short(1), dst = link_short(2);
    uint8_t payload[300], packet[IPV6_MTU], frame[FRAME_MAX];
    struct ipv6_address a = ipv6_link_local(&src), b = ipv6_link_local(&dst);
    struct lowpan_packet got;
    struct writer w;
    memset(payload, 0x5a, sizeof payload);
    struct udp udp = {0xf0b1, 0xf0b2, payload, 20};
    int len = ipv6_udp_packet(&udp, &a, &b, packet, sizeof packet);
    reset();
    writer_init(&w, frame, sizeof frame);
    writer_u32(&w, 0x7e33f712); /* IPHC, NHC UDP with C = 1, ports 1 and 2 */
    writer_bytes(&w, payload, 20);
    CHECK_INT(lowpan_receive(&receiver, &lowpan, frame, w.len, &src, &dst, 0, &got), MOTE_OK);
    CHECK_OCTETS(got.data, got.len, packet, (size_t)len);

    udp.payload_len = 152; /* 200 octets in two fragments of 96 and 104 */
    len = ipv6_udp_packet(&udp, &a, &b, packet, sizeof packet);
    for (int turn = 0; turn < 2; turn++) {
        bool first = turn == 1; /* the last fragment arrives first */
        writer_init(&w, frame, sizeof frame);
        writer_u16(&w, (uint16_t)((first ? 0xc000 : 0xe000) | 200));
        writer_u16(&w, 3);
        if (first)
            writer_u32(&w, 0x7e33f712);
        else
            writer_u8(&w, 96 / 8);
        writer_bytes(&w, payload, first ? 48 : 104);
        CHECK_INT(lowpan_receive(&receiver, &lowpan, frame, w.len, &src, &dst, 0, &got), MOTE_OK);
    }
    CHECK_OCTETS(got.data, got.len, packet, (size_t)len);
}

TEST(restores_padding_that_another_sender_elided)
{
    struct link_address src = link_short(1), dst = link_short(2);
    struct lowpan_packet got;
    uint8_t payload[64], expected[64];
    static const struct {
        const char *frame, *options;
    } rows[] = {
        {"7e33 e0 3b 04 05020000", "3b00 05020000 0100"},    /* PadN of 2 */
        {"7e33 e0 3b 05 0503000000", "3b00 0503000000 00"},  /* Pad1 */
        {"7e33 e6 3b 00", "3b00 010400000000"},              /* PadN of 6 */
        {"7e33 e0 3b 06 050200000100", "3b00 050200000100"}, /* nothing elided */
        {"7e33 e1 06 050200000000 e6 3b 06 010400000000", "3c00050200000000 3b00010400000000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t len = from_hex(rows[i].frame, payload, sizeof payload);
        size_t options = from_hex(rows[i].options, expected, sizeof expected);
        REQUIRE(lowpan_receive(&receiver, &lowpan, payload, len, &src, &dst, 0, &got) == MOTE_OK);
        CHECK_OCTETS(got.data + 40, got.len - 40, expected, options);
    }
}

TEST(compresses_ah_and_esp_as_the_papers_count)
{
    static const struct {
        uint8_t protocol;
        const char *header; /* and what follows it */
        const char *compressed;
    } rows[] = {
        /* Raza 2011, table II: AH of 24 octets becomes 16 with NHC_EH (SPI 1, sequence number of 16
         * bits), or 17 with an inline next header. */
        {NEXT_AH, "3a040000 00000001 00000005 000102030405060708090a0b 8000ffff",
         "eb d0 3a 0005 000102030405060708090a0b"},
        {NEXT_AH, "3a060000 12345678 00010000 000102030405060708090a0b0c0d0e0f10111213 80",
         "eb de 3a 06 12345678 00010000 000102030405060708090a0b0c0d0e0f10111213"},
        {NEXT_AH, "11040000 00000001 00000005 000102030405060708090a0b f0b1f0b2000a1234 0000",
         "eb d1 0005 000102030405060708090a0b f3 12 1234"},
        {NEXT_ESP, "00000001 00000005 a1a2a3a4", "ed e0 0005"},
        {NEXT_ESP, "00000080 00000005 a1a2a3a4", "ed e4 80 0005"},
        {NEXT_ESP, "00008001 00010005 a1a2a3a4", "ed ea 8001 00010005"},
        {NEXT_ESP, "11000001 00000005 a1a2a3a4", "ed ec 11000001 0005"},
    };
    struct link_address src = link_short(1), dst = link_short(2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint8_t packet[128], out[FRAME_MAX], rest[64], expected[64];
        struct writer w;
        size_t len = from_hex(rows[i].header, rest, sizeof rest);
        size_t expected_len = from_hex(rows[i].compressed, expected, sizeof expected);
        struct ipv6_header header = {.next_header = rows[i].protocol,
                                     .payload_len = (uint16_t)len,
                                     .hop_limit = 64,
                                     .src = ipv6_link_local(&src),
                                     .dst = ipv6_link_local(&dst)};
        writer_init(&w, packet, sizeof packet);
        ipv6_write(&header, &w);
        writer_bytes(&w, rest, len);
        size_t n = compressed_len(packet, w.len, &src, &dst, true, out);
        CHECK_OCTETS(out + 2, n - 2, expected, expected_len);
        round_trip(&lowpan, packet, w.len, &src, &dst, true, 104);
        CHECK_INT(compressed_len(packet, w.len, &src, &dst, false, out), 3);
    }
}

TEST(accepts_esp_after_the_extension_octet_of_ah)
{
    struct link_address src = link_short(1), dst = link_short(2);
    struct lowpan_packet got;
    uint8_t payload[64], expected[64];
    size_t len = from_hex("7e33 eb e0 0005 a1a2a3a4", payload, sizeof payload);
    size_t wanted = from_hex("00000001 00000005 a1a2a3a4", expected, sizeof expected);
    REQUIRE(lowpan_receive(&receiver, &lowpan, payload, len, &src, &dst, 0, &got) == MOTE_OK);
    CHECK_INT(got.data[6], NEXT_ESP);
    CHECK_OCTETS(got.data + 40, got.len - 40, expected, wanted);
    CHECK(got.ipsec_nhc);
}

TEST(drops_unknown_forms)
{
    static const struct {
        const char *payload;
        int error;
    } rows[] = {
        {"", MOTE_E_SHORT},
        {"00", MOTE_E_UNSUPPORTED},                       /* not 6LoWPAN */
        {"42fa", MOTE_E_UNSUPPORTED},                     /* HC1 */
        {"7a", MOTE_E_SHORT},                             /* half of IPHC */
        {"7a33", MOTE_E_SHORT},                           /* next header missing */
        {"7a34 3b", MOTE_E_MALFORMED},                    /* DAC with full address: reserved */
        {"7a3d 3b 010203040506", MOTE_E_MALFORMED},       /* M and DAC: 01 is reserved */
        {"7af7 f0 3a", MOTE_E_UNSUPPORTED},               /* an undefined context */
        {"7e33 d0", MOTE_E_UNSUPPORTED},                  /* Raza's NHC_AH without its NHC_EH */
        {"7e33 ee", MOTE_E_UNSUPPORTED},                  /* IPv6 in IPv6 */
        {"7e33 ed e1 0005 a1a2a3a4", MOTE_E_UNSUPPORTED}, /* UDP compressed inside the ESP */
        {"7e33 e2 3b 05 0102030405", MOTE_E_MALFORMED},   /* routing header not in units of 8 */
        {"7e33 e4 3b 0e 0102030405060708090a0b0c0d0e", MOTE_E_MALFORMED}, /* fragment of 16 */
        {"7e33 e0 3b 09 0102", MOTE_E_SHORT},
        {"7e33 f0 1633", MOTE_E_SHORT},
        {"7e33 eb d8 3b 00 0001", MOTE_E_MALFORMED}, /* an AH shorter than its fixed part */
        {"41 6000000000003b40", MOTE_E_SHORT},
        {"c000", MOTE_E_SHORT},
    };
    struct link_address src = link_short(1), dst = link_short(2);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct lowpan_packet got;
        uint8_t payload[64];
        size_t len = from_hex(rows[i].payload, payload, sizeof payload);
        int error = lowpan_receive(&receiver, &lowpan, payload, len, &src, &dst, 0, &got);
        if (error != rows[i].error)
            printf("%s\n", rows[i].payload);
        CHECK_INT(error, rows[i].error);
        CHECK(got.data == NULL);
    }
}

int main(void)
{
    RUN(finds_the_shortest_form_of_every_kind_of_address);
    RUN(carries_every_traffic_class_flow_label_and_hop_limit);
    RUN(skips_mesh_and_broadcast_headers);
    RUN(computes_an_elided_udp_checksum_also_over_fragments);
    RUN(restores_padding_that_another_sender_elided);
    RUN(compresses_ah_and_esp_as_the_papers_count);
    RUN(accepts_esp_after_the_extension_octet_of_ah);
    RUN(drops_unknown_forms);
    return harness_report();
}
