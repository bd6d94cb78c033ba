#include "channel.h"

/* xorshift64* */
uint64_t air_roll(struct air *air)
{
    air->dice ^= air->dice >> 12;
    air->dice ^= air->dice << 25;
    air->dice ^= air->dice >> 27;
    return air->dice * 0x2545f4914f6cdd1dU;
}

bool air_is_busy(const struct air *air, uint8_t node)
{
    for (size_t i = 0; i < AIR_FLYING; i++) {
        const struct air_frame *other = &air->flying[i];
        if (other->used && (other->from == node || air->hears[node][other->from]))
            return true;
    }
    return false;
}
