/* Security levels (IEEE 802.15.4-2015 table 9-6). */
#include "mote/ieee802154.h"

size_t frame_mic_size(uint8_t level)
{
    static const uint8_t sizes[4] = {0, 4, 8, 16};
    return sizes[level & 3];
}
