#include "mote/base.h"

#include <string.h>

void writer_init(struct writer *w, uint8_t *out, size_t size)
{
    w->start = out;
    w->len = 0;
    w->size = size;
    w->failed = false;
}

uint8_t *writer_take(struct writer *w, size_t len)
{
    if (w->failed || len > w->size - w->len) {
        w->failed = true;
        return NULL;
    }
    uint8_t *taken = w->start;
    if (w->len > 0)
        taken += w->len;
    w->len += len;
    return taken;
}

static void big_endian(struct writer *w, uint64_t value, size_t len)
{
    uint8_t *to = writer_take(w, len);
    if (to == NULL)
        return;
    for (size_t i = len; i > 0; i--) {
        to[i - 1] = (uint8_t)value;
        value >>= 8;
    }
}

static void little_endian(struct writer *w, uint64_t value, size_t len)
{
    uint8_t *to = writer_take(w, len);
    if (to == NULL)
        return;
    for (size_t i = 0; i < len; i++) {
        to[i] = (uint8_t)value;
        value >>= 8;
    }
}

void writer_u8(struct writer *w, uint8_t value)
{
    big_endian(w, value, 1);
}

void writer_u16(struct writer *w, uint16_t value)
{
    big_endian(w, value, 2);
}

void writer_u32(struct writer *w, uint32_t value)
{
    big_endian(w, value, 4);
}

void writer_u64(struct writer *w, uint64_t value)
{
    big_endian(w, value, 8);
}

void writer_u16_le(struct writer *w, uint16_t value)
{
    little_endian(w, value, 2);
}

void writer_u32_le(struct writer *w, uint32_t value)
{
    little_endian(w, value, 4);
}

void writer_u64_le(struct writer *w, uint64_t value)
{
    little_endian(w, value, 8);
}

void writer_bytes(struct writer *w, const uint8_t *data, size_t len)
{
    uint8_t *to = writer_take(w, len);
    if (to != NULL && len > 0)
        memcpy(to, data, len);
}

void writer_str(struct writer *w, const char *text)
{
    /* Octet by octet: compilers turn a counting loop into strlen, which not every target has. */
    for (; *text != '\0'; text++)
        writer_u8(w, (uint8_t)*text);
}

void writer_decimal(struct writer *w, uint64_t value)
{
    uint8_t digits[20]; /* 2^64 - 1 has 20 */
    size_t at = sizeof digits;
    uint64_t digit;
    do {
        value = divide(value, 10, &digit);
        digits[--at] = (uint8_t)('0' + digit);
    } while (value > 0);
    writer_bytes(w, digits + at, sizeof digits - at);
}

size_t writer_len(const struct writer *w)
{
    return w->failed ? 0 : w->len;
}
