/* The CoAP server: one response for each request. */
#include "harness.h"
#include "mote/coap.h"
#include "mote/coap_server.h"

static int reading(void *context, struct writer *out)
{
    writer_str(out, context);
    return MOTE_OK;
}

static int broken(void *context, struct writer *out)
{
    (void)context;
    (void)out;
    return MOTE_E_IO;
}

static unsigned actions;

/* Answers with the payload twice. An octet below 16 is an error number. */
static int take(void *context, const uint8_t *payload, size_t len, struct writer *out)
{
    (void)context;
    actions++;
    if (len == 1 && payload[0] < 16)
        return -(int)payload[0];
    writer_bytes(out, payload, len);
    writer_bytes(out, payload, len);
    return MOTE_OK;
}

static char small[] = "[{\"n\":\"load\",\"v\":1}]";
static char large[] = "0123456789abcdef0123456789ABCDEF0123456789";
static const struct coap_resource resources[] = {
    {"load", "rt=\"load\";ct=110", COAP_FORMAT_SENML_JSON, reading, NULL, small},
    {"deep/text", NULL, COAP_FORMAT_TEXT, reading, NULL, large},
    {"broken", NULL, COAP_FORMAT_TEXT, broken, NULL, NULL},
    {"take", NULL, COAP_FORMAT_CBOR, NULL, take, NULL},
};
static uint8_t body[256];
static const struct coap_server server = {resources, 4, 2, body, sizeof body};

struct asking {
    enum coap_type type;
    uint8_t code;
    const char *path;
    int accept; /* negative: none */
    int block;  /* number, negative: none; then szx */
    uint8_t szx;
    uint16_t odd; /* one more option, 0: none */
    const char *payload;
};

static uint8_t out[256];
static struct coap_message answer;

/* The code of the answer, or -1 when there is none. */
static int ask(struct asking asking)
{
    uint8_t datagram[128];
    struct coap_builder builder;
    struct writer w;

    writer_init(&w, datagram, sizeof datagram);
    coap_begin(&builder, &w, asking.type, asking.code, 0x1234, (const uint8_t *)"tok", 3);
    coap_add_parts(&builder, COAP_URI_PATH, asking.path, '/');
    if (asking.accept >= 0)
        coap_add_uint(&builder, COAP_ACCEPT, (uint32_t)asking.accept);
    if (asking.block >= 0)
        coap_add_block(&builder, COAP_BLOCK2,
                       (struct coap_block){(uint32_t)asking.block, false, asking.szx});
    if (asking.odd != 0)
        coap_add(&builder, asking.odd, NULL, 0);
    if (asking.payload != NULL)
        coap_payload(&builder, (const uint8_t *)asking.payload, strlen(asking.payload));
    size_t n = coap_serve(&server, datagram, writer_len(&w), 0x7777, out, sizeof out);
    if (n == 0)
        return -1;
    CHECK_INT(coap_parse(&answer, out, n), MOTE_OK);
    CHECK_OCTETS(answer.token, answer.token_len, "tok", 3);
    CHECK_INT(answer.type, asking.type == COAP_CON ? COAP_ACK : COAP_NON);
    CHECK_INT(answer.id, asking.type == COAP_CON ? 0x1234 : 0x7777);
    return answer.code;
}

static struct asking get(const char *path)
{
    return (struct asking){COAP_CON, COAP_GET, path, -1, -1, 0, 0, NULL};
}

TEST(serves_readings_and_lists_resources)
{
    struct asking asking = get("load");

    CHECK_INT(ask(asking), COAP_CONTENT);
    CHECK_OCTETS(answer.payload, answer.payload_len, small, strlen(small));
    asking.accept = COAP_FORMAT_SENML_JSON;
    CHECK_INT(ask(asking), COAP_CONTENT);
    asking.type = COAP_NON;
    CHECK_INT(ask(asking), COAP_CONTENT);
    asking = get(".well-known/core");
    asking.block = 0;
    asking.szx = 2;
    CHECK_INT(ask(asking), COAP_CONTENT);
    CHECK_OCTETS(answer.payload, answer.payload_len,
                 "</load>;rt=\"load\";ct=110,</deep/text>,</broken>,</take>", 55);
}

TEST(sends_a_long_representation_in_blocks_of_its_size)
{
    char whole[64] = "";
    struct asking asking = get("deep/text");

    for (int number = 0; number < 3; number++) {
        asking.block = number;
        asking.szx = 0;
        CHECK_INT(ask(asking), COAP_CONTENT);
        snprintf(whole + strlen(whole), sizeof whole - strlen(whole), "%.*s",
                 (int)answer.payload_len, (const char *)answer.payload);
    }
    CHECK(strcmp(whole, large) == 0);
    asking.block = 3;
    CHECK_INT(ask(asking), COAP_BAD_REQUEST);
    asking.block = (1 << 20) - 1;
    asking.szx = 6;
    CHECK_INT(ask(asking), COAP_BAD_REQUEST);
    asking.block = 0; /* larger than the server sends */
    CHECK_INT(ask(asking), COAP_CONTENT);
    CHECK_INT(answer.payload_len, 42);
}

