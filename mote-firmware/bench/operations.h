/* The measured operations, for this machine (bench.c) and the emulated mote. */
#ifndef MOTE_BENCH_OPERATIONS_H
#define MOTE_BENCH_OPERATIONS_H

#include "mote/crypto_bearssl.h"
#include "mote/ieee802154.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "mote/sixlowpan.h"

enum { BENCH_PAYLOAD = 64 };

struct bench {
    struct bearssl_aes128 aes_state;
    struct aes128 aes;
    br_sha256_context sha256_state;
    struct sha256 sha256;
    struct p256 p256;
    struct ipsec_crypto crypto;
    struct lowpan_context context;
    struct lowpan lowpan;
    struct link_address src, dst;
    uint8_t udp[IPV6_MTU], esp[IPV6_MTU];
    size_t udp_len, esp_len;
    struct ipsec_sa out, in;
    uint8_t sealed[FRAME_MAX];
    size_t sealed_len;
    uint8_t key[32], point[64], hash[32], signature[64];
};

/* An operation; it ends the program with a message if its result is wrong. */
struct operation {
    const char *name;
    void (*work)(struct bench *b);
};

enum { OPERATIONS = 7 };
extern const struct operation operations[OPERATIONS];

/* Prepares all operations. The caller has zeroed `b` and filled its `p256`. */
void bench_prepare(struct bench *b);

#endif
