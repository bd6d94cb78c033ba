/*
 * A client of DTLS 1.2 with a pre-shared key: TLS_PSK_WITH_AES_128_CCM_8 (RFC 6347, RFC 6655). With
 * Connection ID (RFC 9146) a session survives a change of the mote's address. Implemented with Mbed
 * TLS (client.c); a build without it has absent.c instead.
 *
 * The caller owns all memory. Only one client at a time is possible, because Mbed TLS has one heap,
 * which is the caller's buffer. Nothing blocks; each call gets the time.
 */
#ifndef MOTE_DTLS_DTLS_H
#define MOTE_DTLS_DTLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mote/port/random.h"
#include "mote/port/wire.h"

enum {
    /* The longest datagram: a packet of IPv6's minimum MTU without its headers. */
    DTLS_DATAGRAM_MAX = 1232,
    /* For contexts and heap with records of up to 1180 octets, on a 64-bit processor. */
    DTLS_MEMORY = 16 * 1024,
    DTLS_IDENTITY_MAX = 128,
    DTLS_KEY_MAX = 128
};

/*
 * CLOSED: dtls_connect leads out of it. CONNECTING: flights are sent and repeated; leads to OPEN or
 * FAILED. OPEN: messages pass; dtls_connect, or a close or alert of the peer, ends the session.
 * FAILED: `failure` is the reason; dtls_connect leads out of it.
 */
enum dtls_state { DTLS_CLOSED, DTLS_CONNECTING, DTLS_OPEN, DTLS_FAILED };

enum dtls_failure {
    DTLS_SILENT,   /* no datagram came from the peer */
    DTLS_KEY,      /* refused or no longer answered after the key was used */
    DTLS_REFUSED,  /* an alert before that */
    DTLS_PROTOCOL, /* the peer's messages cannot be used, or memory is short */
    DTLS_ABSENT    /* built without Mbed TLS */
};

struct dtls_config {
    const struct wire *wire;     /* sends datagrams to the peer */
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
    bool with_id;            /* the peer accepts records with its Connection ID */
    uint64_t now;            /* of the present call */
    bool timing;             /* the two times below are set */
    uint64_t warn_at;        /* the library's intermediate delay */
    uint64_t expire_at;      /* the time to repeat the flight */
    const uint8_t *datagram; /* not read yet */
    size_t datagram_len;
};

/* The objects that the configuration points at must outlive the client. MOTE_E_SPACE: `memory` is
 * too small; MOTE_E_UNSUPPORTED: built without Mbed TLS. */
int dtls_init(struct dtls *dtls, const struct dtls_config *config);

/* Discards any session and begins a handshake. */
void dtls_connect(struct dtls *dtls, uint64_t now);

/* Sends a message. MOTE_E_STATE: not OPEN; MOTE_E_SPACE: too long; MOTE_E_IO. */
int dtls_send(struct dtls *dtls, const uint8_t *message, size_t len);

/* Takes a datagram of the peer. Returns the length of a message in it, 0 if there is none. With
 * NULL, returns a further message of the last datagram. */
size_t dtls_receive(struct dtls *dtls, const uint8_t *datagram, size_t len, uint64_t now,
                    uint8_t *out, size_t size);

/* Repeats a due flight. Returns the time of the next call; UINT64_MAX: none. */
uint64_t dtls_tick(struct dtls *dtls, uint64_t now);

/* Ends the session without notice to the peer, and wipes all secrets. */
void dtls_stop(struct dtls *dtls);

#endif
