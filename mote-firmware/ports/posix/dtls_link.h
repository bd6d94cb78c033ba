/*
 * DTLS over another link (dtls/dtls.h). A datagram that is sent without a session waits while hands
 * are shaken; a later one takes its place, because CoAP repeats what is lost.
 */
#ifndef MOTE_PORTS_POSIX_DTLS_LINK_H
#define MOTE_PORTS_POSIX_DTLS_LINK_H

#include "dtls.h"
#include "port.h"

/* So many datagrams without any answer, and the peer has forgotten the session. */
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

/* Puts DTLS over `link`, which it replaces. Of `config` the wire and the memory are set here. 0, or
 * -1 with a sentence in `problem`. */
int dtls_link_open(struct dtls_link *secure, const struct dtls_config *config, struct link *link,
                   char *problem, size_t problem_size);

/* Wipes keys. Nothing to do if it was never opened and is zero. */
void dtls_link_close(struct dtls_link *secure);

#endif
