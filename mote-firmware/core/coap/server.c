#include "mote/coap_server.h"

#include "mote/coap.h"

static const char CORE[] = ".well-known/core";

/* The options of a request. */
struct request_options {
    struct coap_block block;
    bool has_block;
    int32_t accept;
    bool understood;
};

static struct request_options options_read(const struct coap_message *request)
{
    struct request_options wanted = {.accept = COAP_FORMAT_NONE, .understood = true};
    struct coap_options options;
    struct coap_option option;
    uint32_t value;

    coap_options_begin(&options, request);
    while (coap_options_next(&options, &option)) {
        switch (option.number) {
        case COAP_URI_HOST:
        case COAP_URI_PORT:
        case COAP_URI_PATH:
        case COAP_URI_QUERY:
            break;
        case COAP_ACCEPT:
            wanted.understood = wanted.understood && coap_option_uint(&option, &value);
            wanted.accept = wanted.understood ? (int32_t)(value & UINT16_MAX) : wanted.accept;
            break;
        case COAP_BLOCK2:
            wanted.has_block = coap_block_read(&option, &wanted.block);
            wanted.understood = wanted.understood && wanted.has_block;
            break;
        default:
            wanted.understood = wanted.understood && option.number % 2 == 0;
        }
    }
    return wanted;
}

/* True if the Uri-Path segments joined by '/' are `path`. */
static bool path_is(const struct coap_message *request, const char *path)
{
    struct coap_options options;
    struct coap_option option;
    bool first = true;

    coap_options_begin(&options, request);
    while (coap_options_next(&options, &option)) {
        if (option.number != COAP_URI_PATH)
            continue;
        if (!first && *path++ != '/')
            return false;
        first = false;
        for (size_t i = 0; i < option.len; i++)
            if (*path == '\0' || (uint8_t)*path++ != option.value[i])
                return false;
    }
    return *path == '\0';
}

static void links_write(const struct coap_server *server, struct writer *out)
{
    for (size_t i = 0; i < server->resource_count; i++) {
        const struct coap_resource *resource = &server->resources[i];

        writer_str(out, i == 0 ? "</" : ",</");
        writer_str(out, resource->path);
        writer_u8(out, '>');
        if (resource->attributes != NULL) {
            writer_u8(out, ';');
            writer_str(out, resource->attributes);
        }
    }
}

static uint8_t error_code(int error)
{
    switch (error) {
    case MOTE_E_AUTH:
        return COAP_FORBIDDEN;
    case MOTE_E_MALFORMED:
        return COAP_BAD_REQUEST;
    case MOTE_E_STATE:
        return COAP_CONFLICT;
    default:
        return COAP_UNAVAILABLE;
    }
}

static bool acceptable(const struct request_options *wanted, int32_t format)
{
    return wanted->accept == COAP_FORMAT_NONE || wanted->accept == format;
}

static size_t block_size(uint8_t szx)
{
    return (size_t)16 << szx;
}

/* Calls the handler of the request's method, unless its answer could not be sent. Returns the
 * response code. */
static uint8_t handle(const struct coap_server *server, const struct coap_resource *resource,
                      const struct coap_message *request, const struct request_options *wanted,
                      struct writer *body)
{
    bool get = request->code == COAP_GET && resource->read != NULL;
    bool post = request->code == COAP_POST && resource->post != NULL;
    int error = MOTE_OK;

    if (!get && !post)
        return COAP_METHOD_NOT_ALLOWED;
    if (!acceptable(wanted, resource->format))
        return COAP_NOT_ACCEPTABLE;
    if (post && wanted->block.number > 0) /* without state, a later block would act again */
        return COAP_BAD_OPTION;
    if (get)
        error = resource->read(resource->context, body);
    else
        error = resource->post(resource->context, request->payload, request->payload_len, body);
    if (error == MOTE_OK && (body->failed || (post && body->len > block_size(server->block_szx))))
        error = MOTE_E_SPACE;
    if (error != MOTE_OK)
        return error_code(error);
    return get ? COAP_CONTENT : COAP_CHANGED;
}

