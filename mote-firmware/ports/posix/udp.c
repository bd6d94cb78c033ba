/* The link on a connected UDP socket: the kernel drops datagrams of other senders. */
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "port.h"

static int udp_send(void *context, const uint8_t *datagram, size_t len)
{
    const struct udp_link *udp = context;

    /* Retries once: send reports ECONNREFUSED of an earlier datagram. */
    for (int attempt = 0; attempt < 2; attempt++)
        if (send(udp->fd, datagram, len, 0) == (ssize_t)len)
            return MOTE_OK;
    return MOTE_E_IO;
}

static size_t udp_receive(void *context, uint8_t *out, size_t size, uint64_t now)
{
    const struct udp_link *udp = context;

    (void)now;
    for (;;) {
        ssize_t got = recv(udp->fd, out, size, 0);

        if (got > 0)
            return (size_t)got;
        if (got < 0 && errno != ECONNREFUSED && errno != EINTR)
            return 0;
    }
}

static uint64_t udp_tick(void *context, uint64_t now)
{
    (void)context;
    (void)now;
    return UINT64_MAX;
}

static bool udp_busy(const void *context)
{
    (void)context;
    return false;
}

static int connect_to(const struct addrinfo *address)
{
    int fd = socket(address->ai_family, SOCK_DGRAM, 0);

    if (fd < 0)
        return -1;
    if (fcntl(fd, F_SETFL, O_NONBLOCK) != 0 || fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 ||
        connect(fd, address->ai_addr, address->ai_addrlen) != 0) {
        close(fd);
        return -1;
    }
    return fd;
}

int udp_connect(const char *host, const char *port)
{
    struct addrinfo hints = {.ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    int error = getaddrinfo(host, port, &hints, &found);
    int fd = -1;

    if (error != 0 && error != EAI_SYSTEM)
        errno = EADDRNOTAVAIL; /* the closest errno for an unknown name */
    for (const struct addrinfo *a = found; a != NULL && fd < 0; a = a->ai_next)
        fd = connect_to(a);
    if (found != NULL)
        freeaddrinfo(found);
    return fd;
}

int udp_link_open(struct udp_link *udp, const char *host, const char *port, struct link *link,
                  char *problem, size_t problem_size)
{
    udp->fd = udp_connect(host, port);
    if (udp->fd < 0)
        snprintf(problem, problem_size,
                 "cannot connect to the mirror at %s port %s (%s): give its address with --mirror",
                 host, port, strerror(errno));
    *link = (struct link){.wire = {.send = udp_send, .context = udp},
                          .fd = udp->fd,
                          .receive = udp_receive,
                          .tick = udp_tick,
                          .busy = udp_busy,
                          .context = udp};
    return udp->fd < 0 ? -1 : 0;
}
