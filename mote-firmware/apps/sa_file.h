/* The file of associations (docs/protocol.md section 10.1). */
#ifndef MOTE_APPS_SA_FILE_H
#define MOTE_APPS_SA_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "mote/sa_entries.h"

enum { SA_FILE_ENTRIES = 16, SA_FILE_SIZE = 8192, SA_FILE_WORDS = 8 };

struct sa_file {
    struct sa_entry entries[SA_FILE_ENTRIES];
    size_t count;
};

/*
 * Parses the text of a file. 0, or -1 with a sentence in `problem` that names the line and never a
 * key: a wrong word, an association without ICV, a key that another line has, two associations with
 * one destination, protocol and SPI, two of one protocol and direction with one peer, or three
 * block stores between the same ends.
 */
int sa_file_parse(struct sa_file *file, const char *text, size_t len, char *problem, size_t size);

/* Reads and parses a file that only its owner may open. 0, or -1 with a sentence in `problem`,
 * which begins with `option`. */
int sa_file_load(struct sa_file *file, const char *option, const char *path, char *problem,
                 size_t size);

/* The file's associations as C, for a build that links them: an array of struct sa_entry named
 * `associations`, without the associations of a block store. */
void sa_file_write_c(const struct sa_file *file, FILE *out);

/* The association of the block store: the last line of two with the same ends, of which the first
 * goes to `previous` (NULL: there is one). NULL if the file has none or others, which `count`
 * tells. */
struct sa_entry *sa_file_stored(struct sa_file *file, struct sa_entry **previous, size_t *count);

#endif
