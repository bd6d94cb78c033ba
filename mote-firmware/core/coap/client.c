/*
 * The client: one exchange at a time (enum coap_state). The last datagram is kept, because a
 * retransmission repeats its octets. Each block is a separate message.
 */
#include "mote/coap.h"

#include "mote/base.h"
#include "response.h"

enum { BLOCK_NUMBER_MAX = (1 << 20) - 1 };

static size_t block_size(uint8_t szx)
{
    return (size_t)16 << szx;
}

void coap_client_init(struct coap_client *client, const struct coap_client_config *config,
                      uint16_t first_id)
{
    *client = (struct coap_client){.config = *config, .state = COAP_IDLE, .next_id = first_id};
}

uint64_t coap_client_deadline(const struct coap_client *client)
{
    return client->state == COAP_IDLE ? UINT64_MAX : client->deadline;
}

static enum coap_event end_exchange(struct coap_client *client, enum coap_event event)
{
    client->state = COAP_IDLE;
    return event;
}

void coap_client_stop(struct coap_client *client)
{
    client->state = COAP_IDLE;
}

/* ---- sending ---- */

/* A datagram that the link refuses is treated as lost. */
static void transmit(const struct coap_client *client)
{
    (void)client->config.wire->send(client->config.wire->context, client->config.datagram,
                                    client->datagram_len);
}

static void send_empty(const struct coap_client *client, enum coap_type type, uint16_t id)
{
    uint8_t datagram[COAP_HEADER_SIZE];
    struct coap_builder builder;
    struct writer out;

    writer_init(&out, datagram, sizeof datagram);
    coap_begin(&builder, &out, type, COAP_EMPTY, id, NULL, 0);
    (void)client->config.wire->send(client->config.wire->context, datagram, writer_len(&out));
}

/* The length of the part of the body in this message, and its Block1. */
static size_t body_part(const struct coap_client *client, struct coap_block *block)
{
    size_t size = block_size(client->send_szx);
    size_t left = client->request.payload_len - client->sent;

    block->szx = client->send_szx;
    block->number = (uint32_t)(client->sent / size);
    block->more = left > size;
    return block->more ? size : left;
}

static void add_options(const struct coap_client *client, struct coap_builder *builder,
                        struct coap_block block)
{
    const struct coap_request *request = &client->request;
    bool body = request->payload_len > 0 && !client->fetching;

    if (request->path[0] != '\0')
        coap_add_parts(builder, COAP_URI_PATH, request->path, '/');
    if (body && request->content_format != COAP_FORMAT_NONE)
        coap_add_uint(builder, COAP_CONTENT_FORMAT, (uint32_t)request->content_format);
    for (size_t i = 0; i < request->query_count; i++)
        coap_add_parts(builder, COAP_URI_QUERY, request->queries[i], '\0');
    if (request->accept != COAP_FORMAT_NONE)
        coap_add_uint(builder, COAP_ACCEPT, (uint32_t)request->accept);
    if (client->fetching)
        coap_add_block(builder, COAP_BLOCK2,
                       (struct coap_block){client->fetch_number, false, client->fetch_szx});
    else if (request->code ==
             COAP_GET) /* early negotiation of the block size: RFC 7959 section 2.4 */
        coap_add_block(builder, COAP_BLOCK2,
                       (struct coap_block){0, false, client->config.block_szx});
    if (body && client->blockwise)
        coap_add_block(builder, COAP_BLOCK1, block);
    if (body && client->blockwise && client->sent == 0)
        coap_add_uint(builder, COAP_SIZE1, (uint32_t)request->payload_len);
    if (client->echo_len > 0)
        coap_add(builder, COAP_ECHO, client->echo, client->echo_len);
    if (request->no_response != 0)
        coap_add_uint(builder, COAP_NO_RESPONSE, request->no_response);
}

/* Sends the next message of the exchange: the request, a block of its body, or a request for a
 * block of the response. */
