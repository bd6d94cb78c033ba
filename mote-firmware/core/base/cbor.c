/* Heads of CBOR items. The caller iterates over nested items, so no function recurses. */
#include "mote/cbor.h"

enum { ONE_OCTET = 24, TWO_OCTETS = 25, FOUR_OCTETS = 26, EIGHT_OCTETS = 27 };

void cbor_head_write(struct writer *out, enum cbor_major major, uint64_t value)
{
    uint8_t type = (uint8_t)((unsigned)major << 5);

    if (value < ONE_OCTET) {
        writer_u8(out, (uint8_t)(type | value));
    } else if (value <= UINT8_MAX) {
        writer_u8(out, type | ONE_OCTET);
        writer_u8(out, (uint8_t)value);
    } else if (value <= UINT16_MAX) {
        writer_u8(out, type | TWO_OCTETS);
        writer_u16(out, (uint16_t)value);
    } else if (value <= UINT32_MAX) {
        writer_u8(out, type | FOUR_OCTETS);
        writer_u32(out, (uint32_t)value);
    } else {
        writer_u8(out, type | EIGHT_OCTETS);
        writer_u64(out, value);
    }
}

static bool fail(struct reader *in)
{
    in->failed = true;
    in->left = 0;
    return false;
}

bool cbor_head_read(struct reader *in, enum cbor_major *major, uint64_t *value)
{
    uint8_t first = reader_u8(in);
    uint8_t info = first & 0x1f;

    *major = (enum cbor_major)(first >> 5);
    *value = info;
    switch (info) {
    case ONE_OCTET:
        *value = reader_u8(in);
        break;
    case TWO_OCTETS:
        *value = reader_u16(in);
        break;
    case FOUR_OCTETS:
        *value = reader_u32(in);
        break;
    case EIGHT_OCTETS:
        *value = reader_u64(in);
        break;
    default:
        if (info > EIGHT_OCTETS)
            return fail(in);
        break;
    }
    return !in->failed;
}

bool cbor_take(struct reader *in, enum cbor_major major, uint64_t *value)
{
    enum cbor_major found;

    return cbor_head_read(in, &found, value) && (found == major || fail(in));
}

const uint8_t *cbor_take_octets(struct reader *in, size_t *len)
{
    uint64_t size;

    *len = 0;
    if (!cbor_take(in, CBOR_OCTETS, &size) || (size > in->left && !fail(in)))
        return NULL;
    *len = (size_t)size;
    return reader_take(in, *len);
}

bool cbor_take_integer(struct reader *in, int64_t *value)
{
    enum cbor_major major;
    uint64_t magnitude;

    if (!cbor_head_read(in, &major, &magnitude))
        return false;
    if (major > CBOR_NEGATIVE || magnitude > INT64_MAX)
        return fail(in);
    *value = major == CBOR_NEGATIVE ? -1 - (int64_t)magnitude : (int64_t)magnitude;
    return true;
}

bool cbor_skip_plain(struct reader *in)
{
    enum cbor_major major;
    uint64_t value;

    if (!cbor_head_read(in, &major, &value))
        return false;
    if (major == CBOR_ARRAY || major == CBOR_MAP || major == CBOR_TAG)
        return fail(in);
    if (major == CBOR_OCTETS || major == CBOR_TEXT)
        return value <= in->left ? reader_take(in, (size_t)value) != NULL : fail(in);
    return true;
}
