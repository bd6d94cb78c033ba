/* The functions of the C library and the divisions that the core calls; clang has neither for this
 * processor. */
#include <stdint.h>
#include <string.h>

void *memcpy(void *to, const void *from, size_t len)
{
    uint8_t *out = to;
    const uint8_t *in = from;

    while (len-- > 0)
        *out++ = *in++;
    return to;
}

void *memmove(void *to, const void *from, size_t len)
{
    uint8_t *out = to;
    const uint8_t *in = from;

    if (out <= in)
        return memcpy(to, from, len);
    while (len-- > 0)
        out[len] = in[len];
    return to;
}

void *memset(void *to, int value, size_t len)
{
    uint8_t *out = to;

    while (len-- > 0)
        *out++ = (uint8_t)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t len)
{
    const uint8_t *one = a, *other = b;

    for (; len > 0; len--, one++, other++)
        if (*one != *other)
            return *one - *other;
    return 0;
}

size_t strlen(const char *text)
{
    size_t len = 0;

    while (text[len] != '\0')
        len++;
    return len;
}

static uint32_t divide_by(uint32_t number, uint32_t divisor, uint32_t *rest)
{
    uint32_t quotient = 0, left = 0;

    for (uint8_t bit = 0; bit < 32; bit++) {
        left = left << 1 | number >> 31;
        number <<= 1;
        quotient <<= 1;
        if (left >= divisor) {
            left -= divisor;
            quotient |= 1;
        }
    }
    *rest = left;
    return quotient;
}

uint32_t __mspabi_divul(uint32_t number, uint32_t divisor);
uint32_t __mspabi_remul(uint32_t number, uint32_t divisor);
uint16_t __mspabi_divu(uint16_t number, uint16_t divisor);
uint16_t __mspabi_remu(uint16_t number, uint16_t divisor);

uint32_t __mspabi_divul(uint32_t number, uint32_t divisor)
{
    uint32_t rest;

    return divide_by(number, divisor, &rest);
}

uint32_t __mspabi_remul(uint32_t number, uint32_t divisor)
{
    uint32_t rest;

    divide_by(number, divisor, &rest);
    return rest;
}

uint16_t __mspabi_divu(uint16_t number, uint16_t divisor)
{
    return (uint16_t)__mspabi_divul(number, divisor);
}

uint16_t __mspabi_remu(uint16_t number, uint16_t divisor)
{
    return (uint16_t)__mspabi_remul(number, divisor);
}
