/* The counter block of CTR mode. */
#ifndef MOTE_CORE_CRYPTO_COUNTER_H
#define MOTE_CORE_CRYPTO_COUNTER_H

#include "mote/crypto.h"

/* Increments the last four octets, big-endian. */
static inline void counter_next(uint8_t counter[AES_BLOCK])
{
    unsigned carry = 1;
    for (size_t i = AES_BLOCK; i > AES_BLOCK - 4; i--) {
        carry += counter[i - 1];
        counter[i - 1] = (uint8_t)carry;
        carry >>= 8;
    }
}

#endif
