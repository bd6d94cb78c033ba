/* Bit by bit, without a table. */
#include "mote/base.h"

uint32_t crc32_ieee(uint32_t start, const uint8_t *data, size_t len)
{
    uint32_t crc = ~start;

    for (size_t i = 0; i < len; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
    }
    return ~crc;
}
