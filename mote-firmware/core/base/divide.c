#include "mote/base.h"

/*
 * One bit at a time, from the highest. The bits that leave `value` are replaced by the quotient's.
 */
uint64_t divide(uint64_t value, uint64_t by, uint64_t *rest)
{
    uint64_t left = 0;

    for (unsigned bit = 0; bit < 64; bit++) {
        left = left << 1 | value >> 63;
        value <<= 1;
        if (left >= by) {
            left -= by;
            value |= 1;
        }
    }
    if (rest != NULL)
        *rest = left;
    return value;
}
