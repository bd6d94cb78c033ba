#include "mote/base.h"

void wipe(void *secret, size_t len)
{
    volatile uint8_t *at = secret;
    while (len > 0) {
        len--;
        at[len] = 0;
    }
}

bool equal_ct(const uint8_t *a, const uint8_t *b, size_t len)
{
    uint8_t difference = 0;
    for (size_t i = 0; i < len; i++)
        difference = (uint8_t)(difference | (a[i] ^ b[i]));
    return difference == 0;
}
