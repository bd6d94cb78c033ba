/* The mirror's answer to a registration: COSE_Sign1 with ES256 over a map. */
#include "mote/jose.h"

#include "mote/cbor.h"
#include "mote/crypto.h"

enum {
    TAG_SIGN1 = 18,
    HEADER_ALG = 1,
    HEADER_CRIT = 2,
    ALG_ES256 = -7,
    PAIRS_MAX = 16,
    COORDINATE = P256_PUBLIC_SIZE / 2
};

/* Members of the answer map, and of a COSE_Key of P-256 (RFC 9053, section 7.1.1). */
enum { ANSWER_TIME, ANSWER_HIGHEST, ANSWER_KEY, ANSWER_WINDOW, ANSWER_KEY_NUMBER };
enum { KEY_TYPE = 1, KEY_TYPE_EC2 = 2, KEY_CURVE = -1, KEY_CURVE_P256 = 1, KEY_X = -2, KEY_Y = -3 };

/* The parts of a COSE_Sign1, in place. */
struct sign1 {
    struct piece header;
    struct piece payload;
    const uint8_t *signature;
};

static bool octets_take(struct reader *in, struct piece *piece)
{
    piece->data = cbor_take_octets(in, &piece->len);
    return piece->data != NULL;
}

static bool map_take(struct reader *in, uint64_t *count)
{
    return cbor_take(in, CBOR_MAP, count) && *count <= PAIRS_MAX;
}

/* Skips the unprotected header: it is not signed, so it is ignored. */
static bool skip_unprotected(struct reader *in)
{
    uint64_t count;

    if (!map_take(in, &count))
        return false;
    for (uint64_t i = 0; i < 2 * count; i++)
        if (!cbor_skip_plain(in))
            return false;
    return true;
}

static bool sign1_read(struct sign1 *sign1, const uint8_t *data, size_t len)
{
    struct reader in;
    struct piece signature;
    uint64_t value;

    reader_init(&in, data, len);
    if (len > 0 && data[0] >> 5 == CBOR_TAG &&
        (!cbor_take(&in, CBOR_TAG, &value) || value != TAG_SIGN1))
        return false;
    if (!cbor_take(&in, CBOR_ARRAY, &value) || value != 4 || !octets_take(&in, &sign1->header) ||
        !skip_unprotected(&in) || !octets_take(&in, &sign1->payload) ||
        !octets_take(&in, &signature) || signature.len != P256_SIGNATURE_SIZE)
        return false;
    sign1->signature = signature.data;
    return in.left == 0;
}

/* The protected header must have ES256 as its algorithm and no critical parameters. */
static int header_check(const struct piece *header)
{
    struct reader in;
    uint64_t count;
    bool named = false;

    reader_init(&in, header->data, header->len);
    if (!map_take(&in, &count))
        return MOTE_E_MALFORMED;
    for (uint64_t i = 0; i < count; i++) {
        int64_t label;
        int64_t algorithm = 0;

        if (!cbor_take_integer(&in, &label))
            return MOTE_E_MALFORMED;
        if (label == HEADER_CRIT)
            return MOTE_E_UNSUPPORTED;
        if (label == HEADER_ALG) {
            if (!cbor_take_integer(&in, &algorithm) || named)
                return MOTE_E_MALFORMED;
            if (algorithm != ALG_ES256)
                return MOTE_E_UNSUPPORTED;
            named = true;
        } else if (!cbor_skip_plain(&in)) {
            return MOTE_E_MALFORMED;
        }
    }
    return named && in.left == 0 ? MOTE_OK : MOTE_E_MALFORMED;
}