static int send_next(struct coap_client *client, uint64_t now)
{
    const struct coap_request *request = &client->request;
    bool confirmable = request->confirmable || client->blockwise || client->fetching;
    struct coap_block block = {0, false, 0};
    size_t len = client->blockwise ? body_part(client, &block) : request->payload_len;
    struct coap_builder builder;
    struct writer out;

    client->id = client->next_id++;
    writer_init(&out, client->config.datagram, client->config.datagram_size);
    coap_begin(&builder, &out, confirmable ? COAP_CON : COAP_NON, request->code, client->id,
               client->token, sizeof client->token);
    add_options(client, &builder, block);
    if (!client->fetching && len > 0)
        coap_payload(&builder, request->payload + client->sent, len);
    if (out.failed)
        return MOTE_E_SPACE;
    client->datagram_len = writer_len(&out);
    client->retransmissions = 0;
    /* ACK_TIMEOUT to ACK_TIMEOUT x ACK_RANDOM_FACTOR (1.5): RFC 7252 section 4.2 */
    client->timeout_ms =
        client->config.ack_timeout_ms +
        (uint32_t)((uint64_t)client->config.ack_timeout_ms * (client->jitter + 1u) >> 17);
    client->state = confirmable ? COAP_WAIT_ACK : COAP_WAIT_RESPONSE;
    client->deadline = now + (confirmable ? client->timeout_ms : request->listen_ms);
    transmit(client);
    return MOTE_OK;
}

int coap_client_start(struct coap_client *client, const struct coap_request *request,
                      const uint8_t entropy[6], uint64_t now)
{
    struct reader in;
    int error;

    if (client->state != COAP_IDLE)
        return MOTE_E_STATE;
    reader_init(&in, entropy, 6);
    reader_copy(&in, client->token, sizeof client->token);
    client->jitter = reader_u16(&in);
    client->request = *request;
    if (request->answer == NULL) {
        client->request.answer = client->config.answer;
        client->request.answer_size = client->config.answer_size;
    }
    client->send_szx = client->config.block_szx;
    client->blockwise = request->payload_len > block_size(client->send_szx);
    client->sent = 0;
    client->fetching = false;
    client->received = 0;
    client->etag_len = 0;
    client->echo_len = 0;
    error = send_next(client, now);
    if (error != MOTE_OK ||
        (client->state == COAP_WAIT_RESPONSE && request->no_response == COAP_NO_RESPONSE_ALL))
        client->state = COAP_IDLE;
    return error;
}

enum coap_event coap_client_tick(struct coap_client *client, uint64_t now)
{
    if (client->state == COAP_IDLE || now < client->deadline)
        return COAP_NOTHING;
    if (client->state == COAP_WAIT_RESPONSE ||
        client->retransmissions >= client->config.max_retransmit)
        return end_exchange(client, COAP_NO_ANSWER);
    client->retransmissions++;
    client->timeout_ms *= 2;
    client->deadline = now + client->timeout_ms;
    transmit(client);
    return COAP_NOTHING;
}

/* ---- receiving ---- */

/* After 2.31 sends the next block of the body; after 4.13 with Block1 starts again with smaller
 * blocks (RFC 7959 sections 2.5 and 2.9.3). */
static enum coap_event next_body_block(struct coap_client *client, const struct coap_response *in,
                                       uint64_t now)
{
    size_t size = block_size(client->send_szx);
    bool smaller = in->has_block1 && in->block1.szx < client->send_szx;

    if (in->answer.code == COAP_TOO_LARGE) {
        client->sent = 0;
        client->blockwise = true;
    } else if (in->has_block1 && in->block1.number == client->sent / size &&
               client->request.payload_len - client->sent > size) {
        client->sent += size;
    } else {
        return end_exchange(client, COAP_PROTOCOL_ERROR);
    }
    if (smaller)
        client->send_szx = in->block1.szx;
    return send_next(client, now) == MOTE_OK ? COAP_NOTHING
                                             : end_exchange(client, COAP_PROTOCOL_ERROR);
}

static bool same_etag(const struct coap_client *client, const struct coap_response *in)
{
    return in->etag_len == client->etag_len &&
           (in->etag_len == 0 || equal_ct(in->etag, client->etag, in->etag_len));
}

/* Appends a block of the response; requests the next one or ends the exchange (RFC 7959
 * section 2.4). */
