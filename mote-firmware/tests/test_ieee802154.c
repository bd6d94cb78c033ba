#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "mote/ieee802154.h"
#include "vectors.h"

static struct bearssl_aes128 aes_state;
static struct aes128 aes;

TEST(reads_and_writes_back_every_recorded_frame)
{
    int frames = 0;
    for (size_t i = 0; i < CONTIKI_FILES; i++) {
        FILE *file = vector_open("contiki-ng", contiki_files[i]);
        struct vector_line line = {0};
        while (vector_next(file, &line)) {
            size_t len;
            uint8_t *psdu = vector_psdu(&line, &len);
            struct frame frame;
            uint8_t out[FRAME_MAX];
            if (psdu == NULL)
                continue;
            REQUIRE(frame_parse(&frame, psdu, len) == MOTE_OK);
            int written = frame_write(&frame, out, sizeof out);
            CHECK_OCTETS(out, (size_t)written, psdu, len - frame.mic_len);
            if (line.kind == '*') {
                CHECK(frame_fcs_good(line.octets, line.len));
                frame_fcs_append(line.octets, line.len - 2);
                CHECK(frame_fcs_good(line.octets, line.len));
                line.octets[0] ^= 1;
                CHECK(!frame_fcs_good(line.octets, line.len));
            }
            frames++;
        }
        fclose(file);
    }
    CHECK(frames > 1000);
}

TEST(reads_and_writes_back_every_frame_of_the_linux_kernel)
{
    FILE *file = vector_open("linux", "6lowpan");
    struct vector_line line = {0};
    int frames = 0;
    while (vector_next(file, &line)) {
        size_t len;
        uint8_t *psdu = vector_psdu(&line, &len);
        struct frame frame;
        uint8_t out[FRAME_MAX];
        if (psdu == NULL)
            continue;
        CHECK(frame_fcs_good(line.octets, line.len));
        REQUIRE(frame_parse(&frame, psdu, len) == MOTE_OK);
        CHECK_OCTETS(out, (size_t)frame_write(&frame, out, sizeof out), psdu, len);
        frames++;
    }
    fclose(file);
    CHECK(frames > 232);
}

/* Checks that a frame does not open after a change of any authenticated octet, or under another
 * key. */
static void refuse_forgeries(const uint8_t *psdu, size_t len, const uint8_t key[16])
{
    struct frame frame;
    uint8_t copy[FRAME_MAX];
    uint8_t other[16];
    const size_t header = 21; /* control, seq and addresses: changing them changes the parse */
    for (size_t i = header; i < len; i++) {
        memcpy(copy, psdu, len);
        copy[i] ^= 0x10;
        if (frame_parse(&frame, copy, len) == MOTE_OK && frame.secured)
            CHECK(frame_open(&frame, copy, &aes, frame.src.octets) != MOTE_OK);
    }
    memcpy(other, key, 16);
    other[15] ^= 1;
    aes.set_key(aes.context, other);
    memcpy(copy, psdu, len);
    REQUIRE(frame_parse(&frame, copy, len) == MOTE_OK);
    CHECK_INT(frame_open(&frame, copy, &aes, frame.src.octets), MOTE_E_AUTH);
    aes.set_key(aes.context, key);
}

static void seal_again(const uint8_t *plain, size_t plain_len, const uint8_t *psdu, size_t len)
{
    struct frame frame;
    uint8_t out[FRAME_MAX];
    uint8_t padded[FRAME_MAX + FRAME_MIC_MAX] = {0};
    memcpy(padded, plain, plain_len); /* the parser requires space for a MIC after the payload */
    REQUIRE(frame_parse(&frame, padded, len) == MOTE_OK);
    int sealed = frame_seal(&frame, &aes, frame.src.octets, out, sizeof out);
    CHECK_OCTETS(out, (size_t)sealed, psdu, len);
}

static int open_recording(const char *name)
{
    FILE *file = vector_open("contiki-ng", name);
    struct vector_line line = {0};
    uint8_t key[16] = {0}, psdu[FRAME_MAX];
    size_t len = 0;
    int opened = 0;
    while (vector_next(file, &line)) {
        if (line.kind == 'k') {
            memcpy(key, line.octets, 16);
            aes.set_key(aes.context, key);
        } else if (line.kind == '*') {
            len = line.len - 2;
            memcpy(psdu, line.octets, len);
        } else if (line.kind == 'p') {
            struct frame frame;
            uint8_t copy[FRAME_MAX];
            memcpy(copy, psdu, len);
            CHECK_INT(frame_parse(&frame, copy, len), MOTE_OK);
            CHECK_INT(frame_open(&frame, copy, &aes, frame.src.octets), MOTE_OK);
            CHECK_OCTETS(copy, len - frame.mic_len, line.octets, line.len);
            seal_again(line.octets, line.len, psdu, len);
            refuse_forgeries(psdu, len, key);
            opened++;
        }
    }
    fclose(file);
    return opened;
}

