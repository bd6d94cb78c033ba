/*
 * Networks of whole stacks in virtual time, on the channel of air.h: motes (core/net), a root that
 * is made of their codecs and knows the routes of RPL, and behind the root a host that shares
 * associations with the motes. Processor time is not included.
 */
#ifndef MOTE_BENCH_MESH_H
#define MOTE_BENCH_MESH_H

#include "air.h"
#include "duty.h"
#include "mote/crypto_bearssl.h"
#include "mote/net.h"
#include "support/rpl.h"

enum { MESH_ROOT = 1, MESH_MOTE_QUEUE = 8, MESH_OUTBOX = 64 };

/* The protection of packets between host and motes. */
enum mesh_protection { MESH_PLAIN, MESH_AH, MESH_ESP, MESH_PROTECTIONS };

struct mesh;

/* Receivers of datagrams. */
struct mesh_user {
    void (*host)(struct mesh *mesh, uint8_t from, const struct udp *udp);
    void (*mote)(struct mesh *mesh, uint8_t id, const struct net_datagram *datagram);
    /* Replaces `host`: called for each packet to a host that opens AH and ESP itself. Packets
     * without a route are then lost, and so are packets that find the root's queue full. */
    void (*packet)(struct mesh *mesh, const uint8_t *packet, size_t len);
    void *context;
};

struct mesh_mote {
    struct net net;
    struct net_packet queue[MESH_MOTE_QUEUE];
    uint8_t packets[MESH_MOTE_QUEUE][IPV6_MTU];
    struct lowpan_slot slots[2];
    uint8_t datagrams_in[2][IPV6_MTU];
    uint8_t single[LOWPAN_SINGLE_MAX];
    struct frame_counter heard[AIR_NODES];
    struct ipsec_sa out, in;           /* the mote's */
    struct ipsec_sa host_out, host_in; /* the host's for this mote */
    struct net_peer peer;
    uint8_t parent; /* known to the root; 0: unknown */
    bool off;       /* without power */
};

struct mesh {
    struct mesh_user user;
    struct air air;
    struct mesh_mote motes[AIR_NODES];
    enum mesh_protection protection;
    struct bearssl_aes128 aes_state;
    struct aes128 aes;
    struct ipsec_crypto crypto;
    struct random chance;
    struct lowpan_receiver receiver;
    struct lowpan_slot slots[4];
    uint8_t datagrams_in[4][IPV6_MTU];
    uint8_t single[LOWPAN_SINGLE_MAX];
    uint16_t tag;
    uint8_t seq;
    uint8_t outbox[MESH_OUTBOX][FRAME_MAX];
    size_t outbox_len[MESH_OUTBOX];
    size_t first, count;
    uint64_t next_dio;
    uint64_t dio_us;      /* between the root's DIOs */
    uint8_t route_unit_s; /* routes last for 30 of these */
    bool done;            /* set by the user: mesh_live returns */
};

/* Ends the program with a sentence unless `ok`. */
void mesh_must(bool ok, const char *what);

/* Makes a network of nodes 1 (the root) to `nodes`. `level` of a node, from 1: nodes of the same
 * and of adjacent levels hear each other. */
void mesh_begin(struct mesh *mesh, const struct mesh_user *user, uint8_t nodes,
                const uint8_t *level, enum mesh_protection protection, uint64_t seed,
                enum air_duty duty);

/* Runs until every mote has a route along the levels. */
void mesh_form(struct mesh *mesh, const uint8_t *level);

/* Runs until `end`, in microseconds, or until `done` is set. */
void mesh_live(struct mesh *mesh, uint64_t end);

/* Send a datagram from the host to a mote, or from a mote to the host. */
void mesh_host_sends(struct mesh *mesh, uint8_t id, const struct udp *udp);
void mesh_mote_sends(struct mesh *mesh, uint8_t id, const struct udp *udp);

/* Send a finished packet of the host, and the packets that a mote has queued. */
void mesh_host_packet(struct mesh *mesh, const uint8_t *packet, size_t len);
void mesh_pump(struct mesh *mesh, uint8_t id);

/* Switches a mote's power off, which clears its stack, or on, which starts the mote. */
void mesh_power(struct mesh *mesh, uint8_t id, bool on);

/* Clears the nodes' times of sending and receiving. */
void mesh_clear_times(struct mesh *mesh);

/* A sum over the nodes from `first` on. */
uint64_t mesh_sum(const struct mesh *mesh, const uint64_t *times, uint8_t first);

#endif