static enum coap_event append_answer(struct coap_client *client, struct coap_response *in,
                                     const struct coap_message *message, uint64_t now)
{
    struct writer body;
    struct reader etag;

    if (client->fetching && (!in->has_block2 || !same_etag(client, in) ||
                             (size_t)in->block2.number << (in->block2.szx + 4) != client->received))
        return end_exchange(client, COAP_PROTOCOL_ERROR);
    if (!client->fetching && in->has_block2 && in->block2.number != 0)
        return end_exchange(client, COAP_PROTOCOL_ERROR);
    if (in->has_block2 && in->block2.more && message->payload_len != block_size(in->block2.szx))
        return end_exchange(client, COAP_PROTOCOL_ERROR);
    writer_init(&body, client->request.answer, client->request.answer_size);
    body.len = client->received;
    writer_bytes(&body, message->payload, message->payload_len);
    if (body.failed)
        return end_exchange(client, COAP_TOO_LONG);
    client->received = writer_len(&body);
    if (in->has_block2 && in->block2.more && !client->request.first_block) {
        client->etag_len = in->etag_len;
        reader_init(&etag, in->etag, in->etag_len);
        reader_copy(&etag, client->etag, in->etag_len);
        client->fetching = true;
        client->fetch_szx = in->block2.szx;
        client->fetch_number = in->block2.number + 1;
        if (client->fetch_number > BLOCK_NUMBER_MAX || send_next(client, now) != MOTE_OK)
            return end_exchange(client, COAP_PROTOCOL_ERROR);
        return COAP_NOTHING;
    }
    if (!client->fetching || client->answer.location[0] == '\0')
        client->answer = in->answer;
    client->answer.payload = client->request.answer;
    client->answer.payload_len = client->received;
    return end_exchange(client, COAP_ANSWERED);
}

/* Repeats the request, once, with the Echo value of the challenge (RFC 9175 section 2.3). */
static enum coap_event answer_challenge(struct coap_client *client, const struct coap_response *in,
                                        uint64_t now)
{
    struct reader echo;

    reader_init(&echo, in->echo, in->echo_len);
    reader_copy(&echo, client->echo, in->echo_len);
    client->echo_len = in->echo_len;
    client->sent = 0;
    return send_next(client, now) == MOTE_OK ? COAP_NOTHING
                                             : end_exchange(client, COAP_PROTOCOL_ERROR);
}

static enum coap_event handle_response(struct coap_client *client,
                                       const struct coap_message *message, uint64_t now)
{
    struct coap_response in;

    if (!coap_response_read(&in, message))
        return end_exchange(client, COAP_PROTOCOL_ERROR);
    if (in.answer.code == COAP_UNAUTHORIZED && in.echo_len > 0 && client->echo_len == 0)
        return answer_challenge(client, &in, now);
    if (in.answer.code == COAP_CONTINUE ||
        (in.answer.code == COAP_TOO_LARGE && in.has_block1 && in.block1.szx < client->send_szx))
        return next_body_block(client, &in, now);
    return append_answer(client, &in, message, now);
}

static bool token_matches(const struct coap_client *client, const struct coap_message *message)
{
    return message->token_len == sizeof client->token &&
           equal_ct(message->token, client->token, sizeof client->token);
}

static enum coap_event handle_ack(struct coap_client *client, const struct coap_message *message,
                                  uint64_t now)
{
    if (client->state != COAP_WAIT_ACK || message->id != client->id)
        return COAP_NOTHING;
    if (message->code == COAP_EMPTY) {
        client->state = COAP_WAIT_RESPONSE;
        client->deadline = now + client->config.separate_ms;
        return COAP_NOTHING;
    }
    if (message->code >> 5 < 2 || !token_matches(client, message))
        return COAP_NOTHING;
    return handle_response(client, message, now);
}

/* Handles a CON or NON message: a separate response, or an unexpected message. */
static enum coap_event handle_message(struct coap_client *client,
                                      const struct coap_message *message, uint64_t now)
{
    bool ours =
        client->state != COAP_IDLE && message->code >> 5 >= 2 && token_matches(client, message);
    bool repeated = client->last_separate_known && message->id == client->last_separate &&
                    message->code >> 5 >= 2;

    if (message->type == COAP_CON)
        send_empty(client, ours || repeated ? COAP_ACK : COAP_RST, message->id);
    if (!ours || (repeated && message->type == COAP_CON))
        return COAP_NOTHING;
    if (message->type == COAP_CON) {
        client->last_separate = message->id;
        client->last_separate_known = true;
    }
    return handle_response(client, message, now);
}

enum coap_event coap_client_receive(struct coap_client *client, const uint8_t *datagram, size_t len,
                                    uint64_t now)
{
    struct coap_message message;

    /* RFC 7252 section 4.2 allows rejecting or ignoring a malformed CON; ignoring saves energy. */
    if (coap_parse(&message, datagram, len) != MOTE_OK)
        return COAP_NOTHING;
    switch (message.type) {
    case COAP_ACK:
        return handle_ack(client, &message, now);
    case COAP_RST:
        if (client->state == COAP_IDLE || message.id != client->id)
            return COAP_NOTHING;
        return end_exchange(client, COAP_RESET);
    case COAP_CON:
    case COAP_NON:
        return handle_message(client, &message, now);
    }
    return COAP_NOTHING;
}
