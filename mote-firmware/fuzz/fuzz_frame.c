/* Any octets as a PSDU: a parsed frame is written back identically, and opening it reads only
 * within bounds. */
#include "mote/crypto_bearssl.h"
#include "mote/ieee802154.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct frame frame;
    uint8_t out[FRAME_MAX];
    uint8_t copy[FRAME_MAX];
    struct bearssl_aes128 state;
    struct aes128 aes;
    const uint8_t key[AES_BLOCK] = {1};
    if (size > FRAME_MAX || frame_parse(&frame, data, size) != MOTE_OK)
        return 0;
    int len = frame_write(&frame, out, sizeof out);
    if (len < 0 || (size_t)len + frame.mic_len != size)
        abort();
    /* Reserved bits of 802.15.4 are not kept, so the frame is identical only from the third octet
     * on. */
    if (len > 2 && !frame.secured && memcmp(out + 2, data + 2, (size_t)len - 2) != 0)
        abort();
    memcpy(copy, data, size);
    if (frame.secured && frame_parse(&frame, copy, size) == MOTE_OK) {
        bearssl_aes128(&aes, &state);
        aes.set_key(aes.context, key);
        frame_open(&frame, copy, &aes, frame.src.octets);
    }
    return 0;
}
