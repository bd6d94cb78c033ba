/* Recorded and random packets through compression and fragmentation, restored exactly. */
#include "lowpan.h"
#include "mote/crypto_bearssl.h"
#include "mote/ieee802154.h"
#include "vectors.h"

static const struct lowpan contiki = {contexts, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
static const struct lowpan stateless = {NULL, 0, &lowpan_nhc_esp, &lowpan_nhc_ah};

static struct bearssl_aes128 aes_state;
static struct aes128 aes;

/* The decrypted payload of a recorded frame, or NULL if it is not 6LoWPAN. */
static const uint8_t *open_frame(struct frame *frame, uint8_t *psdu, size_t len, size_t *payload)
{
    if (frame_parse(frame, psdu, len) != MOTE_OK || frame->type != FRAME_DATA)
        return NULL;
    *payload = frame->payload_len;
    if (frame->secured && frame->security.level == 4)
        *payload -= 2; /* Contiki-NG's faulty level 4: in clear, with two extra octets */
    else if (frame->secured)
        CHECK_INT(frame_open(frame, psdu, &aes, frame->src.octets), MOTE_OK);
    return frame->payload;
}

static int packets_seen;

static void check_packet(const struct lowpan_packet *got, const struct vector_line *line,
                         const struct frame *frame)
{
    CHECK_OCTETS(got->data, got->len, line->octets, line->len);
    round_trip(&contiki, line->octets, line->len, &frame->src, &frame->dst, false, 104);
    packets_seen++;
}

static void replay_recording(const char *name)
{
    FILE *file = vector_open("contiki-ng", name);
    struct vector_line line = {0};
    struct lowpan_packet got = {0};
    struct frame frame = {0};
    uint8_t copy[LOWPAN_SINGLE_MAX + IPV6_MTU];
    reset();
    while (vector_next(file, &line)) {
        size_t len, payload_len = 0;
        uint8_t *psdu;
        if (line.kind == 'k') {
            aes.set_key(aes.context, line.octets);
        } else if (line.kind == 'i') {
            CHECK(got.data != NULL);
            struct lowpan_slot kept[4];
            uint8_t kept_octets[4][IPV6_MTU];
            memcpy(kept, slots, sizeof slots); /* the round trip uses the same receiver */
            memcpy(kept_octets, datagrams, sizeof datagrams);
            check_packet(&got, &line, &frame);
            memcpy(slots, kept, sizeof slots);
            memcpy(datagrams, kept_octets, sizeof datagrams);
            got.data = NULL;
        } else if ((psdu = vector_psdu(&line, &len)) != NULL) {
            CHECK(got.data == NULL); /* there is a packet, but the recording has none */
            const uint8_t *payload = open_frame(&frame, psdu, len, &payload_len);
            if (payload == NULL)
                continue;
            CHECK_INT(lowpan_receive(&receiver, &contiki, payload, payload_len, &frame.src,
                                     &frame.dst, (uint32_t)line.time, &got),
                      MOTE_OK);
            if (got.data != NULL) { /* it is in the receiver, which the round trip will use */
                memcpy(copy, got.data, got.len);
                got.data = copy;
            }
            if (!harness_ok) {
                printf("%s line %d\n", name, line.number);
                break;
            }
        }
    }
    fclose(file);
}

TEST(decodes_contikis_recordings_and_restores_each_packet_exactly)
{
    for (size_t i = 0; i < CONTIKI_FILES && harness_ok; i++)
        replay_recording(contiki_files[i]);
    CHECK_INT(packets_seen, 36 + 78 + 16 + 17 + 40 * 5 + 48 + 40 + 40 + 40 + 30 + 71 + 49);
}

TEST(decodes_the_kernels_vectors_and_restores_each_exactly)
{
    FILE *file = vector_open("linux", "6lowpan");
    struct vector_line line = {0};
    uint8_t packet[IPV6_MTU];
    size_t packet_len = 0;
    int packets = 0;
    reset();
    while (vector_next(file, &line)) {
        struct lowpan_packet got;
        struct frame frame;
        size_t len;
        if (line.kind == 'i') {
            packet_len = line.len;
            memcpy(packet, line.octets, line.len);
        }
        if (line.kind != 'f')
            continue;
        uint8_t *psdu = vector_psdu(&line, &len);
        REQUIRE(frame_parse(&frame, psdu, len) == MOTE_OK);
        CHECK_INT(lowpan_receive(&receiver, &stateless, frame.payload, frame.payload_len,
                                 &frame.src, &frame.dst, 0, &got),
                  MOTE_OK);
        if (got.data != NULL) {
            CHECK_OCTETS(got.data, got.len, packet, packet_len);
            round_trip(&stateless, packet, packet_len, &frame.src, &frame.dst, false, 104);
            round_trip(&lowpan, packet, packet_len, &frame.src, &frame.dst, true, 80);
            packets++;
        }
    }
    fclose(file);
    CHECK_INT(packets, 232);
}

/* Appends an extension header of random content, followed by one of type `next`. */
static void random_extension(struct dice *dice, struct writer *w, uint8_t kind, uint8_t next)
{
    uint8_t units = (uint8_t)dice_below(dice, 4);
    size_t size = (units + 1U) * 8U;
    if (kind == NEXT_AH) {
        units = (uint8_t)(1 + dice_below(dice, 8));
        size = (units + 2U) * 4U;
    } else if (kind == NEXT_FRAGMENT) {
        units = 0;
        size = 8;
    }
    writer_u8(w, next);
    writer_u8(w, units);
    writer_u16(w, kind == NEXT_AH && dice_below(dice, 8) > 0 ? 0 : 0x0102);
    dice_fill(dice, writer_take(w, size - 4), size - 4);
    if (kind == NEXT_AH && dice_below(dice, 2) == 0) {
        static const uint8_t small[8] = {0, 0, 0, 1, 0, 0, 0x12, 0x34};
        memcpy(w->start + w->len - size + 4, small, 8);
    }
}

/*
 * Makes headers with valid UDP lengths, then `len` octets of payload. Returns the packet's length.
 */
static size_t random_packet(struct dice *dice, uint8_t *packet, const struct link_address *src,
                            const struct link_address *dst)
{
    static const uint8_t prefixes[][8] = {{0xfe, 0x80}, {0xfd}, {0x20, 1, 0x0d, 0xb8}, {0x26}};
    static const uint8_t kinds[] = {NEXT_HOP_BY_HOP, NEXT_ROUTING, NEXT_DESTINATION,
                                    NEXT_FRAGMENT,   NEXT_AH,      NEXT_MOBILITY};
    uint8_t chain[5];
    size_t count = dice_below(dice, sizeof chain);
    static const uint8_t ends[] = {NEXT_UDP, NEXT_UDP, NEXT_ICMPV6, NEXT_ESP, NEXT_NONE, 41, 6};
    uint8_t end = ends[dice_below(dice, sizeof ends)];
    struct writer w;
    struct ipv6_header header = {.hop_limit = (uint8_t)dice_roll(dice), .next_header = end};
    if (dice_below(dice, 2) == 0) {
        header.hop_limit = 64;
        header.traffic_class = (uint8_t)(dice_roll(dice) & dice_roll(dice));
        header.flow_label = (uint32_t)dice_below(dice, 3) * 0x12345;
    }
    header.src = ipv6_under_prefix(prefixes[dice_below(dice, 4)], src);
    header.dst = ipv6_under_prefix(prefixes[dice_below(dice, 4)], dst);
    if (dice_below(dice, 4) == 0) {
        dice_fill(dice, header.dst.octets + dice_below(dice, 15), 1);
        header.dst.octets[0] = 0xff;
    }
    for (size_t i = 0; i < count; i++)
        chain[i] = kinds[dice_below(dice, sizeof kinds)];
    if (count > 0)
        header.next_header = chain[0];
    writer_init(&w, packet, IPV6_MTU);
    ipv6_write(&header, &w);
    for (size_t i = 0; i < count; i++)
        random_extension(dice, &w, chain[i], i + 1 < count ? chain[i + 1] : end);
    size_t payload = dice_below(dice, dice_below(dice, 2) ? 60 : IPV6_MTU - w.len - 8);
    if (end == NEXT_UDP) {
        writer_u16(&w, dice_below(dice, 2) ? 0xf0b3 : (uint16_t)dice_roll(dice));
        writer_u16(&w, dice_below(dice, 2) ? (dice_below(dice, 2) ? 0xf0bf : 0xf012) : 5683);
        writer_u16(&w, (uint16_t)(8 + payload + (dice_below(dice, 9) == 0)));
        writer_u16(&w, (uint16_t)dice_roll(dice));
    } else if (end == NEXT_ESP) {
        writer_u32(&w, (uint32_t)(dice_roll(dice) >> (32 + 8 * dice_below(dice, 4))));
        writer_u32(&w, (uint32_t)(dice_roll(dice) >> (32 + 16 * dice_below(dice, 2))));
    }
    dice_fill(dice, writer_take(&w, payload), payload);
    packet[4] = (uint8_t)((w.len - 40) >> 8);
    packet[5] = (uint8_t)(w.len - 40);
    CHECK(!w.failed);
    return w.len;
}

static struct link_address random_link(struct dice *dice)
{
    uint8_t eui[8];
    dice_fill(dice, eui, sizeof eui);
    return dice_below(dice, 3) == 0 ? link_short((uint16_t)dice_roll(dice)) : link_extended(eui);
}

TEST(restores_random_packets_from_shuffled_repeated_fragments)
{
    struct dice dice = {20260914};
    for (int round = 0; round < 3000 && harness_ok; round++) {
        uint8_t packet[IPV6_MTU];
        uint8_t payloads[64][FRAME_MAX];
        size_t lens[64], order[128], count = 0, deliveries = 0;
        struct lowpan_sender sender;
        struct link_address src = random_link(&dice), dst = random_link(&dice);
        bool ipsec = dice_below(&dice, 2) == 0;
        size_t room = 70 + dice_below(&dice, 47);
        size_t len = random_packet(&dice, packet, &src, &dst);
        reset();
        REQUIRE(lowpan_send_start(&sender, &lowpan, packet, len, &src, &dst, ipsec, room,
                                  (uint16_t)round) == MOTE_OK);
        int n;
        while ((n = lowpan_send_next(&sender, payloads[count], room)) > 0) {
            REQUIRE((size_t)n <= room);
            lens[count++] = (size_t)n;
            REQUIRE(count < 64);
        }
        REQUIRE(n == 0 && count == lowpan_send_frames(&sender));
        size_t sends = count; /* every frame in any order, with some repetitions in between */
        for (size_t i = 0; i < count; i++)
            order[i] = i;
        for (size_t i = count; i > 1; i--) {
            size_t j = dice_below(&dice, i);
            size_t swap = order[i - 1];
            order[i - 1] = order[j];
            order[j] = swap;
        }
        for (size_t i = 0; i < sends; i++) {
            for (size_t again = 0; again < 1 + dice_below(&dice, 2); again++) {
                struct lowpan_packet got;
                if (again > 0 && i + 1 == sends)
                    break; /* a repeated last frame would begin a new datagram */
                REQUIRE(lowpan_receive(&receiver, &lowpan, payloads[order[i]], lens[order[i]], &src,
                                       &dst, 10, &got) == MOTE_OK);
                if (got.data != NULL) {
                    CHECK_OCTETS(got.data, got.len, packet, len);
                    deliveries++;
                }
            }
        }
        CHECK_INT(deliveries, 1);
        if (!harness_ok) {
            printf("round %d, room %zu, ipsec %d\n", round, room, ipsec);
            harness_hex("packet", packet, len);
        }
    }
}

int main(void)
{
    bearssl_aes128(&aes, &aes_state);
    RUN(decodes_contikis_recordings_and_restores_each_packet_exactly);
    RUN(decodes_the_kernels_vectors_and_restores_each_exactly);
    RUN(restores_random_packets_from_shuffled_repeated_fragments);
    return harness_report();
}
