/* The file of associations (docs/protocol.md section 10.1). */
#ifndef MOTE_APPS_SA_FILE_H
#define MOTE_APPS_SA_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "mote/net.h"

enum { SA_FILE_ENTRIES = 16, SA_FILE_SIZE = 8192, SA_FILE_WORDS = 8 };

struct sa_entry {
    unsigned line;
    bool inbound; /* seen from this mote */
    bool stored;  /* of the archive: blocks stored for `destination`, sent by `source` */
    struct ipv6_address source;
    struct ipv6_address destination;
    struct ipsec_sa sa;
};

struct sa_file {
    struct sa_entry entries[SA_FILE_ENTRIES];
    size_t count;
};

/*
 * Parses the text of a file. 0, or -1 with a sentence in `problem` that names the line and never a
 * key: a wrong word, an association without ICV, a key that another line has, two associations with
 * one destination, protocol and SPI, or two of one protocol and direction with one peer.
 */
int sa_file_parse(struct sa_file *file, const char *text, size_t len, char *problem, size_t size);

/* The association of the archive; NULL if the file has none or several, which `count` tells. */
struct sa_entry *sa_file_stored(struct sa_file *file, size_t *count);

/* The policy for each peer of the file; returns their number. The associations stay in `file`.
 * `peers` has SA_FILE_ENTRIES entries. */
size_t sa_file_peers(struct sa_file *file, struct net_peer *peers);

#endif
