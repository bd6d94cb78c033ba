/* The storage of a block store in a file, which is locked while open. */
#ifndef MOTE_PORTS_POSIX_BLOCK_FILE_H
#define MOTE_PORTS_POSIX_BLOCK_FILE_H

#include "mote/port/block_storage.h"

enum { BLOCK_FILE_SEGMENT = 4096 };

struct block_file {
    int fd; /* -1: closed */
};

/* Opens `path`, or makes an erased file of `segments` segments (mode 0600). A shorter file is
 * extended with damaged blocks, with a message on stderr. Returns 0, or -1 with a sentence in
 * `problem`, for instance if the file is longer. */
int block_file_open(struct block_file *file, const char *path, uint32_t segments,
                    struct block_storage *storage, char *problem, size_t size);
void block_file_close(struct block_file *file);

#endif
