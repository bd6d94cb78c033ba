/*
 * The other end for measurements inside one image: takes the endpoint's frames and answers as a
 * mirror with an identity key does (protocols.md, sections 2 and 7). It runs between the measured
 * calls, never within one. The mote against the real mirror is the business of tests/peer.
 */
#ifndef MOTE_PORTS_CORTEX_M_MIRROR_H
#define MOTE_PORTS_CORTEX_M_MIRROR_H

#include "endpoint.h"

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
    uint8_t body[2048]; /* of the registration, block by block */
    size_t body_len;
    unsigned updates;
};

void mirror_init(struct mirror *mirror, const uint8_t own[EUI64_SIZE],
                 const uint8_t mote[EUI64_SIZE]);

/* Handles what is in the inbox; its answers are in the outbox then. -1 when it was sent nonsense.
 */
int mirror_turn(struct mirror *mirror);

#endif
