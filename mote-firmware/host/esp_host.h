/*
 * The end of associations with motes on a host whose kernel has none: plain packets to ESP and back
 * (docs/protocol.md section 10.2). It has no sockets; main.c connects it to the kernel.
 */
#ifndef MOTE_HOST_ESP_HOST_H
#define MOTE_HOST_ESP_HOST_H

#include "associations.h"
#include "mote/ipv6.h"

enum {
    ESP_HOST_PLAIN_MAX = 1500, /* octets of a packet from the kernel: the MTU of the TUN device */
    ESP_HOST_PACKET_MAX = ESP_HOST_PLAIN_MAX + IPSEC_ESP_OVERHEAD_MAX
};

/* Packets by result; opened and refused ones are also counted in their association. */
struct esp_host_counts {
    uint32_t opened;
    uint32_t sealed;
    uint32_t unknown;    /* ESP of no association */
    uint32_t bad_esp;    /* not authentic, replayed, or its number could not be stored */
    uint32_t refused;    /* opened, but neither UDP nor an ICMPv6 echo or error */
    uint32_t unsendable; /* from the kernel: no association, a fragment, or no number left */
};

struct esp_host {
    struct associations *associations;
    struct esp_host_counts counts;
};

/* 0, or -1 with a sentence in `problem` if the file has associations that are not ESP with a peer,
 * or none. */
int esp_host_open(struct esp_host *host, struct associations *associations, char *problem,
                  size_t size);

/* The plain packet of an IPv6 packet with ESP, for the kernel. Returns its length, or an error,
 * which is counted. `out` has ESP_HOST_PACKET_MAX octets. */
int esp_host_receive(struct esp_host *host, const uint8_t *packet, size_t len, uint8_t *out);

/* The IPv6 packet with ESP for a plain packet of the kernel. Likewise. */
int esp_host_send(struct esp_host *host, const uint8_t *packet, size_t len, uint8_t *out);

#endif