TEST(opens_every_secured_recording_and_seals_it_again_identically)
{
    CHECK_INT(open_recording("llsec-level1"), 53);
    CHECK_INT(open_recording("llsec-level2"), 58);
    CHECK_INT(open_recording("llsec-level3"), 61);
    CHECK_INT(open_recording("llsec-level5"), 53);
    CHECK_INT(open_recording("llsec-level5-keyindex"), 61);
    CHECK_INT(open_recording("llsec-level6"), 58);
    CHECK_INT(open_recording("llsec-level7"), 61);
}

TEST(opens_contikis_broken_level_4_to_garbage_not_clear_text)
{
    FILE *file = vector_open("contiki-ng", "llsec-level4");
    struct vector_line line = {0};
    int seen = 0;
    while (vector_next(file, &line)) {
        struct frame frame;
        uint8_t copy[FRAME_MAX];
        if (line.kind == 'k')
            aes.set_key(aes.context, line.octets);
        if (line.kind != '*')
            continue;
        memcpy(copy, line.octets, line.len);
        REQUIRE(frame_parse(&frame, copy, line.len - 2) == MOTE_OK);
        if (frame.secured) {
            CHECK_INT(frame.security.level, 4);
            CHECK_INT(frame_open(&frame, copy, &aes, frame.src.octets), MOTE_OK);
            CHECK(memcmp(frame.payload, line.octets + frame.header_len, 8) != 0);
            seen++;
        }
    }
    fclose(file);
    CHECK_INT(seen, 28);
}

