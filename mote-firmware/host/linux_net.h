/* The kernel's side of vigil-esp-host: a TUN device for plain packets and a raw socket for ESP. */
#ifndef MOTE_HOST_LINUX_NET_H
#define MOTE_HOST_LINUX_NET_H

#include "mote/ipv6.h"

/* Opens a TUN device, which disappears with its last descriptor, and sets it up. Returns a
 * non-blocking descriptor, or -1 with a sentence in `problem`. */
int tun_open(const char *name, char *problem, size_t size);

/* Routes `peer` to the device; packets to it get the source address `own`. 0 or -1 likewise. */
int tun_route(const char *name, const struct ipv6_address *own, const struct ipv6_address *peer,
              char *problem, size_t size);

/* Opens a raw socket for ESP on an interface, because the route of a peer leads to the TUN device.
 * The kernel sends no ICMPv6 error for ESP while it is open. Likewise. */
int esp_socket_open(const char *interface, char *problem, size_t size);

/* Receives an IPv6 packet, with its header restored. Returns its length, 0 if there is none. */
size_t esp_socket_receive(int fd, uint8_t *out, size_t size);

/* Sends an IPv6 packet that begins with its header. False if the kernel refuses it. */
bool esp_socket_send(int fd, const uint8_t *packet, size_t len);

#endif
