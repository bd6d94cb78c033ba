/* The CoAP client: retransmission, blocks and Echo challenges. */
#include "harness.h"
#include "mote/coap.h"
#include "support/fake.h"

#define CHECK_TEXT(out, len, text) CHECK_OCTETS(out, len, text, strlen(text))

static const uint8_t CHANCE[6] = {1, 2, 3, 4, 0, 0};

/* A client on a captured wire, and its buffers. */
struct bench {
    struct fake_wire wire;
    struct coap_client client;
    uint8_t datagram[1280];
    uint8_t answer[256];
    struct coap_request request;
};

static void bench_init(struct bench *b, uint8_t szx)
{
    const struct coap_client_config config = {.wire = &b->wire.port,
                                              .datagram = b->datagram,
                                              .datagram_size = sizeof b->datagram,
                                              .answer = b->answer,
                                              .answer_size = sizeof b->answer,
                                              .block_szx = szx,
                                              .ack_timeout_ms = 2000,
                                              .max_retransmit = 4,
                                              .separate_ms = 10000};

    fake_wire_init(&b->wire);
    coap_client_init(&b->client, &config, 0x7d34);
    b->request = (struct coap_request){.code = COAP_GET,
                                       .confirmable = true,
                                       .path = "temperature",
                                       .content_format = COAP_FORMAT_NONE,
                                       .accept = COAP_FORMAT_NONE};
}

static void sent(const struct bench *b, size_t i, struct coap_message *message)
{
    if (!fake_sent(&b->wire, i, message))
        abort();
}

/* A response being composed to the newest request. */
struct reply {
    uint8_t octets[1280];
    struct writer out;
    struct coap_builder builder;
};

static void reply_begin(struct reply *reply, const struct bench *b, enum coap_type type,
                        uint8_t code, uint16_t id)
{
    writer_init(&reply->out, reply->octets, sizeof reply->octets);
    coap_begin(&reply->builder, &reply->out, type, code, id, b->client.token,
               sizeof b->client.token);
}

static enum coap_event deliver(struct bench *b, const struct reply *reply, uint64_t now)
{
    return coap_client_receive(&b->client, reply->octets, writer_len(&reply->out), now);
}

static enum coap_event deliver_empty(struct bench *b, enum coap_type type, uint16_t id,
                                     uint64_t now)
{
    const uint8_t octets[] = {(uint8_t)(0x40 | (unsigned)type << 4), 0, (uint8_t)(id >> 8),
                              (uint8_t)id};

    return coap_client_receive(&b->client, octets, sizeof octets, now);
}

TEST(sends_a_get_and_takes_its_piggybacked_answer)
{
    struct bench b;
    struct reply reply;
    struct coap_message message;

    bench_init(&b, 6);
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    sent(&b, 0, &message);
    CHECK(message.type == COAP_CON && message.id == 0x7d34 && message.token_len == 4);
    CHECK_INT(coap_client_start(&b.client, &b.request, CHANCE, 0), MOTE_E_STATE);
    reply_begin(&reply, &b, COAP_ACK, COAP_CONTENT, message.id);
    coap_add_uint(&reply.builder, COAP_CONTENT_FORMAT, 0);
    coap_add_uint(&reply.builder, COAP_MAX_AGE, 7);
    coap_payload(&reply.builder, (const uint8_t *)"22.3 C", 6);
    CHECK_INT(deliver(&b, &reply, 5), COAP_ANSWERED);
    CHECK_INT(b.client.answer.code, COAP_CONTENT);
    CHECK_INT(b.client.answer.content_format, 0);
    CHECK_INT(b.client.answer.max_age, 7);
    CHECK_TEXT(b.client.answer.payload, b.client.answer.payload_len, "22.3 C");
    CHECK(coap_client_deadline(&b.client) == UINT64_MAX);
}

