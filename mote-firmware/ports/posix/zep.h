/*
 * The virtual radio: 802.15.4 frames as ZEP version 2 over UDP to an ether on this machine
 * (docs/protocol.md section 13), as Wireshark dissects and RIOT's native boards send them. The
 * ether identifies a node by its UDP source.
 */
#ifndef MOTE_PORTS_POSIX_ZEP_H
#define MOTE_PORTS_POSIX_ZEP_H

#include "mote/ieee802154.h"

enum { ZEP_HELLO_MS = 10 * 1000, ZEP_CHANNEL = 26 };

struct zep {
    int fd;
    uint8_t eui64[EUI64_SIZE];
    uint32_t sequence;
    uint64_t hello_at; /* ms */
};

/* Opens the socket. 0, or -1 with a sentence in `problem`. The first zep_tick sends a hello. */
int zep_open(struct zep *zep, const char *host, const char *port, const uint8_t eui64[EUI64_SIZE],
             char *problem, size_t problem_size);

/* Transmits a PSDU (without FCS). The MAC detects losses. */
void zep_send(struct zep *zep, const uint8_t *psdu, size_t len);

/* The next received PSDU with a valid FCS, without it: its length, 0 if there is none. */
size_t zep_receive(struct zep *zep, uint8_t psdu[FRAME_MAX]);

/* Sends a hello when due, so that a restarted ether learns the node. Returns the time of the next
 * call. */
uint64_t zep_tick(struct zep *zep, uint64_t now);

#endif
