/*
 * A client of DTLS 1.2 with a pre-shared key: TLS_PSK_WITH_AES_128_CCM_8 (RFC 6347, RFC 6655), with
 * Connection ID (RFC 9146), so that a session outlives a change of the mote's address. Mbed TLS
 * does the work (client.c); a build without it has absent.c instead.
 *
 * The caller owns all memory. One client at a time: Mbed TLS has one heap, which is the caller's
 * buffer. Nothing blocks; time comes with each call.
 */
#ifndef MOTE_DTLS_DTLS_H
#define MOTE_DTLS_DTLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mote/port/random.h"
#include "mote/port/wire.h"

enum {
    /* A packet of IPv6's minimum MTU without its headers: the longest datagram. */
    DTLS_DATAGRAM_MAX = 1232,
    /* For contexts and heap with records of up to 1180 octets, on a processor of 64 bits. */
    DTLS_MEMORY = 16 * 1024,
    DTLS_IDENTITY_MAX = 128,
    DTLS_KEY_MAX = 128
};

/*
 * CLOSED: dtls_connect leads out of it.
 * CONNECTING: flights are sent and repeated; leads to OPEN or FAILED.
 * OPEN: messages pass; dtls_connect, or a close or alert of the peer, ends the session.
 * FAILED: `failure` says why; dtls_connect leads out of it.
 */
enum dtls_state { DTLS_CLOSED, DTLS_CONNECTING, DTLS_OPEN, DTLS_FAILED };

enum dtls_failure {
    DTLS_SILENT,   /* no datagram came from the peer */
    DTLS_KEY,      /* refused, or no longer answered, once the key was used */
    DTLS_REFUSED,  /* an alert before that */
    DTLS_PROTOCOL, /* the peer's messages cannot be used, or memory is short */
    DTLS_ABSENT    /* built without Mbed TLS */
};

struct dtls_config {
    const struct wire *wire;     /* takes datagrams to the peer */
    const struct random *random; /* of cryptographic quality */
    const uint8_t *identity;
    size_t identity_len;
    const uint8_t *key; /* 1 to DTLS_KEY_MAX octets */
    size_t key_len;
    bool connection_id; /* offer Connection ID; the mote itself needs none */
    uint8_t *memory;    /* aligned to 8 octets; for contexts and heap */
    size_t memory_size;
};

struct dtls_session; /* contexts of the library, at the beginning of `memory` */

struct dtls {
    struct dtls_config config;
    struct dtls_session *session;
    enum dtls_state state;
    enum dtls_failure failure;
    bool heard;              /* a datagram came in this handshake */
    bool keyed;              /* this handshake has derived its keys */
    bool with_id;            /* the peer takes records with its Connection ID */
    uint64_t now;            /* of the present call */
    bool timing;             /* the two times below are set */
    uint64_t warn_at;        /* the library's intermediate delay */
    uint64_t expire_at;      /* then the flight is repeated */
    const uint8_t *datagram; /* not read yet */
    size_t datagram_len;
};

/* The caller keeps what the configuration points at. MOTE_E_SPACE: `memory` is too small;
 * MOTE_E_UNSUPPORTED: built without Mbed TLS. */
int dtls_init(struct dtls *dtls, const struct dtls_config *config);

/* Begins a handshake, forgetting a session. */
void dtls_connect(struct dtls *dtls, uint64_t now);

/* Sends a message. MOTE_E_STATE: not OPEN; MOTE_E_SPACE: too long; MOTE_E_IO. */
int dtls_send(struct dtls *dtls, const uint8_t *message, size_t len);

/* Takes a datagram of the peer; returns the length of a message that it held, 0 if there is none.
 * NULL: a further message of the last datagram. */
size_t dtls_receive(struct dtls *dtls, const uint8_t *datagram, size_t len, uint64_t now,
                    uint8_t *out, size_t size);

/* Repeats what is due. Returns the time of the next call; UINT64_MAX: none. */
uint64_t dtls_tick(struct dtls *dtls, uint64_t now);

/* Ends the session without a word to the peer, and wipes all secrets. */
void dtls_stop(struct dtls *dtls);

#endif
