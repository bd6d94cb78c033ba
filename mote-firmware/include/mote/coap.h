/*
 * CoAP (RFC 7252) as a sleeping client needs it: a strict codec, and one exchange at a time with
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

/* protocols.md, section 1. */
enum coap_format {
    COAP_FORMAT_NONE = -1, /* no such option */
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

/* A parsed message; the pointers lead into the datagram. */
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
 * Everything that RFC 7252, sections 3 and 4, calls a message format error is MOTE_E_MALFORMED,
 * reserved code classes and an Empty message with more than its header among them.
 */
int coap_parse(struct coap_message *message, const uint8_t *data, size_t len);

/* Walks the options in order; coap_parse has checked them, so the walk cannot fail. */
struct coap_options {
    struct reader in;
    uint16_t number;
};

void coap_options_begin(struct coap_options *options, const struct coap_message *message);
bool coap_options_next(struct coap_options *options, struct coap_option *option);

/* An option of format uint; false when it is longer than four octets. */
bool coap_option_uint(const struct coap_option *option, uint32_t *value);

/* Writes a message front to back; options must come in ascending order. */
struct coap_builder {
    struct writer *out;
    uint16_t number; /* of the last option */
};

void coap_begin(struct coap_builder *builder, struct writer *out, enum coap_type type, uint8_t code,
                uint16_t id, const uint8_t *token, size_t token_len);
void coap_add(struct coap_builder *builder, uint16_t number, const uint8_t *value, size_t len);
void coap_add_uint(struct coap_builder *builder, uint16_t number, uint32_t value);
/* One option for each part of `text` between separators: a path, or a query of one part. */
void coap_add_parts(struct coap_builder *builder, uint16_t number, const char *text,
                    char separator);
void coap_payload(struct coap_builder *builder, const uint8_t *payload, size_t len);

/* Block options, RFC 7959: number, more, and size exponent (16 << szx octets, szx 0 to 6). */
struct coap_block {
    uint32_t number;
    bool more;
    uint8_t szx;
};

enum { COAP_SZX_MAX = 6 };

bool coap_block_read(const struct coap_option *option, struct coap_block *block);
void coap_add_block(struct coap_builder *builder, uint16_t number, struct coap_block block);

/* ---- client ---- */

/* What is asked. The pointers must stay valid until the exchange has ended. */
struct coap_request {
    uint8_t code;
    bool confirmable;
    const char *path;           /* "ms/7/load" */
    const char *const *queries; /* "ep=mote-1"; may be NULL */
    size_t query_count;
    int32_t content_format; /* COAP_FORMAT_NONE for none */
    int32_t accept;
    uint8_t no_response; /* RFC 7967; 26 means that nobody waits for any answer */
    const uint8_t *payload;
    size_t payload_len;
    uint32_t listen_ms; /* how long a non-confirmable request waits for its answer */
    bool first_block;   /* of a longer answer the first block is enough */
    uint8_t *answer;    /* where the answer goes; NULL: the configured buffer */
    size_t answer_size;
};

/* What was answered; the payload lies in the request's answer buffer, or the configured one. */
struct coap_answer {
    uint8_t code;
    int32_t content_format;
    uint32_t max_age; /* seconds; 60 when the option is absent (RFC 7252, 5.10.5) */
    bool max_age_given;
    char location[64]; /* Location-Path joined by '/', empty when absent or not writable so */
    const uint8_t *payload;
    size_t payload_len;
};

struct coap_client_config {
    const struct wire *wire;
    uint8_t *datagram; /* the one on its way, kept for retransmission */
    size_t datagram_size;
    uint8_t *answer; /* the answer's payload, all blocks of it */
    size_t answer_size;
    uint8_t block_szx;       /* bodies over 16 << block_szx octets go block-wise */
    uint32_t ack_timeout_ms; /* RFC 7252: 2000 */
    uint8_t max_retransmit;  /* RFC 7252: 4 */
    uint32_t separate_ms;    /* how long to wait for a separate response after its ACK */
};

enum coap_event {
    COAP_NOTHING,   /* go on */
    COAP_ANSWERED,  /* client->answer holds it; the exchange has ended */
    COAP_NO_ANSWER, /* every retransmission, or the wait, was in vain */
    COAP_RESET,     /* the peer rejected the message */
    COAP_BROKEN     /* the peer contradicts itself, or answers more than the buffer holds */
};

/*
 * IDLE: no exchange. Every message that wants an acknowledgement is answered with RST, but a
 *   repetition of the last separate response with ACK (our ACK was lost).
 * WAIT_ACK: a confirmable request is out; retransmitted with doubling time-outs (4.2) until ACK,
 *   RST or the last time-out.
 * WAIT_RESPONSE: acknowledged empty (5.2.2), or a non-confirmable request: waits until deadline.
 * Both lead to themselves for the next block and for one Echo challenge, else to IDLE.
 */
enum coap_state { COAP_IDLE, COAP_WAIT_ACK, COAP_WAIT_RESPONSE };

struct coap_client {
    struct coap_client_config config;
    enum coap_state state;
    struct coap_request request;
    struct coap_answer answer;
    uint8_t token[4];
    uint16_t jitter; /* of this request, in 1/65536 of half the time-out */
    uint16_t next_id;
    uint16_t id;         /* of the message on its way */
    size_t datagram_len; /* of that message */
    uint64_t deadline;   /* ms; when the state gives up or repeats */
    uint32_t timeout_ms; /* current, doubled on each repetition */
    uint8_t retransmissions;
    bool blockwise; /* the body goes in blocks */
    size_t sent;    /* octets of the body acknowledged by earlier blocks */
    uint8_t send_szx;
    bool fetching; /* further blocks of the answer are asked for */
    uint32_t fetch_number;
    uint8_t fetch_szx;
    uint8_t etag[8];
    size_t etag_len;
    size_t received;
    uint8_t echo[COAP_ECHO_MAX];
    size_t echo_len;        /* 0: no challenge so far */
    uint16_t last_separate; /* message id of the last separate response that we acknowledged */
    bool last_separate_known;
};

/* `first_id` should be random (RFC 7252, 4.4). */
void coap_client_init(struct coap_client *client, const struct coap_client_config *config,
                      uint16_t first_id);

/*
 * Starts an exchange: MOTE_E_STATE while one is under way, MOTE_E_SPACE if the request does not
 * fit. `chance` is 6 random octets, for the token and the time-out.
 * With no_response 26 and non-confirmable, the client is idle again at once.
 */
int coap_client_start(struct coap_client *client, const struct coap_request *request,
                      const uint8_t chance[6], uint64_t now);

/* Ends the exchange, if one is under way: what still comes of it comes too late. */
void coap_client_stop(struct coap_client *client);

/* A datagram of the peer has come. */
enum coap_event coap_client_receive(struct coap_client *client, const uint8_t *datagram, size_t len,
                                    uint64_t now);

/* Time has passed. To be called at coap_client_deadline, UINT64_MAX when idle. */
enum coap_event coap_client_tick(struct coap_client *client, uint64_t now);
uint64_t coap_client_deadline(const struct coap_client *client);

#endif
