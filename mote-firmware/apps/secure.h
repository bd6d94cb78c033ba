/* The DTLS session of --psk. */
#ifndef MOTE_APPS_SECURE_H
#define MOTE_APPS_SECURE_H

#include "dtls_link.h"
#include "psk_file.h"

struct secure {
    struct psk psk;
    const char *mirror;
    struct dtls_link link;
};

/* Reads the key at `path` and adds DTLS to `link`, the link to the mirror. Returns 0, or -1 with a
 * sentence in `problem`. */
int secure_open(struct secure *secure, const char *path, const char *mirror,
                const struct random *random, struct link *link, char *problem, size_t size);

/* Wipes the key. Does nothing for a zeroed struct that was never opened. */
void secure_close(struct secure *secure);

#endif