TEST(retransmits_with_doubling_timeouts_and_then_gives_up)
{
    /* RFC 7252, 4.2, with no jitter: after 2, 6, 14 and 30 s; gives up at 62 s. */
    static const uint64_t times[] = {2000, 6000, 14000, 30000};
    struct bench b;

    bench_init(&b, 6);
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    for (size_t i = 0; i < 4; i++) {
        CHECK_INT(coap_client_deadline(&b.client), times[i]);
        CHECK_INT(coap_client_tick(&b.client, times[i] - 1), COAP_NOTHING);
        CHECK_INT(b.wire.count, i + 1);
        CHECK_INT(coap_client_tick(&b.client, times[i]), COAP_NOTHING);
        REQUIRE(b.wire.count == i + 2);
        CHECK_OCTETS(b.wire.sent[i + 1], b.wire.lengths[i + 1], b.wire.sent[0], b.wire.lengths[0]);
    }
    CHECK_INT(coap_client_tick(&b.client, 61999), COAP_NOTHING);
    CHECK_INT(coap_client_tick(&b.client, 62000), COAP_NO_ANSWER);
    CHECK_INT(b.wire.count, 5);
    CHECK_INT(b.client.state, COAP_IDLE);
}

TEST(stretches_the_first_timeout_by_at_most_half)
{
    const uint8_t chance[6] = {1, 2, 3, 4, 0xff, 0xff};
    struct bench b;

    bench_init(&b, 6);
    REQUIRE(coap_client_start(&b.client, &b.request, chance, 0) == MOTE_OK);
    CHECK_INT(coap_client_deadline(&b.client), 3000);
}

TEST(acknowledges_a_separate_response_and_its_repetition)
{
    struct bench b;
    struct reply reply;
    struct coap_message message;

    bench_init(&b, 6);
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    CHECK_INT(deliver_empty(&b, COAP_ACK, 0x7d34, 10), COAP_NOTHING);
    CHECK_INT(coap_client_deadline(&b.client), 10010);
    reply_begin(&reply, &b, COAP_CON, COAP_CONTENT, 0x1111);
    coap_payload(&reply.builder, (const uint8_t *)"x", 1);
    CHECK_INT(deliver(&b, &reply, 20), COAP_ANSWERED);
    CHECK_INT(deliver(&b, &reply, 30), COAP_NOTHING);
    for (size_t i = 1; i < 3; i++) {
        sent(&b, i, &message);
        CHECK(message.type == COAP_ACK && message.code == COAP_EMPTY && message.id == 0x1111);
    }
}

TEST(gives_up_waiting_for_a_separate_response)
{
    struct bench b;

    bench_init(&b, 6);
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    CHECK_INT(deliver_empty(&b, COAP_ACK, 0x7d34, 10), COAP_NOTHING);
    CHECK_INT(coap_client_tick(&b.client, 10010), COAP_NO_ANSWER);
}

TEST(rejects_unsolicited_messages)
{
    /* A confirmable request, a ping, a response with a foreign token. */
    static const char *const cases[] = {"40 01 4711", "40 00 4711", "42 45 4711 aabb"};
    struct bench b;
    struct coap_message message;

    bench_init(&b, 6);
    for (size_t i = 0; i < 3; i++) {
        uint8_t data[16];
        size_t len = from_hex(cases[i], data, sizeof data);

        CHECK_INT(coap_client_receive(&b.client, data, len, 0), COAP_NOTHING);
        sent(&b, i, &message);
        CHECK(message.type == COAP_RST && message.id == 0x4711 && message.code == COAP_EMPTY);
    }
}

