#include "udp_peer.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mote/ieee802154.h"

static struct sockaddr_in loopback(uint16_t port)
{
    return (struct sockaddr_in){
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)};
}

static void bind_to(struct udp_peer *peer, uint16_t port)
{
    struct sockaddr_in address = loopback(port);
    socklen_t len = sizeof address;

    peer->fd = socket(AF_INET, SOCK_DGRAM, 0);
    if (bind(peer->fd, (struct sockaddr *)&address, len) != 0 ||
        getsockname(peer->fd, (struct sockaddr *)&address, &len) != 0)
        abort();
    snprintf(peer->port, sizeof peer->port, "%u", ntohs(address.sin_port));
}

void udp_peer_open(struct udp_peer *peer)
{
    peer->other = 0;
    bind_to(peer, 0);
}

void udp_peer_reopen(struct udp_peer *peer)
{
    bind_to(peer, (uint16_t)strtoul(peer->port, NULL, 10));
}

void udp_peer_close(struct udp_peer *peer)
{
    if (peer->fd >= 0)
        close(peer->fd);
    peer->fd = -1;
}

size_t udp_peer_receive(struct udp_peer *peer, uint8_t *out, size_t size)
{
    struct sockaddr_in from;
    socklen_t len = sizeof from;
    ssize_t got = recvfrom(peer->fd, out, size, MSG_DONTWAIT, (struct sockaddr *)&from, &len);

    if (got < 0)
        return 0;
    peer->other = ntohs(from.sin_port);
    return (size_t)got;
}

void udp_peer_send(struct udp_peer *peer, const uint8_t *data, size_t len)
{
    struct sockaddr_in to = loopback(peer->other);

    if (sendto(peer->fd, data, len, 0, (struct sockaddr *)&to, sizeof to) != (ssize_t)len)
        abort();
}

void udp_peer_say(struct udp_peer *peer, const uint8_t *psdu, size_t len, bool good_fcs)
{
    uint8_t framed[FRAME_MAX + FRAME_FCS_SIZE];
    uint8_t packet[32 + sizeof framed];
    struct writer w;

    memcpy(framed, psdu, len);
    frame_fcs_append(framed, len);
    framed[len] ^= !good_fcs;
    writer_init(&w, packet, sizeof packet);
    writer_str(&w, "EX\x02\x01\x1a");
    writer_u16(&w, 7);
    writer_u16(&w, 0x01ff);
    writer_u64(&w, 0);
    writer_u32(&w, 1);
    writer_u64(&w, 0);
    writer_u16(&w, 0);
    writer_u8(&w, (uint8_t)(len + FRAME_FCS_SIZE));
    writer_bytes(&w, framed, len + FRAME_FCS_SIZE);
    udp_peer_send(peer, packet, writer_len(&w));
}

uint16_t udp_peer_port_of(int fd)
{
    struct sockaddr_in address;
    socklen_t len = sizeof address;

    if (getsockname(fd, (struct sockaddr *)&address, &len) != 0)
        abort();
    return ntohs(address.sin_port);
}
