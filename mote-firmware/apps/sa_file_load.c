#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mote/base.h"
#include "sa_file.h"

enum { TEXT_SIZE = SA_FILE_SIZE + 1 };

/* Reads the whole file into `text`; its length, or -1. */
static int read_text(const char *option, const char *path, char *text, char *problem, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat status;
    ssize_t len = -1;

    if (fd < 0 || fstat(fd, &status) != 0)
        snprintf(problem, size, "%s %s: %s", option, path, strerror(errno));
    else if (!S_ISREG(status.st_mode) || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        snprintf(problem, size, "%s %s holds keys and others may open it: chmod 600 %s", option,
                 path, path);
    else if ((len = read(fd, text, TEXT_SIZE)) < 0 || len > SA_FILE_SIZE) {
        snprintf(problem, size, "%s %s: give a file of at most %d octets", option, path,
                 SA_FILE_SIZE);
        len = -1;
    }
    if (fd >= 0)
        close(fd);
    return (int)len;
}

int sa_file_load(struct sa_file *file, const char *option, const char *path, char *problem,
                 size_t size)
{
    char text[TEXT_SIZE];
    char wrong[256];
    int len = read_text(option, path, text, problem, size);
    int error;

    if (len < 0)
        return -1;
    error = sa_file_parse(file, text, (size_t)len, wrong, sizeof wrong);
    wipe(text, sizeof text);
    if (error != 0)
        snprintf(problem, size, "%s %s: %s", option, path, wrong);
    return error;
}