/* IEEE 802.15.4-2015 table 7-2: the PAN ids that are present, for both values of the bit. */
TEST(knows_the_pan_id_table_of_2015)
{
    static const struct {
        uint8_t dst, src;
        bool compression, dst_pan, src_pan;
    } rows[] = {
        {0, 0, false, false, false}, {0, 0, true, true, false},  {2, 0, false, true, false},
        {8, 0, false, true, false},  {2, 0, true, false, false}, {8, 0, true, false, false},
        {0, 2, false, false, true},  {0, 8, false, false, true}, {0, 2, true, false, false},
        {8, 8, false, true, false},  {8, 8, true, false, false}, {2, 2, false, true, true},
        {2, 8, false, true, true},   {8, 2, false, true, true},  {2, 8, true, true, false},
        {8, 2, true, true, false},   {2, 2, true, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct frame made = {.type = FRAME_DATA, .version = 2, .has_seq = i % 2 == 0};
        struct frame read;
        uint8_t out[FRAME_MAX], payload[3] = {1, 2, 3};
        made.dst.size = rows[i].dst;
        made.src.size = rows[i].src;
        made.pan_compression = rows[i].compression;
        made.dst_pan = 0x1234;
        made.src_pan = 0x5678;
        made.payload = payload;
        made.payload_len = sizeof payload;
        int len = frame_write(&made, out, sizeof out);
        REQUIRE(len > 0);
        CHECK_INT(len, 2 + (i % 2 == 0) + 2 * rows[i].dst_pan + 2 * rows[i].src_pan + rows[i].dst +
                           rows[i].src + 3);
        CHECK_INT(frame_parse(&read, out, (size_t)len), MOTE_OK);
        CHECK_INT(read.has_dst_pan, rows[i].dst_pan);
        CHECK_INT(read.has_src_pan, rows[i].src_pan);
        CHECK_INT(read.has_seq, i % 2 == 0);
        CHECK_OCTETS(read.payload, read.payload_len, payload, 3);
    }
}

TEST(seals_and_opens_random_frames_at_every_level_and_key_mode)
{
    struct dice dice = {2026};
    uint8_t key[16], eui[8], payload[60], out[FRAME_MAX];
    for (int i = 0; i < 2000; i++) {
        struct frame made, read;
        struct link_address dst, src;
        dice_fill(&dice, eui, sizeof eui);
        dice_fill(&dice, key, sizeof key);
        dice_fill(&dice, payload, sizeof payload);
        aes.set_key(aes.context, key);
        dst = i % 3 == 0 ? link_short(0xffff) : link_extended(key);
        src = i % 5 == 0 ? link_short(0x1234) : link_extended(eui);
        frame_data(&made, 0xabcd, &dst, &src, (uint8_t)i);
        made.version = (uint8_t)(1 + dice_below(&dice, 2));
        made.secured = true;
        made.security.level = (uint8_t)(i % 8);
        made.security.key_mode = (uint8_t)(i / 8 % 4);
        made.security.counter = (uint32_t)dice_roll(&dice) >> 1;
        made.security.key_index = (uint8_t)i;
        memcpy(made.security.key_source, payload, 8);
        made.payload = payload;
        made.payload_len = dice_below(&dice, sizeof payload);
        int len = frame_seal(&made, &aes, eui, out, sizeof out);
        REQUIRE(len > 0);
        CHECK_INT((size_t)len, frame_overhead(&made) + made.payload_len);
        REQUIRE(frame_parse(&read, out, (size_t)len) == MOTE_OK);
        CHECK_INT(read.security.counter, made.security.counter);
        CHECK_INT(read.security.key_index, made.security.key_mode > 0 ? (uint8_t)i : 0);
        CHECK_INT(read.ack_request, i % 3 != 0);
        CHECK_INT(frame_open(&read, out, &aes, eui), MOTE_OK);
        CHECK_OCTETS(read.payload, read.payload_len, payload, made.payload_len);
    }
}

TEST(refuses_unsupported_frames)
{
    struct frame frame;
    const uint8_t elements[] = {0x01, 0x22, 1, 0};
    const uint8_t version_3[] = {0x01, 0x30, 1, 0};
    const uint8_t reserved_mode[] = {0x01, 0x14, 1, 0};
    const uint8_t half_compressed[] = {0x41, 0x18, 1, 0xcd, 0xab, 1, 0};
    const uint8_t old_security[] = {0x09, 0x08, 1, 0xcd, 0xab, 1, 0, 0};
    const uint8_t no_counter[] = {0x09, 0x18, 1, 0xcd, 0xab, 1, 0, 0x25, 0, 0, 0, 0};
    const uint8_t last_counter[] = {0x09, 0x18, 1,    0xcd, 0xab, 1, 0, 5, 0xff,
                                    0xff, 0xff, 0xff, 1,    0,    0, 0, 0};
    CHECK_INT(frame_parse(&frame, elements, sizeof elements), MOTE_E_UNSUPPORTED);
    CHECK_INT(frame_parse(&frame, version_3, sizeof version_3), MOTE_E_UNSUPPORTED);
    CHECK_INT(frame_parse(&frame, reserved_mode, sizeof reserved_mode), MOTE_E_MALFORMED);
    CHECK_INT(frame_parse(&frame, half_compressed, sizeof half_compressed), MOTE_E_MALFORMED);
    CHECK_INT(frame_parse(&frame, old_security, sizeof old_security), MOTE_E_UNSUPPORTED);
    CHECK_INT(frame_parse(&frame, no_counter, sizeof no_counter), MOTE_E_UNSUPPORTED);
    CHECK_INT(frame_parse(&frame, last_counter, sizeof last_counter), MOTE_E_MALFORMED);
    CHECK_INT(frame_parse(&frame, elements, 1), MOTE_E_SHORT);
}

TEST(calls_every_truncation_short)
{
    const uint8_t whole[] = {0x69, 0xdc, 1, 0xcd, 0xab, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2,
                             3,    4,    5, 6,    7,    8, 5, 9, 0, 0, 0, 1, 2, 3, 4};
    struct frame frame;
    CHECK_INT(frame_parse(&frame, whole, sizeof whole), MOTE_OK);
    for (size_t len = 0; len < sizeof whole; len++)
        CHECK_INT(frame_parse(&frame, whole, len), MOTE_E_SHORT);
}

TEST(makes_the_recorded_acknowledgement)
{
    uint8_t ack[5];
    const uint8_t recorded[] = {0x02, 0x00, 0x78, 0x77, 0x4a};
    frame_ack(0x78, ack);
    frame_fcs_append(ack, FRAME_ACK_SIZE);
    CHECK_OCTETS(ack, 5, recorded, 5);
}

TEST(takes_each_counter_once_and_forgets_none)
{
    struct frame_counter entries[2] = {0};
    struct frame_counters counters = {entries, 2};
    const uint8_t a[8] = {1}, b[8] = {2}, c[8] = {3};
    CHECK_INT(frame_replay_update(&counters, a, 0, 5), MOTE_OK);
    CHECK_INT(frame_replay_check(&counters, a, 0, 5), MOTE_E_REPLAY);
    CHECK_INT(frame_replay_update(&counters, a, 0, 4), MOTE_E_REPLAY);
    CHECK_INT(frame_replay_check(&counters, a, 0, 6), MOTE_OK);
    CHECK_INT(frame_replay_update(&counters, a, 1, 0), MOTE_OK); /* a counter for each key */
    CHECK_INT(frame_replay_update(&counters, b, 0, 0), MOTE_E_SPACE);
    CHECK_INT(frame_replay_update(&counters, c, 0, UINT32_MAX), MOTE_E_REPLAY);
    CHECK_INT(frame_replay_update(&counters, a, 0, UINT32_MAX - 1), MOTE_OK);
    CHECK_INT(frame_replay_check(&counters, a, 0, UINT32_MAX - 1), MOTE_E_REPLAY);
}

int main(void)
{
    bearssl_aes128(&aes, &aes_state);
    RUN(reads_and_writes_back_every_recorded_frame);
    RUN(reads_and_writes_back_every_frame_of_the_linux_kernel);
    RUN(opens_every_secured_recording_and_seals_it_again_identically);
    RUN(opens_contikis_broken_level_4_to_garbage_not_clear_text);
    RUN(knows_the_pan_id_table_of_2015);
    RUN(seals_and_opens_random_frames_at_every_level_and_key_mode);
    RUN(refuses_unsupported_frames);
    RUN(calls_every_truncation_short);
    RUN(makes_the_recorded_acknowledgement);
    RUN(takes_each_counter_once_and_forgets_none);
    return harness_report();
}
