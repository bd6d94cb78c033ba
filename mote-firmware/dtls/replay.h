/*
 * A session with the gateway's CoAPS that was recorded once (record.c). It is replayed where there
 * is no gateway: in the emulator, and in networks in virtual time. The mote's random numbers are
 * derived from a seed, so it sends the same octets again and the recorded answers match.
 */
#ifndef MOTE_DTLS_REPLAY_H
#define MOTE_DTLS_REPLAY_H

#include "dtls.h"

enum {
    REPLAY_OCTETS = 16 * 1024,
    REPLAY_SIZES = 5,
    REPLAY_EACH = 8, /* messages of each size */
    REPLAY_MOST = 256,
    REPLAY_ANSWER = 6 /* octets of the peer's message: a CoAP acknowledgement with a token of 2 */
};

extern const size_t replay_sizes[REPLAY_SIZES];

struct replay {
    uint8_t octets[REPLAY_OCTETS]; /* the peer's datagrams, each after its length in two octets */
    size_t len;
    size_t at; /* offset of the next datagram */
    uint64_t dice;
    struct random random;
    uint8_t message[REPLAY_MOST];
};

/* Reads the file. False if there is none or it is too long. */
bool replay_load(struct replay *replay, const char *path);

/* Begins again. */
void replay_start(struct replay *replay);

/* The peer's answer to the mote's next datagram. Returns its length, 0 if there is none. */
size_t replay_next(struct replay *replay, const uint8_t **datagram);

/* The configuration of the recorded mote, without wire and memory. */
struct dtls_config replay_config(struct replay *replay, bool connection_id);

#endif
