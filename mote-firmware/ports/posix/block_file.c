/* Block storage on a file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "block_file.h"
#include "mote/base.h"

static int file_read(void *context, uint32_t segment, uint32_t at, uint8_t *out, size_t len)
{
    const struct block_file *file = context;
    off_t from = (off_t)segment * BLOCK_FILE_SEGMENT + at;
    ssize_t got;

    do
        got = pread(file->fd, out, len, from);
    while (got < 0 && errno == EINTR);
    return got == (ssize_t)len ? MOTE_OK : MOTE_E_IO;
}

static bool write_all(int fd, off_t at, const uint8_t *data, size_t len)
{
    while (len > 0) {
        ssize_t put = pwrite(fd, data, len, at);

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        data += put;
        len -= (size_t)put;
    }
    return true;
}

static int file_write(void *context, uint32_t segment, uint32_t at, const uint8_t *data, size_t len)
{
    const struct block_file *file = context;
    bool written = write_all(file->fd, (off_t)segment * BLOCK_FILE_SEGMENT + at, data, len);

    return written && fdatasync(file->fd) == 0 ? MOTE_OK : MOTE_E_IO;
}

static bool erase_at(int fd, uint32_t segment)
{
    uint8_t erased[BLOCK_FILE_SEGMENT];

    memset(erased, 0xff, sizeof erased);
    return write_all(fd, (off_t)segment * BLOCK_FILE_SEGMENT, erased, sizeof erased);
}

static int file_erase(void *context, uint32_t segment)
{
    const struct block_file *file = context;

    return erase_at(file->fd, segment) && fdatasync(file->fd) == 0 ? MOTE_OK : MOTE_E_IO;
}

/* Makes an erased file under another name, so that an interrupted start leaves no short file. */
static bool create(const char *path, uint32_t segments)
{
    char fresh[4096];
    bool made = (size_t)snprintf(fresh, sizeof fresh, "%s.new", path) < sizeof fresh;
    int fd = -1;

    if (made)
        fd = open(fresh, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    made = fd >= 0;
    for (uint32_t segment = 0; segment < segments && made; segment++)
        made = erase_at(fd, segment);
    made = made && fsync(fd) == 0 && rename(fresh, path) == 0;
    if (fd >= 0)
        close(fd);
    return made;
}

/* Fills a truncated file with zeros. Blocks in the missing part are then damaged, and their numbers
 * stay used; erased octets would make them look unused. */
static int restore_length(const struct block_file *file, const char *path, long long length,
                          long long expected, char *problem, size_t size)
{
    static const uint8_t zeros[BLOCK_FILE_SEGMENT];
    bool restored = true;

    for (long long at = length; at < expected && restored;) {
        size_t len = (size_t)(BLOCK_FILE_SEGMENT - at % BLOCK_FILE_SEGMENT);

        restored = write_all(file->fd, (off_t)at, zeros, len);
        at += (long long)len;
    }
    if (restored && fsync(file->fd) == 0) {
        fprintf(stderr,
                "vigil-mote: --store %s is truncated, %lld octets instead of %lld: blocks in the "
                "missing part are damaged, the others are kept\n",
                path, length, expected);
        return 0;
    }
    snprintf(problem, size, "--store %s is truncated, and its length cannot be restored (%s)", path,
             strerror(errno));
    return -1;
}

static int check(const struct block_file *file, const char *path, uint32_t segments, char *problem,
                 size_t size)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    long long expected = (long long)segments * BLOCK_FILE_SEGMENT;
    struct stat status;

    if (fstat(file->fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        snprintf(problem, size, "--store %s is not a regular file: name another file", path);
        return -1;
    }
    if (fcntl(file->fd, F_SETLK, &lock) != 0) {
        snprintf(problem, size, "--store %s is in use by another mote: name another file", path);
        return -1;
    }
    if (status.st_size > expected) {
        snprintf(problem, size,
                 "--store %s has %lld octets instead of %lld: give the --store-size that it was "
                 "made with",
                 path, (long long)status.st_size, expected);
        return -1;
    }
    return status.st_size < expected
               ? restore_length(file, path, status.st_size, expected, problem, size)
               : 0;
}

int block_file_open(struct block_file *file, const char *path, uint32_t segments,
                    struct block_storage *storage, char *problem, size_t size)
{
    file->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file->fd < 0 && errno == ENOENT && create(path, segments))
        file->fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file->fd < 0) {
        snprintf(problem, size, "cannot open --store %s (%s): name a file that can be written",
                 path, strerror(errno));
        return -1;
    }
    if (check(file, path, segments, problem, size) != 0) {
        block_file_close(file);
        return -1;
    }
    *storage = (struct block_storage){.read = file_read,
                                      .write = file_write,
                                      .erase = file_erase,
                                      .segment_size = BLOCK_FILE_SEGMENT,
                                      .segment_count = segments,
                                      .context = file};
    return 0;
}

void block_file_close(struct block_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}