TEST(ignores_answers_that_are_not_to_this_request)
{
    struct bench b;
    struct reply reply;

    bench_init(&b, 6);
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    reply_begin(&reply, &b, COAP_ACK, COAP_CONTENT, 0x7d33); /* another message id */
    CHECK_INT(deliver(&b, &reply, 1), COAP_NOTHING);
    reply_begin(&reply, &b, COAP_ACK, COAP_CONTENT, 0x7d34);
    reply.octets[4] ^= 1; /* another token */
    CHECK_INT(deliver(&b, &reply, 1), COAP_NOTHING);
    reply_begin(&reply, &b, COAP_ACK, COAP_GET, 0x7d34); /* a request in an ACK */
    CHECK_INT(deliver(&b, &reply, 1), COAP_NOTHING);
    CHECK_INT(deliver_empty(&b, COAP_RST, 0x7d33, 1), COAP_NOTHING);
    CHECK_INT(b.client.state, COAP_WAIT_ACK);
    CHECK_INT(deliver_empty(&b, COAP_RST, 0x7d34, 1), COAP_RESET);
}

TEST(rejects_an_answer_with_an_unknown_critical_option)
{
    struct bench b;
    struct reply reply;

    bench_init(&b, 6);
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    reply_begin(&reply, &b, COAP_ACK, COAP_CONTENT, 0x7d34);
    coap_add(&reply.builder, 9, NULL, 0);
    CHECK_INT(deliver(&b, &reply, 1), COAP_PROTOCOL_ERROR);
}

TEST(does_not_wait_when_no_answer_is_wanted)
{
    struct bench b;
    struct coap_message message;
    struct coap_option option;

    bench_init(&b, 6);
    b.request.confirmable = false;
    b.request.no_response = 26;
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    CHECK_INT(b.client.state, COAP_IDLE);
    sent(&b, 0, &message);
    CHECK_INT(message.type, COAP_NON);
    REQUIRE(fake_option(&message, COAP_NO_RESPONSE, &option));
    CHECK_OCTETS(option.value, option.len, "\x1a", 1);
}

TEST(joins_location_path_and_refuses_an_ambiguous_one)
{
    struct bench b;
    struct reply reply;

    bench_init(&b, 6);
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    reply_begin(&reply, &b, COAP_ACK, COAP_CREATED, 0x7d34);
    coap_add_parts(&reply.builder, COAP_LOCATION_PATH, "ms/7", '/');
    CHECK_INT(deliver(&b, &reply, 1), COAP_ANSWERED);
    CHECK(strcmp(b.client.answer.location, "ms/7") == 0);

    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    reply_begin(&reply, &b, COAP_ACK, COAP_CREATED, 0x7d35);
    coap_add(&reply.builder, COAP_LOCATION_PATH, (const uint8_t *)"ms/7", 4);
    CHECK_INT(deliver(&b, &reply, 1), COAP_ANSWERED);
    CHECK(b.client.answer.location[0] == '\0');
}

/* Answers 2.31 to block `number` of size `szx`. */
static enum coap_event go_on(struct bench *b, uint32_t block, uint8_t szx)
{
    struct reply reply;

    reply_begin(&reply, b, COAP_ACK, COAP_CONTINUE, b->client.id);
    coap_add_block(&reply.builder, COAP_BLOCK1, (struct coap_block){block, true, szx});
    return deliver(b, &reply, 1);
}

static void check_block1(const struct bench *b, uint32_t number, bool more, uint8_t szx,
                         const uint8_t *payload, size_t len)
{
    struct coap_message message;
    struct coap_option option;
    struct coap_block block;

    sent(b, b->wire.count - 1, &message);
    CHECK_INT(message.type, COAP_CON);
    REQUIRE(fake_option(&message, COAP_BLOCK1, &option) && coap_block_read(&option, &block));
    CHECK_INT(block.number, number);
    CHECK_INT(block.more, more);
    CHECK_INT(block.szx, szx);
    CHECK_OCTETS(message.payload, message.payload_len, payload, len);
}

