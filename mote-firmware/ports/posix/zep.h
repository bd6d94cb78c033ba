/*
 * The virtual air: 802.15.4 frames as ZEP version 2 over UDP to an ether on this machine
 * (protocols.md, section 13), the convention of Wireshark and of RIOT's native boards. This
 * socket is the node: the ether knows it by its UDP source.
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

/* 0, or -1 and a sentence in `problem`. The first zep_tick says hello. */
int zep_open(struct zep *zep, const char *host, const char *port, const uint8_t eui64[EUI64_SIZE],
             char *problem, size_t problem_size);

/* Puts a PSDU (without FCS) on the air; lost frames are the MAC's to notice. */
void zep_send(struct zep *zep, const uint8_t *psdu, size_t len);

/* The next PSDU from the air, its FCS checked and cut off: its length, 0 when there is none. */
size_t zep_receive(struct zep *zep, uint8_t psdu[FRAME_MAX]);

/* Says hello when due, so that an ether that has restarted finds the node; when it wants to be
 * called again. */
uint64_t zep_tick(struct zep *zep, uint64_t now);

#endif
