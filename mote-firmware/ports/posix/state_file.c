/* Storage on a file; port.h describes its layout. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "port.h"

enum { SLOT_SPACING = 4096, IDENTITY_AT = 0, COUNTERS_AT = 2 };

/* Slots 0 and 1 are the identity's, 2 and 3 the counters'. */
static int read_at(const struct state_file *file, unsigned slot, uint8_t *out, size_t len)
{
    size_t filled = 0;

    memset(out, 0xff, len);
    while (filled < len) {
        ssize_t got =
            pread(file->fd, out + filled, len - filled, (off_t)slot * SLOT_SPACING + (off_t)filled);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return MOTE_E_IO;
        if (got == 0)
            break;
        filled += (size_t)got;
    }
    /* A hole reads as zeros; the port promises 0xFF for octets never written. */
    for (size_t i = 0; i < len; i++)
        if (out[i] != 0)
            return MOTE_OK;
    memset(out, 0xff, len);
    return MOTE_OK;
}

static int write_at(const struct state_file *file, unsigned slot, const uint8_t *data, size_t len)
{
    size_t written = 0;

    while (written < len) {
        ssize_t put = pwrite(file->fd, data + written, len - written,
                             (off_t)slot * SLOT_SPACING + (off_t)written);

        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return MOTE_E_IO;
        written += (size_t)put;
    }
    return fsync(file->fd) == 0 ? MOTE_OK : MOTE_E_IO;
}

static int identity_read(void *context, unsigned slot, size_t at, uint8_t *out, size_t len)
{
    (void)at; /* always 0: nothing is appended */
    return read_at(context, IDENTITY_AT + slot, out, len);
}

static int identity_write(void *context, unsigned slot, size_t at, const uint8_t *data, size_t len)
{
    (void)at;
    return write_at(context, IDENTITY_AT + slot, data, len);
}

static int counters_read(void *context, unsigned slot, size_t at, uint8_t *out, size_t len)
{
    (void)at;
    return read_at(context, COUNTERS_AT + slot, out, len);
}

static int counters_write(void *context, unsigned slot, size_t at, const uint8_t *data, size_t len)
{
    (void)at;
    return write_at(context, COUNTERS_AT + slot, data, len);
}

struct storage state_file_counters(struct state_file *file)
{
    return (struct storage){.read = counters_read, .write = counters_write, .context = file};
}

/* A new file survives a loss of power only if its folder is synced too. */
static bool folder_sync(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    int fd;
    bool synced;

    if (slash == NULL)
        snprintf(folder, sizeof folder, ".");
    else
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    synced = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    return synced;
}

static int check(const struct state_file *file, const char *path, char *problem, size_t size)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat status;

    if (fstat(file->fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        snprintf(problem, size, "%s is not a regular file: name another with --state", path);
        return -1;
    }
    if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        snprintf(problem, size, "%s holds a private key and others may open it: chmod 600 %s", path,
                 path);
        return -1;
    }
    if (fcntl(file->fd, F_SETLK, &lock) != 0) {
        snprintf(problem, size,
                 "%s is in use by another mote: stop that one, or name another file with --state",
                 path);
        return -1;
    }
    return 0;
}

int state_file_open(struct state_file *file, const char *path, struct storage *storage,
                    char *problem, size_t problem_size)
{
    file->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
    if (file->fd < 0 || !folder_sync(path)) {
        snprintf(problem, problem_size,
                 "cannot open the state file %s (%s): name one that can be written with --state",
                 path, strerror(errno));
        state_file_close(file);
        return -1;
    }
    if (check(file, path, problem, problem_size) != 0) {
        state_file_close(file);
        return -1;
    }
    *storage = (struct storage){.read = identity_read, .write = identity_write, .context = file};
    return 0;
}

void state_file_close(struct state_file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}
