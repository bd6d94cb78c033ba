/* The peer of a UDP socket under test, on loopback. It sends to the first sender, or to a given
 * port. */
#ifndef MOTE_TESTS_SUPPORT_UDP_PEER_H
#define MOTE_TESTS_SUPPORT_UDP_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct udp_peer {
    int fd;
    char port[8];
    uint16_t other; /* the port under test, 0 until it has sent */
};

void udp_peer_open(struct udp_peer *peer);
/* Opens the peer again at the same port, after udp_peer_close. */
void udp_peer_reopen(struct udp_peer *peer);
void udp_peer_close(struct udp_peer *peer);
/* Receives the next datagram. Returns its length, 0 if there is none. Loopback delivers within the
 * sender's call. */
size_t udp_peer_receive(struct udp_peer *peer, uint8_t *out, size_t size);
void udp_peer_send(struct udp_peer *peer, const uint8_t *data, size_t len);

/* Sends a PSDU in a ZEP data packet, as the ether does, with a valid or invalid FCS. `psdu` has no
 * FCS. */
void udp_peer_say(struct udp_peer *peer, const uint8_t *psdu, size_t len, bool good_fcs);

/* The local port of a socket, in host order. */
uint16_t udp_peer_port_of(int fd);

#endif
