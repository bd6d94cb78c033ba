#define _GNU_SOURCE /* struct in6_pktinfo */
#include "linux_net.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mote/base.h"

enum { ROUTE_REQUEST_MAX = 256, CONTROL_MAX = 256, HOST_PREFIX = 128 };

static int fail(int fd, const char *what, const char *name, char *problem, size_t size)
{
    const char *rights = errno == EPERM || errno == EACCES
                             ? ": run it as root, or with CAP_NET_ADMIN and CAP_NET_RAW"
                             : "";

    snprintf(problem, size, "%s %s: %s%s", what, name, strerror(errno), rights);
    if (fd >= 0)
        close(fd);
    return -1;
}

/* ---- the TUN device ---- */

static bool name_of(struct ifreq *request, const char *name)
{
    memset(request, 0, sizeof *request);
    snprintf(request->ifr_name, sizeof request->ifr_name, "%s", name);
    return strcmp(request->ifr_name, name) == 0;
}

static bool set_up(const char *name)
{
    struct ifreq request;
    int fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool up = fd >= 0 && name_of(&request, name) && ioctl(fd, SIOCGIFFLAGS, &request) == 0;

    if (up) {
        request.ifr_flags = (short)(request.ifr_flags | IFF_UP);
        up = ioctl(fd, SIOCSIFFLAGS, &request) == 0;
    }
    if (fd >= 0)
        close(fd);
    return up;
}

int tun_open(const char *name, char *problem, size_t size)
{
    struct ifreq request;
    int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return fail(fd, "cannot open", "/dev/net/tun", problem, size);
    errno = ENAMETOOLONG;
    if (!name_of(&request, name))
        return fail(fd, "cannot make the device", name, problem, size);
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    if (ioctl(fd, TUNSETIFF, &request) != 0 || !set_up(name))
        return fail(fd, "cannot make the device", name, problem, size);
    return fd;
}

/* Appends an attribute to a request of rtnetlink. */
static void add_attribute(struct nlmsghdr *request, unsigned short type, const void *data,
                          size_t len)
{
    struct rtattr attribute = {.rta_len = (unsigned short)RTA_LENGTH(len), .rta_type = type};
    uint8_t *at = (uint8_t *)request + NLMSG_ALIGN(request->nlmsg_len);

    memcpy(at, &attribute, sizeof attribute);
    memcpy(at + RTA_LENGTH(0), data, len);
    request->nlmsg_len = (uint32_t)(NLMSG_ALIGN(request->nlmsg_len) + RTA_ALIGN(RTA_LENGTH(len)));
}

/* Sends the request; the kernel's answer to it sets errno. */
static bool ask_kernel(int fd, const struct nlmsghdr *request)
{
    _Alignas(struct nlmsghdr) uint8_t answer[ROUTE_REQUEST_MAX + sizeof(struct nlmsgerr)];
    struct nlmsgerr error;
    ssize_t got;

    if (fd < 0 || send(fd, request, request->nlmsg_len, 0) < 0)
        return false;
    got = recv(fd, answer, sizeof answer, 0);
    if (got < (ssize_t)(NLMSG_HDRLEN + sizeof error))
        return false;
    memcpy(&error, answer + NLMSG_HDRLEN, sizeof error);
    errno = -error.error;
    return error.error == 0;
}

int tun_route(const char *name, const struct ipv6_address *own, const struct ipv6_address *peer,
              char *problem, size_t size)
{
    union {
        struct nlmsghdr header;
        uint8_t octets[ROUTE_REQUEST_MAX];
    } message = {.octets = {0}};
    struct nlmsghdr *request = &message.header;
    const struct rtmsg route = {.rtm_family = AF_INET6,
                                .rtm_dst_len = HOST_PREFIX,
                                .rtm_table = RT_TABLE_MAIN,
                                .rtm_protocol = RTPROT_STATIC,
                                .rtm_scope = RT_SCOPE_UNIVERSE,
                                .rtm_type = RTN_UNICAST};
    unsigned index = if_nametoindex(name);
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);

    request->nlmsg_len = NLMSG_LENGTH(sizeof route);
    request->nlmsg_type = RTM_NEWROUTE;
    request->nlmsg_flags = NLM_F_REQUEST | NLM_F_CREATE | NLM_F_REPLACE | NLM_F_ACK;
    memcpy(NLMSG_DATA(request), &route, sizeof route);
    add_attribute(request, RTA_DST, peer->octets, sizeof peer->octets);
    add_attribute(request, RTA_PREFSRC, own->octets, sizeof own->octets);
    add_attribute(request, RTA_OIF, &index, sizeof index);
    if (!ask_kernel(fd, request))
        return fail(fd, "cannot route a mote to", name, problem, size);
    close(fd);
    return 0;
}

