#define _POSIX_C_SOURCE 200809L
#include "secret_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int secret_file_read(const char *option, const char *path, char *text, size_t most, char *problem,
                     size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat status;
    ssize_t len = -1;

    if (fd < 0 || fstat(fd, &status) != 0)
        snprintf(problem, size, "%s %s: %s", option, path, strerror(errno));
    else if (!S_ISREG(status.st_mode) || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        snprintf(problem, size, "%s %s holds keys and others may open it: chmod 600 %s", option,
                 path, path);
    else if ((len = read(fd, text, most + 1)) < 0 || (size_t)len > most) {
        snprintf(problem, size, "%s %s: give a file of at most %zu octets", option, path, most);
        len = -1;
    }
    if (fd >= 0)
        close(fd);
    return (int)len;
}
