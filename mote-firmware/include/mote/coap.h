/*
 * CoAP (RFC 7252) for a sleepy client: a strict codec, and a client with one exchange at a time,
 * retransmission, block-wise transfer (RFC 7959), Echo (RFC 9175) and No-Response (RFC 7967).
 */
#ifndef MOTE_COAP_H
#define MOTE_COAP_H

#include "mote/base.h"
#include "mote/port/wire.h"

/* ---- codec ---- */

enum coap_type { COAP_CON = 0, COAP_NON = 1, COAP_ACK = 2, COAP_RST = 3 };

/* Codes as on the wire: class in the upper three bits, detail in the lower five. */
#define COAP_CODE(class, detail) ((uint8_t)((class) << 5 | (detail)))

enum coap_code {
    COAP_EMPTY = 0,
    COAP_GET = 1,
    COAP_POST = 2,
    COAP_PUT = 3,
    COAP_DELETE = 4,
    COAP_CREATED = COAP_CODE(2, 1),
    COAP_DELETED = COAP_CODE(2, 2),
    COAP_VALID = COAP_CODE(2, 3),
    COAP_CHANGED = COAP_CODE(2, 4),
    COAP_CONTENT = COAP_CODE(2, 5),
    COAP_CONTINUE = COAP_CODE(2, 31),
    COAP_BAD_REQUEST = COAP_CODE(4, 0),
    COAP_UNAUTHORIZED = COAP_CODE(4, 1),
    COAP_BAD_OPTION = COAP_CODE(4, 2),
    COAP_FORBIDDEN = COAP_CODE(4, 3),
    COAP_NOT_FOUND = COAP_CODE(4, 4),
    COAP_METHOD_NOT_ALLOWED = COAP_CODE(4, 5),
    COAP_NOT_ACCEPTABLE = COAP_CODE(4, 6),
    COAP_INCOMPLETE = COAP_CODE(4, 8),
    COAP_CONFLICT = COAP_CODE(4, 9),
    COAP_TOO_LARGE = COAP_CODE(4, 13),
    COAP_UNSUPPORTED_FORMAT = COAP_CODE(4, 15),
    COAP_TOO_MANY = COAP_CODE(4, 29),
    COAP_UNAVAILABLE = COAP_CODE(5, 3)
};

enum coap_option_number {
    COAP_IF_MATCH = 1,
    COAP_URI_HOST = 3,
    COAP_ETAG = 4,
    COAP_OBSERVE = 6,
    COAP_URI_PORT = 7,
    COAP_LOCATION_PATH = 8,
    COAP_URI_PATH = 11,
    COAP_CONTENT_FORMAT = 12,
    COAP_MAX_AGE = 14,
    COAP_URI_QUERY = 15,
    COAP_ACCEPT = 17,
    COAP_LOCATION_QUERY = 20,
    COAP_BLOCK2 = 23,
    COAP_BLOCK1 = 27,
    COAP_SIZE2 = 28,
    COAP_SIZE1 = 60,
    COAP_ECHO = 252,
    COAP_NO_RESPONSE = 258
};

/* Content formats (docs/protocol.md section 1). */
enum coap_format {
    COAP_FORMAT_NONE = -1, /* no Content-Format or Accept option */
    COAP_FORMAT_TEXT = 0,
    COAP_FORMAT_COSE_SIGN1 = 18,
    COAP_FORMAT_LINKS = 40,
    COAP_FORMAT_CBOR = 60,
    COAP_FORMAT_SENML_JSON = 110,
    COAP_FORMAT_SENML_CBOR = 112,
    COAP_FORMAT_JWS = 65100,
    COAP_FORMAT_JWK = 65101,
    COAP_FORMAT_UPDATE = 65102
};

enum { COAP_TOKEN_MAX = 8, COAP_ECHO_MAX = 40, COAP_HEADER_SIZE = 4 };

/* The value of No-Response that suppresses responses of every class (RFC 7967 section 2.1). */
enum { COAP_NO_RESPONSE_ALL = 26 };

/* A parsed message. Its pointers point into the datagram. */
struct coap_message {
    enum coap_type type;
    uint8_t code;
    uint16_t id;
    uint8_t token[COAP_TOKEN_MAX];
    size_t token_len;
    const uint8_t *options;
    size_t options_len;
    const uint8_t *payload;
    size_t payload_len;
};

struct coap_option {
    uint16_t number;
    const uint8_t *value;
    size_t len;
};

/*
 * Parses a message. MOTE_E_SHORT, or MOTE_E_MALFORMED for every message format error of RFC 7252
 * sections 3 and 4, including reserved code classes and an Empty message longer than its header.
 */
int coap_parse(struct coap_message *message, const uint8_t *data, size_t len);

/* An iterator over the options of a parsed message, in order; it cannot fail. */
struct coap_options {
    struct reader in;
    uint16_t number;
};

void coap_options_begin(struct coap_options *options, const struct coap_message *message);
bool coap_options_next(struct coap_options *options, struct coap_option *option);

/* Reads an option of format uint; false if it is longer than four octets. */
bool coap_option_uint(const struct coap_option *option, uint32_t *value);

/* Composes a message; options must be added in ascending order. */
struct coap_builder {
    struct writer *out;
    uint16_t number; /* of the last option added */
};

void coap_begin(struct coap_builder *builder, struct writer *out, enum coap_type type, uint8_t code,
                uint16_t id, const uint8_t *token, size_t token_len);
void coap_add(struct coap_builder *builder, uint16_t number, const uint8_t *value, size_t len);
void coap_add_uint(struct coap_builder *builder, uint16_t number, uint32_t value);
/* Adds one option for each part of `text` between separators: a path, or a query of one part. */
void coap_add_parts(struct coap_builder *builder, uint16_t number, const char *text,
                    char separator);