/* Writes the representation or the answer to `body` and sets its format. Returns the response code.
 */
static uint8_t answer_resource(const struct coap_server *server, const struct coap_message *request,
                               const struct request_options *wanted, struct writer *body,
                               int32_t *format)
{
    if (path_is(request, CORE)) {
        *format = COAP_FORMAT_LINKS;
        if (request->code != COAP_GET)
            return COAP_METHOD_NOT_ALLOWED;
        if (!acceptable(wanted, COAP_FORMAT_LINKS))
            return COAP_NOT_ACCEPTABLE;
        links_write(server, body);
        return body->failed ? COAP_UNAVAILABLE : COAP_CONTENT;
    }
    for (size_t i = 0; i < server->resource_count; i++) {
        const struct coap_resource *resource = &server->resources[i];

        if (path_is(request, resource->path)) {
            *format = resource->format;
            return handle(server, resource, request, wanted, body);
        }
    }
    return COAP_NOT_FOUND;
}

/* Writes the block of a representation that the request asks for. */
static void payload_write(const struct coap_server *server, const struct request_options *wanted,
                          const struct writer *body, struct coap_builder *builder)
{
    struct coap_block block = wanted->block;
    size_t size;
    size_t from;

    if (!wanted->has_block || block.szx > server->block_szx) {
        /* A smaller block than requested starts at the same octet (RFC 7959 section 2.4). */
        block.number = wanted->has_block ? block.number << (block.szx - server->block_szx) : 0;
        block.szx = server->block_szx;
    }
    size = block_size(block.szx);
    from = (size_t)block.number * size;
    block.more = body->len > from + size;
    if (wanted->has_block || block.more)
        coap_add_block(builder, COAP_BLOCK2, block);
    coap_payload(builder, body->start + from, block.more ? size : body->len - from);
}

/* True if the requested block starts within the representation. */
static bool block_exists(const struct request_options *wanted, size_t len)
{
    return !wanted->has_block || wanted->block.number == 0 ||
           (size_t)wanted->block.number << (wanted->block.szx + 4) < len;
}

size_t coap_serve(const struct coap_server *server, const uint8_t *datagram, size_t len,
                  uint16_t id, uint8_t *out, size_t size)
{
    struct coap_message request;
    struct coap_builder builder;
    struct writer body;
    struct writer answer;
    struct request_options wanted;
    int32_t format = COAP_FORMAT_NONE;
    uint8_t code = COAP_BAD_OPTION;

    writer_init(&answer, out, size);
    if (coap_parse(&request, datagram, len) != MOTE_OK)
        return 0;
    if (request.type == COAP_CON && request.code == COAP_EMPTY) {
        coap_begin(&builder, &answer, COAP_RST, COAP_EMPTY, request.id, NULL, 0);
        return writer_len(&answer);
    }
    if (request.type > COAP_NON || request.code == COAP_EMPTY || request.code >> 5 != 0)
        return 0;
    wanted = options_read(&request);
    writer_init(&body, server->body, server->body_size);
    if (wanted.understood)
        code = answer_resource(server, &request, &wanted, &body, &format);
    if (code == COAP_CONTENT && !block_exists(&wanted, body.len))
        code = COAP_BAD_REQUEST;
    bool success = code == COAP_CONTENT || code == COAP_CHANGED;
    if (!success && request.type == COAP_NON)
        return 0;
    coap_begin(&builder, &answer, request.type == COAP_CON ? COAP_ACK : COAP_NON, code,
               request.type == COAP_CON ? request.id : id, request.token, request.token_len);
    if (success && (code == COAP_CONTENT || body.len > 0)) {
        coap_add_uint(&builder, COAP_CONTENT_FORMAT, (uint32_t)format);
        if (code == COAP_CONTENT)
            payload_write(server, &wanted, &body, &builder);
        else
            coap_payload(&builder, body.start, body.len);
    }
    return writer_len(&answer);
}
