/*
 * CCM* over a frame (IEEE 802.15.4-2015 section 9.3). Levels 1 to 3 authenticate header and
 * payload; 4 to 7 encrypt the payload, and 5 to 7 authenticate both. Only data frames are
 * supported, because commands and beacons leave a part of the payload unencrypted.
 */
#include "mote/ieee802154.h"

#include <string.h>

enum { NONCE_SIZE = 13, LEVEL_ENCRYPTED = 4 };

static void make_nonce(const struct frame_security *security, const uint8_t eui[EUI64_SIZE],
                       uint8_t nonce[NONCE_SIZE])
{
    struct writer w;
    writer_init(&w, nonce, NONCE_SIZE);
    writer_bytes(&w, eui, EUI64_SIZE);
    writer_u32(&w, security->counter);
    writer_u8(&w, security->level);
}

static struct ccm ccm_of(const struct frame *frame, const struct aes128 *aes,
                         const uint8_t nonce[NONCE_SIZE], const uint8_t *psdu)
{
    bool encrypted = frame->security.level >= LEVEL_ENCRYPTED;
    size_t clear = encrypted ? 0 : frame->payload_len;
    return (struct ccm){
        .aes = aes,
        .length_size = 2,
        .mic_len = (uint8_t)frame_mic_size(frame->security.level),
        .nonce = nonce,
        .header = {{psdu, frame->header_len}, {psdu + frame->header_len, clear}},
    };
}

static int check_supported(const struct frame *frame)
{
    if (!frame->secured)
        return MOTE_E_STATE;
    return frame->type == FRAME_DATA && frame->version > 0 ? MOTE_OK : MOTE_E_UNSUPPORTED;
}

int frame_seal(struct frame *frame, const struct aes128 *aes, const uint8_t eui[EUI64_SIZE],
               uint8_t *out, size_t size)
{
    uint8_t nonce[NONCE_SIZE];
    uint8_t mic[FRAME_MIC_MAX];
    int error = check_supported(frame);
    if (error)
        return error;
    if (frame->security.counter == UINT32_MAX)
        return MOTE_E_STATE; /* the key is used up */
    int len = frame_write(frame, out, size);
    if (len < 0)
        return len;
    frame->mic_len = frame_mic_size(frame->security.level);
    if (size - (size_t)len < frame->mic_len)
        return MOTE_E_SPACE;
    if (frame->security.level > 0) {
        bool encrypted = frame->security.level >= LEVEL_ENCRYPTED;
        make_nonce(&frame->security, eui, nonce);
        struct ccm ccm = ccm_of(frame, aes, nonce, out);
        error = ccm_seal(&ccm, out + frame->header_len, encrypted ? frame->payload_len : 0, mic);
        memcpy(out + len, mic, frame->mic_len);
    }
    return error ? error : len + (int)frame->mic_len;
}

int frame_open(const struct frame *frame, uint8_t *psdu, const struct aes128 *aes,
               const uint8_t eui[EUI64_SIZE])
{
    uint8_t nonce[NONCE_SIZE];
    int error = check_supported(frame);
    if (error)
        return error;
    if (frame->security.level == 0)
        return MOTE_OK; /* the caller's policy decides whether level 0 is acceptable */
    bool encrypted = frame->security.level >= LEVEL_ENCRYPTED;
    make_nonce(&frame->security, eui, nonce);
    struct ccm ccm = ccm_of(frame, aes, nonce, psdu);
    return ccm_open(&ccm, psdu + frame->header_len, encrypted ? frame->payload_len : 0, frame->mic);
}