/* ---- the raw socket ---- */

int esp_socket_open(const char *interface, char *problem, size_t size)
{
    const int on = 1;
    int fd = socket(AF_INET6, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NEXT_ESP);

    if (fd < 0)
        return fail(fd, "cannot open a raw socket for", "ESP", problem, size);
    if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, interface, (socklen_t)strlen(interface) + 1) !=
        0)
        return fail(fd, "cannot use the interface", interface, problem, size);
    if (setsockopt(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &on, sizeof on) != 0 ||
        setsockopt(fd, IPPROTO_IPV6, IPV6_RECVHOPLIMIT, &on, sizeof on) != 0 ||
        setsockopt(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, &on, sizeof on) != 0)
        return fail(fd, "cannot set up the socket for", "ESP", problem, size);
    return fd;
}

static int read_int(const struct cmsghdr *control)
{
    int value;

    memcpy(&value, CMSG_DATA(control), sizeof value);
    return value;
}

/* Sets the fields that the kernel passes beside the payload. */
static void read_control(struct msghdr *message, struct ipv6_header *header)
{
    struct in6_pktinfo info;

    for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control != NULL;
         control = CMSG_NXTHDR(message, control)) {
        if (control->cmsg_level != IPPROTO_IPV6)
            continue;
        if (control->cmsg_type == IPV6_PKTINFO) {
            memcpy(&info, CMSG_DATA(control), sizeof info);
            memcpy(header->dst.octets, &info.ipi6_addr, sizeof header->dst.octets);
        } else if (control->cmsg_type == IPV6_HOPLIMIT) {
            header->hop_limit = (uint8_t)read_int(control);
        } else if (control->cmsg_type == IPV6_TCLASS) {
            header->traffic_class = (uint8_t)read_int(control);
        }
    }
}

size_t esp_socket_receive(int fd, uint8_t *out, size_t size)
{
    _Alignas(struct cmsghdr) uint8_t control[CONTROL_MAX];
    struct sockaddr_in6 from;
    struct iovec payload = {out + IPV6_HEADER_SIZE, size - IPV6_HEADER_SIZE};
    struct msghdr message = {.msg_name = &from,
                             .msg_namelen = sizeof from,
                             .msg_iov = &payload,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    struct ipv6_header header = {.next_header = NEXT_ESP};
    struct writer w;
    ssize_t got = recvmsg(fd, &message, 0);

    if (got <= 0 || (message.msg_flags & MSG_TRUNC) != 0)
        return 0;
    header.payload_len = (uint16_t)got;
    memcpy(header.src.octets, &from.sin6_addr, sizeof header.src.octets);
    read_control(&message, &header);
    writer_init(&w, out, IPV6_HEADER_SIZE);
    ipv6_write(&header, &w);
    return IPV6_HEADER_SIZE + (size_t)got;
}

static struct cmsghdr *add_control(struct msghdr *message, struct cmsghdr *control, int type,
                                   const void *data, size_t len)
{
    control->cmsg_level = IPPROTO_IPV6;
    control->cmsg_type = type;
    control->cmsg_len = CMSG_LEN(len);
    memcpy(CMSG_DATA(control), data, len);
    return CMSG_NXTHDR(message, control);
}

bool esp_socket_send(int fd, const uint8_t *packet, size_t len)
{
    _Alignas(struct cmsghdr) uint8_t control[CONTROL_MAX] = {0};
    struct ipv6_header header;
    struct in6_pktinfo info = {.ipi6_ifindex = 0};
    struct sockaddr_in6 to = {.sin6_family = AF_INET6};
    struct iovec payload = {(uint8_t *)(uintptr_t)packet + IPV6_HEADER_SIZE,
                            len - IPV6_HEADER_SIZE};
    struct msghdr message = {.msg_name = &to,
                             .msg_namelen = sizeof to,
                             .msg_iov = &payload,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen =
                                 CMSG_SPACE(sizeof info) + 2 * CMSG_SPACE(sizeof(int))};

    if (ipv6_parse(&header, packet, len) != MOTE_OK || header.next_header != NEXT_ESP)
        return false;
    const int hop_limit = header.hop_limit;
    const int traffic_class = header.traffic_class;
    memcpy(&to.sin6_addr, header.dst.octets, sizeof header.dst.octets);
    memcpy(&info.ipi6_addr, header.src.octets, sizeof header.src.octets);
    struct cmsghdr *next = CMSG_FIRSTHDR(&message);
    next = add_control(&message, next, IPV6_PKTINFO, &info, sizeof info);
    next = add_control(&message, next, IPV6_HOPLIMIT, &hop_limit, sizeof hop_limit);
    add_control(&message, next, IPV6_TCLASS, &traffic_class, sizeof traffic_class);
    return sendmsg(fd, &message, 0) >= 0;
}