void coap_payload(struct coap_builder *builder, const uint8_t *payload, size_t len);

/* A block option (RFC 7959 section 2.2): 16 << szx octets, szx 0 to 6. */
struct coap_block {
    uint32_t number;
    bool more;
    uint8_t szx;
};

enum { COAP_SZX_MAX = 6 };

bool coap_block_read(const struct coap_option *option, struct coap_block *block);
void coap_add_block(struct coap_builder *builder, uint16_t number, struct coap_block block);

/* ---- client ---- */

/* A request. Its pointers must stay valid until the exchange has ended. */
struct coap_request {
    uint8_t code;
    bool confirmable;
    const char *path;           /* "ms/7/load" */
    const char *const *queries; /* "ep=mote-1"; may be NULL */
    size_t query_count;
    int32_t content_format; /* COAP_FORMAT_NONE for none */
    int32_t accept;
    uint8_t no_response; /* No-Response (RFC 7967); COAP_NO_RESPONSE_ALL: no response at all */
    const uint8_t *payload;
    size_t payload_len;
    uint32_t listen_ms; /* how long to wait for the response to a non-confirmable request */
    bool first_block;   /* fetch only the first block of the response */
    uint8_t *answer;    /* the buffer of the response payload; NULL: the configured one */
    size_t answer_size;
};

/* A response. Its payload lies in the request's answer buffer, or the configured one. */
struct coap_answer {
    uint8_t code;
    int32_t content_format;
    uint32_t max_age; /* seconds; 60 if the option is absent (RFC 7252 section 5.10.5) */
    bool max_age_given;
    char location[64]; /* Location-Path joined by '/'; empty if absent or ambiguous */
    const uint8_t *payload;
    size_t payload_len;
};

struct coap_client_config {
    const struct wire *wire;
    uint8_t *datagram; /* the message sent last, for retransmission */
    size_t datagram_size;
    uint8_t *answer; /* the response payload, all blocks */
    size_t answer_size;
    uint8_t block_szx;       /* bodies over 16 << block_szx octets are sent block-wise */
    uint32_t ack_timeout_ms; /* RFC 7252: 2000 */
    uint8_t max_retransmit;  /* RFC 7252: 4 */
    uint32_t separate_ms;    /* how long to wait for a separate response after the ACK */
};

enum coap_event {
    COAP_NOTHING,       /* the exchange, if any, continues */
    COAP_ANSWERED,      /* client->answer holds the response; the exchange has ended */
    COAP_NO_ANSWER,     /* no response after the last retransmission or the wait */
    COAP_RESET,         /* the peer rejected the message */
    COAP_TOO_LONG,      /* a response longer than the buffer */
    COAP_PROTOCOL_ERROR /* an inconsistent response */
};

/*
 * IDLE: no exchange. Confirmable messages are answered with RST, but a retransmission of the last
 * separate response (its ACK was lost) with ACK. WAIT_ACK: a confirmable request was sent; it is
 * retransmitted with doubled time-outs (section 4.2) until ACK, RST or the last time-out.
 * WAIT_RESPONSE: an empty ACK was received (section 5.2.2), or the request is non-confirmable;
 * waits until `deadline`. Both states are entered again for the next block and for one Echo
 * challenge, and otherwise lead to IDLE.
 */
enum coap_state { COAP_IDLE, COAP_WAIT_ACK, COAP_WAIT_RESPONSE };

struct coap_client {
    struct coap_client_config config;
    enum coap_state state;
    struct coap_request request;
    struct coap_answer answer;
    uint8_t token[4];
    uint16_t jitter; /* random part of the time-out, in 1/65536 of half ack_timeout_ms */
    uint16_t next_id;
    uint16_t id;         /* of the message sent last */
    size_t datagram_len; /* of that message */
    uint64_t deadline;   /* ms: the next retransmission, or the end of the wait */
    uint32_t timeout_ms; /* doubled on each retransmission */
    uint8_t retransmissions;
    bool blockwise; /* the body is sent in blocks */
    size_t sent;    /* octets of the body in acknowledged blocks */
    uint8_t send_szx;
    bool fetching; /* further blocks of the response are requested */
    uint32_t fetch_number;
    uint8_t fetch_szx;
    uint8_t etag[8];
    size_t etag_len;
    size_t received;
    uint8_t echo[COAP_ECHO_MAX];
    size_t echo_len;        /* 0: no challenge received */
    uint16_t last_separate; /* message id of the last separate response acknowledged */
    bool last_separate_known;
};

/* `first_id` is the first message id and should be random (RFC 7252 section 4.4). */
void coap_client_init(struct coap_client *client, const struct coap_client_config *config,
                      uint16_t first_id);

/*
 * Starts an exchange. MOTE_E_STATE during another one, MOTE_E_SPACE if the request does not fit the
 * datagram. `entropy` supplies the token and the random part of the time-out. After a
 * non-confirmable request with COAP_NO_RESPONSE_ALL the client is idle again.
 */
int coap_client_start(struct coap_client *client, const struct coap_request *request,
                      const uint8_t entropy[6], uint64_t now);

/* Ends the exchange, if there is one; a late response is ignored. */
void coap_client_stop(struct coap_client *client);

/* Takes a datagram of the peer. */
enum coap_event coap_client_receive(struct coap_client *client, const uint8_t *datagram, size_t len,
                                    uint64_t now);

/* Handles time-outs. To be called at coap_client_deadline (UINT64_MAX: idle). */
enum coap_event coap_client_tick(struct coap_client *client, uint64_t now);
uint64_t coap_client_deadline(const struct coap_client *client);

#endif