TEST(sends_a_long_body_in_blocks_and_shrinks_them_when_asked)
{
    struct bench b;
    struct reply reply;
    uint8_t body[150];
    struct coap_message message;
    struct coap_option option;

    for (size_t i = 0; i < sizeof body; i++)
        body[i] = (uint8_t)i;
    bench_init(&b, 2); /* 64 octets */
    b.request.code = COAP_PUT;
    b.request.confirmable = false; /* several blocks are still confirmable */
    b.request.payload = body;
    b.request.payload_len = sizeof body;
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    check_block1(&b, 0, true, 2, body, 64);
    sent(&b, 0, &message);
    REQUIRE(fake_option(&message, COAP_SIZE1, &option));
    CHECK_OCTETS(option.value, option.len, "\x96", 1);
    CHECK_INT(go_on(&b, 0, 2), COAP_NOTHING);
    check_block1(&b, 1, true, 2, body + 64, 64);
    CHECK_INT(go_on(&b, 1, 1), COAP_NOTHING); /* RFC 7959, 2.5: 32 octets from here on */
    check_block1(&b, 4, false, 1, body + 128, 22);
    reply_begin(&reply, &b, COAP_ACK, COAP_CHANGED, b.client.id);
    coap_add_block(&reply.builder, COAP_BLOCK1, (struct coap_block){4, false, 1});
    CHECK_INT(deliver(&b, &reply, 1), COAP_ANSWERED);
    CHECK_INT(b.client.answer.code, COAP_CHANGED);
}

TEST(restarts_with_smaller_blocks_after_4_13)
{
    struct bench b;
    struct reply reply;
    uint8_t body[100] = {1};

    bench_init(&b, 6);
    b.request.code = COAP_PUT;
    b.request.payload = body;
    b.request.payload_len = sizeof body;
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    reply_begin(&reply, &b, COAP_ACK, COAP_TOO_LARGE, b.client.id);
    coap_add_block(&reply.builder, COAP_BLOCK1, (struct coap_block){0, false, 2});
    CHECK_INT(deliver(&b, &reply, 1), COAP_NOTHING);
    check_block1(&b, 0, true, 2, body, 64);
}

TEST(stops_when_the_peer_acknowledges_a_block_that_was_not_sent)
{
    struct bench b;
    uint8_t body[150] = {0};

    bench_init(&b, 2);
    b.request.payload = body;
    b.request.payload_len = sizeof body;
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    CHECK_INT(go_on(&b, 1, 2), COAP_PROTOCOL_ERROR);
}

/* Sends block `number` of the answer, "abcd..." in 16-octet blocks. */
static enum coap_event give(struct bench *b, uint32_t number, bool more, const char *etag)
{
    static const char text[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    struct reply reply;

    reply_begin(&reply, b, COAP_ACK, COAP_CONTENT, b->client.id);
    coap_add(&reply.builder, COAP_ETAG, (const uint8_t *)etag, 1);
    coap_add_block(&reply.builder, COAP_BLOCK2, (struct coap_block){number, more, 0});
    coap_payload(&reply.builder, (const uint8_t *)text + (size_t)16 * number, more ? 16 : 4);
    return deliver(b, &reply, 1);
}

TEST(reads_a_long_answer_block_by_block)
{
    struct bench b;
    struct coap_message message;
    struct coap_option option;
    struct coap_block block;

    bench_init(&b, 6);
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_INT(give(&b, i, true, "e"), COAP_NOTHING);
        sent(&b, i + 1, &message);
        REQUIRE(fake_option(&message, COAP_BLOCK2, &option) && coap_block_read(&option, &block));
        CHECK_INT(block.number, i + 1);
        CHECK_INT(block.szx, 0);
    }
    CHECK_INT(give(&b, 2, false, "e"), COAP_ANSWERED);
    CHECK_TEXT(b.client.answer.payload, b.client.answer.payload_len,
               "abcdefghijklmnopqrstuvwxyz0123456789");
}

