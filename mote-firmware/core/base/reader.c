#include "mote/base.h"

#include <string.h>

void reader_init(struct reader *r, const uint8_t *data, size_t len)
{
    r->at = data;
    r->left = len;
    r->failed = false;
}

const uint8_t *reader_take(struct reader *r, size_t len)
{
    if (r->failed || len > r->left) {
        r->failed = true;
        r->left = 0;
        return NULL;
    }
    const uint8_t *taken = r->at;
    if (len > 0) { /* an empty input may be NULL, and NULL + 0 is undefined behaviour */
        r->at += len;
        r->left -= len;
    }
    return taken;
}

bool reader_copy(struct reader *r, uint8_t *out, size_t len)
{
    const uint8_t *from = reader_take(r, len);
    if (r->failed)
        return false;
    if (len > 0)
        memcpy(out, from, len);
    return true;
}

static uint64_t big_endian(struct reader *r, size_t len)
{
    const uint8_t *from = reader_take(r, len);
    uint64_t value = 0;
    if (from == NULL)
        return 0;
    for (size_t i = 0; i < len; i++)
        value = value << 8 | from[i];
    return value;
}

static uint64_t little_endian(struct reader *r, size_t len)
{
    const uint8_t *from = reader_take(r, len);
    uint64_t value = 0;
    if (from == NULL)
        return 0;
    for (size_t i = len; i > 0; i--)
        value = value << 8 | from[i - 1];
    return value;
}

uint8_t reader_u8(struct reader *r)
{
    return (uint8_t)big_endian(r, 1);
}

uint16_t reader_u16(struct reader *r)
{
    return (uint16_t)big_endian(r, 2);
}

uint32_t reader_u32(struct reader *r)
{
    return (uint32_t)big_endian(r, 4);
}

uint64_t reader_u64(struct reader *r)
{
    return big_endian(r, 8);
}

uint16_t reader_u16_le(struct reader *r)
{
    return (uint16_t)little_endian(r, 2);
}

uint32_t reader_u32_le(struct reader *r)
{
    return (uint32_t)little_endian(r, 4);
}

uint64_t reader_u64_le(struct reader *r)
{
    return little_endian(r, 8);
}
