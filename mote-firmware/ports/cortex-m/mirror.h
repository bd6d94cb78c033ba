/*
 * A mirror with an identity key (docs/protocol.md sections 2 and 7) for measurements in one image.
 * It receives the endpoint's frames and answers them, and runs between the measured calls. Tests
 * with other mirrors are in tests/peer.
 */
#ifndef MOTE_PORTS_CORTEX_M_MIRROR_H
#define MOTE_PORTS_CORTEX_M_MIRROR_H

#include "endpoint.h"
#include "mote/ieee802154.h"

enum { MIRROR_FRAMES = 16 };

struct mirror_frame {
    uint8_t psdu[FRAME_MAX];
    size_t len;
};

struct mirror {
    struct link link;
    struct frame_radio to_mote, from_mote;
    struct mirror_frame inbox[MIRROR_FRAMES], outbox[MIRROR_FRAMES];
    size_t inbox_len, outbox_len;
    struct p256 curve;
    br_sha256_context hash_state;
    struct sha256 hash;
    uint8_t key[P256_PRIVATE_SIZE];
    uint8_t body[2048]; /* of the registration, received in blocks */
    size_t body_len;
    unsigned updates;
};

void mirror_init(struct mirror *mirror, const uint8_t own[EUI64_SIZE],
                 const uint8_t mote[EUI64_SIZE]);

/* Handles the frames in the inbox and puts its answers in the outbox. -1 for an unexpected message.
 */
int mirror_turn(struct mirror *mirror);

#endif
