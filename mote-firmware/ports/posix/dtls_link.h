/*
 * DTLS over another link (dtls/dtls.h). A datagram sent without a session waits for the handshake.
 * A later datagram replaces it, because CoAP repeats lost messages.
 */
#ifndef MOTE_PORTS_POSIX_DTLS_LINK_H
#define MOTE_PORTS_POSIX_DTLS_LINK_H

#include "dtls.h"
#include "port.h"

/* After this many datagrams that expect an answer, and none, the peer has forgotten the session. */
enum { DTLS_LINK_UNANSWERED = 4 };

struct dtls_link {
    struct link below;
    struct wire out;
    struct dtls dtls;
    enum dtls_state reported;
    /* Called when a session begins and when a handshake fails. */
    void (*report)(void *context, const struct dtls *dtls);
    void *report_context;
    unsigned unanswered;
    size_t waiting_len;
    uint8_t waiting[LINK_DATAGRAM_MAX];
    _Alignas(8) uint8_t memory[DTLS_MEMORY];
};

/* Replaces `link` by DTLS over it. Sets wire and memory of `config`. Returns 0, or -1 with a
 * sentence in `problem`. */
int dtls_link_open(struct dtls_link *secure, const struct dtls_config *config, struct link *link,
                   char *problem, size_t problem_size);

/* Wipes keys. Does nothing for a zeroed struct that was never opened. */
void dtls_link_close(struct dtls_link *secure);

#endif
