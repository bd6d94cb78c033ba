/* Network stacks in one process, with a network key, associations and seeded randomness. */
#ifndef MOTE_TESTS_SUPPORT_STATION_H
#define MOTE_TESTS_SUPPORT_STATION_H

#include "harness.h"
#include "mote/crypto_bearssl.h"
#include "mote/net.h"

/* Stations are numbered from 1, the root. */
enum { LAST = 6, QUEUE = 6, PAN = 0xabcd };

struct station {
    struct net net;
    struct net_packet queue[QUEUE];
    uint8_t packets[QUEUE][IPV6_MTU];
    struct lowpan_slot slots[2];
    uint8_t datagrams_in[2][IPV6_MTU];
    uint8_t single[LOWPAN_SINGLE_MAX];
    struct frame_counter heard[LAST + 1];
    struct ipsec_sa out, in;
    struct net_peer peer;
    uint8_t got[1024];
    size_t got_len;
    unsigned datagrams;
};

extern struct dice dice;
extern const struct random chance;
extern struct aes128 aes;
extern const struct ipsec_crypto crypto;
extern const struct lowpan_context mesh_context; /* 0: fd00::/64 */
extern const uint8_t network_key[16];

/* Initialises `aes`; to be called first. */
void stations_init(void);
void set_up(struct station *station, uint8_t id, uint8_t level, bool routed, uint32_t now);
struct ipsec_sa make_sa(uint32_t spi, uint8_t key);

#endif
