/*
 * A CoAP client in an exchange with an arbitrary peer. The first octet selects the request.
 * Messages follow: type and choice of token and id (1 octet), code (1), length (1), options and
 * payload. Every message that the client sends must be valid, and every response must fit its
 * buffer.
 */
#include "mote/coap.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DATAGRAM = 160, ANSWER = 96, BODY = 200, OTHER_TOKEN = 4, OTHER_ID = 8 };

static int send(void *context, const uint8_t *datagram, size_t len)
{
    struct coap_message message;
    (void)context;
    if (len > DATAGRAM || coap_parse(&message, datagram, len) != MOTE_OK)
        abort();
    return MOTE_OK;
}

static void check_answer(const struct coap_client *client)
{
    const struct coap_answer *answer = &client->answer;
    if (client->state != COAP_IDLE || answer->payload_len > ANSWER ||
        answer->content_format > UINT16_MAX ||
        memchr(answer->location, 0, sizeof answer->location) == NULL)
        abort();
}

static size_t next_message(struct reader *in, const struct coap_client *client,
                           uint8_t out[COAP_HEADER_SIZE + COAP_TOKEN_MAX + UINT8_MAX])
{
    struct writer w;
    uint8_t kind = reader_u8(in);
    uint8_t code = reader_u8(in);
    size_t len = reader_u8(in);
    writer_init(&w, out, COAP_HEADER_SIZE + COAP_TOKEN_MAX + UINT8_MAX);
    writer_u8(&w, (uint8_t)(0x40 | (kind & 3) << 4 | (code == COAP_EMPTY ? 0 : 4)));
    writer_u8(&w, code);
    writer_u16(&w, (uint16_t)(client->id + ((kind & OTHER_ID) != 0)));
    if (code != COAP_EMPTY) {
        writer_bytes(&w, client->token, sizeof client->token - 1);
        writer_u8(&w, (uint8_t)(client->token[3] ^ (kind & OTHER_TOKEN)));
    }
    len = len < in->left ? len : in->left;
    writer_bytes(&w, reader_take(in, len), len);
    return w.failed || in->failed ? 0 : writer_len(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t body[BODY];
    static const uint8_t chance[6] = {1, 2, 3, 4, 5, 6};
    const struct wire wire = {.send = send};
    uint8_t datagram[DATAGRAM];
    uint8_t answer[ANSWER];
    uint8_t message[COAP_HEADER_SIZE + COAP_TOKEN_MAX + UINT8_MAX];
    struct coap_client client;
    struct coap_client_config config = {.wire = &wire,
                                        .datagram = datagram,
                                        .datagram_size = sizeof datagram,
                                        .answer = answer,
                                        .answer_size = sizeof answer,
                                        .block_szx = 2,
                                        .ack_timeout_ms = 100,
                                        .max_retransmit = 2,
                                        .separate_ms = 100};
    struct coap_request request = {.path = "ms/7",
                                   .content_format = COAP_FORMAT_JWS,
                                   .accept = COAP_FORMAT_NONE,
                                   .payload = body,
                                   .listen_ms = 50};
    struct reader in;
    uint64_t now = 0;
    reader_init(&in, data, size);
    uint8_t choice = reader_u8(&in);
    request.code = (choice & 1) != 0 ? COAP_PUT : COAP_GET;
    request.payload_len = (choice & 1) != 0 ? BODY / (1U + (choice >> 4)) : 0;
    request.confirmable = (choice & 2) != 0;
    request.first_block = (choice & 4) != 0;
    coap_client_init(&client, &config, 7);
    if (coap_client_start(&client, &request, chance, now) != MOTE_OK)
        abort();
    while (in.left > 0) {
        size_t len = next_message(&in, &client, message);
        if (coap_client_receive(&client, message, len, now) == COAP_ANSWERED)
            check_answer(&client);
        now += (choice & 8) != 0 ? 30 : 0;
        (void)coap_client_tick(&client, now);
    }
    return 0;
}
