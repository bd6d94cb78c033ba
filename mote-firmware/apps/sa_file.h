/* The file of associations (docs/protocol.md section 10.1). */
#ifndef MOTE_APPS_SA_FILE_H
#define MOTE_APPS_SA_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "mote/sa_entries.h"
#include "store_name.h"

enum { SA_FILE_ENTRIES = 16, SA_FILE_SIZE = 8192, SA_FILE_WORDS = 8 };

struct sa_file {
    struct sa_entry entries[SA_FILE_ENTRIES];
    /* The names of the entries' block stores; empty for the unnamed one and for other entries. */
    char stores[SA_FILE_ENTRIES][STORE_NAME_MAX + 1];
    size_t count;
};

/*
 * Parses the text of a file. Returns 0, or -1 with a sentence in `problem` that names the line and
 * never a key. Refused are: a wrong word, an association without ICV, a key used in another line,
 * two associations with the same destination, protocol and SPI, two with the same protocol,
 * direction and peer, and three of a block store between the same ends.
 */
int sa_file_parse(struct sa_file *file, const char *text, size_t len, char *problem, size_t size);

/* Reads and parses a file that only its owner may open. Returns 0, or -1 with a sentence in
 * `problem` that begins with `option`. */
int sa_file_load(struct sa_file *file, const char *option, const char *path, char *problem,
                 size_t size);

/* Writes the file's associations as C, for a build that links them: an array of struct sa_entry
 * named `associations`, or with MOTE_STORED_ASSOCIATIONS those of the unnamed block store, named
 * `stored_associations`. */
void sa_file_write_c(const struct sa_file *file, FILE *out);

/* Returns the association of the block store with this name; an empty name is the unnamed one. If
 * two lines have the same ends, it is the last one, and `previous` becomes the first; else
 * `previous` becomes NULL. `count` becomes the number of this store's lines. Returns NULL if there
 * is no line, or if they are not such a pair. */
struct sa_entry *sa_file_stored(struct sa_file *file, const char *name, struct sa_entry **previous,
                                size_t *count);

#endif
