/* A file of secrets, which only its owner may open. */
#ifndef MOTE_APPS_SECRET_FILE_H
#define MOTE_APPS_SECRET_FILE_H

#include <stddef.h>

/* Reads the whole file of at most `most` octets into `text`, which has space for one more. Returns
 * its length, or -1 with a sentence in `problem` that names option and path. */
int secret_file_read(const char *option, const char *path, char *text, size_t most, char *problem,
                     size_t size);

#endif
