/* A block store in RAM, its association, and blocks with recognizable payloads. */
#ifndef MOTE_TESTS_BLOCK_FIXTURE_H
#define MOTE_TESTS_BLOCK_FIXTURE_H

#include "harness.h"
#include "mote/block_store.h"
#include "mote/crypto_bearssl.h"
#include "support/ram_blocks.h"

enum { T0 = 1800000000, SEGMENT = 1024 };

static struct bearssl_aes128 aes_state;
static struct aes128 plain_aes;
static unsigned aes_blocks;
static inline void counted_encrypt(void *context, uint8_t block[AES_BLOCK])
{
    aes_blocks++;
    plain_aes.encrypt(context, block);
}
static struct aes128 aes;
static const struct ipsec_crypto crypto = {&aes, NULL, NULL};
static struct ram_blocks ram;
static uint32_t reserved;

static const struct ipv6_address HOST = {{0xfd, [15] = 1}};
static const struct ipv6_address OTHER = {{0x20, 0x01, 0x0d, 0xb8, [15] = 7}};

static inline int reserve(void *context, uint32_t last)
{
    (void)context;
    CHECK(last > reserved);
    if (ram.dark)
        return MOTE_E_IO;
    reserved = last;
    return MOTE_OK;
}

static inline struct ipsec_sa make_sa(void)
{
    struct ipsec_sa sa = {.protocol = &ipsec_esp,
                          .cipher = &ipsec_aes_ctr,
                          .integrity = &ipsec_xcbc_96,
                          .spi = 0x11000009,
                          .salt = {0xa0, 0xa1, 0xa2, 0xa3},
                          .reserved = UINT32_MAX};
    for (uint8_t i = 0; i < 16; i++) {
        sa.key[i] = i;
        sa.integrity_key[i] = (uint8_t)(0x10 + i);
    }
    return sa;
}

static struct ipsec_sa sa;

static inline struct block_store_config configuration(uint8_t payload_size, bool with_icv)
{
    static const uint8_t mote[16] = {0xfd, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0, 2, 0, 2, 0, 2};
    struct block_store_config config = {.storage = &ram.port,
                                        .sa = &sa,
                                        .crypto = &crypto,
                                        .destination = HOST,
                                        .payload_size = payload_size,
                                        .with_icv = with_icv,
                                        .mode =
                                            with_icv ? BLOCK_STORE_STORED_ICV : BLOCK_STORE_NEW_ICV,
                                        .limit = reserved,
                                        .reserve = reserve};
    memcpy(config.source.octets, mote, sizeof mote);
    return config;
}

/* An empty block store. */
static inline struct block_store_config fresh(uint8_t payload_size, bool with_icv,
                                              uint32_t segments)
{
    bearssl_aes128(&plain_aes, &aes_state);
    aes = plain_aes;
    aes.encrypt = counted_encrypt;
    ram_blocks_init(&ram, SEGMENT, segments);
    reserved = 0;
    sa = make_sa();
    return configuration(payload_size, with_icv);
}

static inline void fill(uint8_t *payload, uint32_t seed)
{
    for (uint32_t i = 0; i < BLOCK_STORE_PAYLOAD_MAX; i++)
        payload[i] = (uint8_t)(seed * 31 + seed / 7 + i * 3);
}

/* True if the requester opens the block as ESP, with the payload of that seed. */
static inline bool opens(const struct block_store *store, const struct stored_block *block,
                         const struct ipv6_address *requester, uint32_t seed)
{
    uint8_t packet[BLOCK_STORE_PACKET_MAX], plain[BLOCK_STORE_PACKET_MAX],
        payload[BLOCK_STORE_PAYLOAD_MAX];
    struct ipsec_sa in = make_sa();
    struct ipv6_upper upper;
    struct udp udp;
    int len = block_store_packet(store, block, requester, packet, sizeof packet);

    fill(payload, seed);
    if (len > 0)
        len = ipsec_open(&in, &crypto, packet, (size_t)len, plain, sizeof plain);
    return len > 0 && ipv6_find_upper(&upper, plain, (size_t)len) == MOTE_OK &&
           udp_parse(&udp, &upper, plain) == MOTE_OK && udp.src_port == BLOCK_STORE_PORT &&
           udp.dst_port == BLOCK_STORE_PORT && ipv6_equal(&upper.dst, requester) &&
           udp.payload_len == store->config.payload_size &&
           memcmp(udp.payload, payload, udp.payload_len) == 0;
}

static inline int append(struct block_store *store, uint32_t seed, uint32_t *number)
{
    uint8_t payload[BLOCK_STORE_PAYLOAD_MAX];

    fill(payload, seed);
    return block_store_append(store, payload, T0 + seed, T0 + seed, number);
}

static inline int find_number(const struct block_store *store, uint32_t number,
                              struct stored_block *block)
{
    int error = block_store_find(store, number, 0, UINT32_MAX, block);

    return error || block->number == number ? error : MOTE_E_STATE;
}

#endif
