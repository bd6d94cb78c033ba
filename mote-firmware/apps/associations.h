/* The associations of --sa and their sequence numbers. */
#ifndef MOTE_APPS_ASSOCIATIONS_H
#define MOTE_APPS_ASSOCIATIONS_H

#include "mote/counter_store.h"
#include "mote/crypto_bearssl.h"
#include "mote/net.h"
#include "sa_file.h"

/* `names` name the counters, one for each entry of `file`. */
struct associations {
    struct sa_file file;
    uint8_t names[SA_FILE_ENTRIES][COUNTER_NAME];
    struct net_peer peers[SA_FILE_ENTRIES];
    struct counter_store *counters;
    br_sha1_context sha1_state;
    struct sha1 sha1;
    struct ipsec_crypto crypto;
};

/*
 * Reads the file at `path`, which only its owner may open, and resumes every association from its
 * counter record; `counters` is open. An association without a record may have used any number: it
 * neither sends nor accepts anything, and stderr says so. With `fresh` its record is created
 * instead. Later calls for `counters` may free records of other associations. Returns 0, or -1 with
 * a sentence in `problem`.
 */
int associations_open(struct associations *associations, const char *path, bool fresh,
                      struct counter_store *counters, const struct aes128 *aes,
                      const struct sha256 *hash, char *problem, size_t size);

/* Makes `net` protect the packets to and from the peers. */
void associations_apply(struct associations *associations, struct net *net);

/* Prints the counters of each association, one line each. */
void associations_report(const struct associations *associations);

#endif
