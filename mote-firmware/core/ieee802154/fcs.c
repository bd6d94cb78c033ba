#include "mote/ieee802154.h"

/* x^16 + x^12 + x^5 + 1, least significant bit first, starting at 0 (802.15.4 section 7.2.10). */
uint16_t frame_fcs(const uint8_t *psdu, size_t len)
{
    uint16_t crc = 0;
    for (size_t i = 0; i < len; i++) {
        /* Eight steps of the shift register at once, without a table. */
        uint8_t x = (uint8_t)(psdu[i] ^ crc);
        x = (uint8_t)(x ^ x << 4);
        crc = (uint16_t)(crc >> 8 ^ (unsigned)x << 8 ^ (unsigned)x << 3 ^ x >> 4);
    }
    return crc;
}

bool frame_fcs_good(const uint8_t *psdu, size_t len_with_fcs)
{
    if (len_with_fcs < FRAME_FCS_SIZE)
        return false;
    size_t len = len_with_fcs - FRAME_FCS_SIZE;
    uint16_t crc = frame_fcs(psdu, len);
    return psdu[len] == (uint8_t)crc && psdu[len + 1] == crc >> 8;
}

void frame_fcs_append(uint8_t *psdu, size_t len)
{
    uint16_t crc = frame_fcs(psdu, len);
    psdu[len] = (uint8_t)crc;
    psdu[len + 1] = (uint8_t)(crc >> 8);
}