TEST(answers_errors_only_for_confirmable_requests)
{
    struct asking asking = get("door");

    CHECK_INT(ask(asking), COAP_NOT_FOUND);
    CHECK_INT(ask(get("loa")), COAP_NOT_FOUND);
    CHECK_INT(ask(get("load/x")), COAP_NOT_FOUND);
    CHECK_INT(ask(get("broken")), COAP_UNAVAILABLE);
    asking.type = COAP_NON;
    CHECK_INT(ask(asking), -1);
    asking = get("load");
    asking.code = COAP_PUT;
    CHECK_INT(ask(asking), COAP_METHOD_NOT_ALLOWED);
    asking = get("load");
    asking.accept = COAP_FORMAT_CBOR;
    CHECK_INT(ask(asking), COAP_NOT_ACCEPTABLE);
    asking = get("load");
    asking.odd = 2049; /* critical and unknown */
    CHECK_INT(ask(asking), COAP_BAD_OPTION);
    asking.odd = 2050;
    CHECK_INT(ask(asking), COAP_CONTENT);
    asking = get("load");
    asking.code = COAP_CONTENT; /* an answer is not a request */
    CHECK_INT(ask(asking), -1);
}

static uint8_t post(const char *payload)
{
    struct asking asking = {COAP_CON, COAP_POST, "take", -1, -1, 0, 0, payload};
    return (uint8_t)ask(asking);
}

TEST(answers_a_payload_with_another)
{
    struct asking asking = {COAP_NON, COAP_POST, "take", -1, -1, 0, 0, "ab"};

    CHECK_INT(ask(asking), COAP_CHANGED);
    CHECK_OCTETS(answer.payload, answer.payload_len, "abab", 4);
    CHECK_INT(post("ab"), COAP_CHANGED);
    CHECK_INT(post(NULL), COAP_CHANGED);
    CHECK_INT(answer.payload_len, 0);
    CHECK_INT(post((char[]){-MOTE_E_MALFORMED, 0}), COAP_BAD_REQUEST);
    CHECK_INT(post((char[]){-MOTE_E_AUTH, 0}), COAP_FORBIDDEN);
    CHECK_INT(post((char[]){-MOTE_E_STATE, 0}), COAP_CONFLICT);
    CHECK_INT(post((char[]){-MOTE_E_IO, 0}), COAP_UNAVAILABLE);
    CHECK_INT(ask(get("take")), COAP_METHOD_NOT_ALLOWED);
    asking.path = "load";
    asking.type = COAP_CON;
    CHECK_INT(ask(asking), COAP_METHOD_NOT_ALLOWED);
}

TEST(refuses_a_later_block_of_an_answer_before_it_acts)
{
    struct asking asking = {COAP_CON, COAP_POST, "take", -1, 1, 0, 0, "ab"};

    actions = 0;
    CHECK_INT(ask(asking), COAP_BAD_OPTION);
    asking.block = (1 << 20) - 1;
    asking.szx = 6;
    CHECK_INT(ask(asking), COAP_BAD_OPTION);
    asking.type = COAP_NON;
    CHECK_INT(ask(asking), -1);
    CHECK_INT(actions, 0);
    asking.block = 0; /* only names a block size */
    CHECK_INT(ask(asking), COAP_CHANGED);
    CHECK_OCTETS(answer.payload, answer.payload_len, "abab", 4);
    CHECK_INT(actions, 1);
}

TEST(refuses_another_format_before_it_acts)
{
    struct asking asking = {COAP_CON, COAP_POST, "take", COAP_FORMAT_TEXT, -1, 0, 0, "ab"};

    actions = 0;
    CHECK_INT(ask(asking), COAP_NOT_ACCEPTABLE);
    CHECK_INT(actions, 0);
    asking.accept = COAP_FORMAT_CBOR;
    CHECK_INT(ask(asking), COAP_CHANGED);
    asking.accept = COAP_FORMAT_TEXT;
    asking.path = "door";
    CHECK_INT(ask(asking), COAP_NOT_FOUND);
}

TEST(an_answer_that_needs_blocks_is_an_error)
{
    const char *payload = "0123456789abcdef0123456789abcdef!"; /* twice is more than 64 octets */
    struct asking asking = {COAP_CON, COAP_POST, "take", -1, -1, 0, 0, payload};

    CHECK_INT(ask(asking), COAP_UNAVAILABLE);
    asking.payload = payload + 1;
    CHECK_INT(ask(asking), COAP_CHANGED);
    CHECK_INT(answer.payload_len, 64);
}

TEST(acknowledgements_and_resets_are_not_requests)
{
    static const uint8_t codes[] = {COAP_GET, COAP_POST, COAP_PUT, COAP_EMPTY};

    actions = 0;
    for (size_t i = 0; i < sizeof codes; i++) {
        CHECK_INT(ask((struct asking){COAP_ACK, codes[i], "take", -1, -1, 0, 0, "ab"}), -1);
        CHECK_INT(ask((struct asking){COAP_RST, codes[i], "take", -1, -1, 0, 0, "ab"}), -1);
        CHECK_INT(ask((struct asking){COAP_ACK, codes[i], "load", -1, -1, 0, 0, NULL}), -1);
    }
    CHECK_INT(actions, 0);
}

TEST(answers_a_ping_with_a_reset)
{
    const uint8_t ping[] = {0x40, 0, 0x12, 0x34};
    const uint8_t reset[] = {0x70, 0, 0x12, 0x34};

    CHECK_OCTETS(out, coap_serve(&server, ping, sizeof ping, 1, out, sizeof out), reset,
                 sizeof reset);
}

int main(void)
{
    RUN(serves_readings_and_lists_resources);
    RUN(sends_a_long_representation_in_blocks_of_its_size);
    RUN(answers_errors_only_for_confirmable_requests);
    RUN(answers_a_payload_with_another);
    RUN(refuses_a_later_block_of_an_answer_before_it_acts);
    RUN(refuses_another_format_before_it_acts);
    RUN(an_answer_that_needs_blocks_is_an_error);
    RUN(acknowledgements_and_resets_are_not_requests);
    RUN(answers_a_ping_with_a_reset);
    return harness_report();
}