/* The Sig_structure of RFC 9052, section 4.4, hashed in pieces. */
static void signed_hash(const struct sha256 *hash, const struct sign1 *sign1,
                        const struct piece *request, uint8_t digest[SHA256_SIZE])
{
    uint8_t heads[3][16];
    uint8_t external[SHA256_SIZE];
    struct writer start;
    struct writer middle;
    struct writer end;

    sha256_pieces(hash, request, 1, external);
    writer_init(&start, heads[0], sizeof heads[0]);
    cbor_head_write(&start, CBOR_ARRAY, 4);
    cbor_head_write(&start, CBOR_TEXT, 10);
    writer_str(&start, "Signature1");
    cbor_head_write(&start, CBOR_OCTETS, sign1->header.len);
    writer_init(&middle, heads[1], sizeof heads[1]);
    cbor_head_write(&middle, CBOR_OCTETS, sizeof external);
    writer_init(&end, heads[2], sizeof heads[2]);
    cbor_head_write(&end, CBOR_OCTETS, sign1->payload.len);
    const struct piece pieces[] = {{heads[0], writer_len(&start)},  sign1->header,
                                   {heads[1], writer_len(&middle)}, {external, sizeof external},
                                   {heads[2], writer_len(&end)},    sign1->payload};
    sha256_pieces(hash, pieces, sizeof pieces / sizeof *pieces, digest);
}

static bool coordinate(struct reader *in, uint8_t *out)
{
    size_t len;
    const uint8_t *octets = cbor_take_octets(in, &len);
    struct reader copy;

    if (octets == NULL || len != COORDINATE)
        return false;
    reader_init(&copy, octets, len);
    return reader_copy(&copy, out, COORDINATE);
}

static bool key_read(struct reader *in, uint8_t point[P256_PUBLIC_SIZE])
{
    uint64_t count;
    unsigned coordinates = 0;

    if (!map_take(in, &count))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        int64_t label;
        int64_t value = 0;
        bool good;

        if (!cbor_take_integer(in, &label))
            return false;
        if (label == KEY_X || label == KEY_Y) {
            good = coordinate(in, label == KEY_X ? point : point + COORDINATE);
            coordinates |= label == KEY_X ? 1u : 2u;
        } else if (label == KEY_TYPE) {
            good = cbor_take_integer(in, &value) && value == KEY_TYPE_EC2;
        } else if (label == KEY_CURVE) {
            good = cbor_take_integer(in, &value) && value == KEY_CURVE_P256;
        } else {
            good = cbor_skip_plain(in);
        }
        if (!good)
            return false;
    }
    return coordinates == 3;
}

static bool number(struct reader *in, uint64_t *value)
{
    return cbor_take(in, CBOR_UNSIGNED, value);
}

static bool member_read(struct reader *in, int64_t label, struct jose_answer *answer)
{
    switch (label) {
    case ANSWER_TIME:
        return number(in, &answer->time);
    case ANSWER_HIGHEST:
        return number(in, &answer->highest);
    case ANSWER_KEY:
        answer->agreed = key_read(in, answer->ephemeral);
        return answer->agreed;
    case ANSWER_WINDOW:
        return number(in, &answer->window);
    case ANSWER_KEY_NUMBER:
        return number(in, &answer->key_number);
    default:
        return cbor_skip_plain(in);
    }
}

static int answer_read(const struct piece *payload, struct jose_answer *answer)
{
    struct reader in;
    uint64_t count;

    *answer = (struct jose_answer){.time = 0};
    reader_init(&in, payload->data, payload->len);
    if (!map_take(&in, &count))
        return MOTE_E_MALFORMED;
    for (uint64_t i = 0; i < count; i++) {
        int64_t label;

        if (!cbor_take_integer(&in, &label) || !member_read(&in, label, answer))
            return MOTE_E_MALFORMED;
    }
    return in.left == 0 ? MOTE_OK : MOTE_E_MALFORMED;
}

int jose_answer_open(const struct sha256 *hash, const struct p256 *curve,
                     const uint8_t mirror[P256_PUBLIC_SIZE], const struct piece *request,
                     const uint8_t *data, size_t len, struct jose_answer *answer)
{
    struct sign1 sign1;
    uint8_t digest[SHA256_SIZE];
    int error;

    if (!sign1_read(&sign1, data, len))
        return MOTE_E_MALFORMED;
    error = header_check(&sign1.header);
    if (error != MOTE_OK)
        return error;
    signed_hash(hash, &sign1, request, digest);
    if (curve->verify(curve->context, mirror, digest, sign1.signature) != MOTE_OK)
        return MOTE_E_AUTH;
    return answer_read(&sign1.payload, answer);
}