TEST(does_not_mix_two_answers)
{
    struct bench b;

    bench_init(&b, 6);
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    CHECK_INT(give(&b, 0, true, "e"), COAP_NOTHING);
    CHECK_INT(give(&b, 1, true, "f"), COAP_PROTOCOL_ERROR); /* another ETag */
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    CHECK_INT(give(&b, 0, true, "e"), COAP_NOTHING);
    CHECK_INT(give(&b, 2, false, "e"), COAP_PROTOCOL_ERROR); /* one left out */
}

TEST(stops_at_an_answer_that_does_not_fit_its_buffer)
{
    struct bench b;
    int event = COAP_NOTHING;

    bench_init(&b, 6);
    b.client.config.answer_size = 33;
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    CHECK_INT(give(&b, 0, true, "e"), COAP_NOTHING);
    CHECK_INT(give(&b, 1, true, "e"), COAP_NOTHING);
    event = (int)give(&b, 2, false, "e");
    CHECK_INT(event, COAP_TOO_LONG);
}

TEST(requests_blocks_of_its_size_and_only_the_first_on_request)
{
    struct bench b;
    struct coap_message message;
    struct coap_options options;
    struct coap_option option;
    struct coap_block block = {1, true, 0};

    bench_init(&b, 2);
    b.request.first_block = true;
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    REQUIRE(fake_sent(&b.wire, 0, &message));
    coap_options_begin(&options, &message);
    while (coap_options_next(&options, &option))
        if (option.number == COAP_BLOCK2)
            CHECK(coap_block_read(&option, &block));
    CHECK_INT(block.number, 0);
    CHECK_INT(block.szx, 2);
    CHECK_INT(give(&b, 0, true, "e"), COAP_ANSWERED);
    CHECK_INT(b.client.answer.payload_len, 16);
}

TEST(repeats_a_challenged_request_once_with_its_echo)
{
    struct bench b;
    struct reply reply;
    struct coap_message message;
    struct coap_option option;

    bench_init(&b, 6);
    REQUIRE(coap_client_start(&b.client, &b.request, CHANCE, 0) == MOTE_OK);
    for (int i = 0; i < 2; i++) {
        reply_begin(&reply, &b, COAP_ACK, COAP_UNAUTHORIZED, b.client.id);
        coap_add(&reply.builder, COAP_ECHO, (const uint8_t *)"challenge", 9);
        CHECK_INT(deliver(&b, &reply, 1), i == 0 ? COAP_NOTHING : COAP_ANSWERED);
    }
    CHECK_INT(b.wire.count, 2);
    sent(&b, 1, &message);
    REQUIRE(fake_option(&message, COAP_ECHO, &option));
    CHECK_TEXT(option.value, option.len, "challenge");
    CHECK_INT(message.id, 0x7d35);
}

int main(void)
{
    RUN(sends_a_get_and_takes_its_piggybacked_answer);
    RUN(retransmits_with_doubling_timeouts_and_then_gives_up);
    RUN(stretches_the_first_timeout_by_at_most_half);
    RUN(acknowledges_a_separate_response_and_its_repetition);
    RUN(gives_up_waiting_for_a_separate_response);
    RUN(rejects_unsolicited_messages);
    RUN(ignores_answers_that_are_not_to_this_request);
    RUN(rejects_an_answer_with_an_unknown_critical_option);
    RUN(does_not_wait_when_no_answer_is_wanted);
    RUN(joins_location_path_and_refuses_an_ambiguous_one);
    RUN(sends_a_long_body_in_blocks_and_shrinks_them_when_asked);
    RUN(restarts_with_smaller_blocks_after_4_13);
    RUN(stops_when_the_peer_acknowledges_a_block_that_was_not_sent);
    RUN(reads_a_long_answer_block_by_block);
    RUN(does_not_mix_two_answers);
    RUN(stops_at_an_answer_that_does_not_fit_its_buffer);
    RUN(requests_blocks_of_its_size_and_only_the_first_on_request);
    RUN(repeats_a_challenged_request_once_with_its_echo);
    return harness_report();
}
