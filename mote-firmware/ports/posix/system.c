/* Time and randomness of the operating system. */
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "port.h"

/* The day on which RFC 8428 was published. An earlier clock is not set. */
#define CLOCK_SET_AFTER 1533081600

uint64_t monotonic_ms(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

bool wall_clock_read(void *context, uint64_t *seconds)
{
    time_t now = time(NULL);

    (void)context;
    if (now < CLOCK_SET_AFTER)
        return false;
    *seconds = (uint64_t)now;
    return true;
}

int random_fill(void *context, uint8_t *out, size_t len)
{
    int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    size_t filled = 0;

    (void)context;
    while (fd >= 0 && filled < len) {
        ssize_t got = read(fd, out + filled, len - filled);

        if (got <= 0)
            break;
        filled += (size_t)got;
    }
    if (fd >= 0)
        close(fd);
    return filled == len ? MOTE_OK : MOTE_E_IO;
}
