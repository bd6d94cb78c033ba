/*
 * A damaged store. The input is the content of the segments, some with a valid header, and then a
 * request. For any content, searches advance and end, and appended blocks are found. A change of
 * keys ends, also if power is cut between its steps, and leaves no block under the old key.
 */
#include "../apps/store_request.h"
#include "mote/block_store.h"
#include "mote/crypto_bearssl.h"

#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 4, SEGMENT = 340, MAGIC = 0x56474131, WITH_PREVIOUS = 1 << 4, STEPS = 100 };

static uint8_t flash[SEGMENTS][SEGMENT];

static int store_read(void *context, uint32_t segment, uint32_t at, uint8_t *out, size_t len)
{
    (void)context;
    if (segment >= SEGMENTS || at > SEGMENT || len > SEGMENT - at)
        abort();
    memcpy(out, flash[segment] + at, len);
    return MOTE_OK;
}

static int store_write(void *context, uint32_t segment, uint32_t at, const uint8_t *data,
                       size_t len)
{
    (void)context;
    if (segment >= SEGMENTS || at > SEGMENT || len > SEGMENT - at)
        abort();
    memcpy(flash[segment] + at, data, len);
    return MOTE_OK;
}

static int store_erase(void *context, uint32_t segment)
{
    (void)context;
    memset(flash[segment], 0xff, SEGMENT);
    return MOTE_OK;
}

static int reserve(void *context, uint32_t last)
{
    uint32_t *limit = context;

    if (last <= *limit)
        abort(); /* numbers would repeat */
    *limit = last;
    return MOTE_OK;
}

/* Replaces the input's octets by the header of a block store under one of the keys. */
static void write_header(uint8_t *out, const struct block_store *store, uint32_t first,
                         bool previous)
{
    const struct ipsec_sa *sa = previous ? store->config.previous : store->config.sa;
    struct writer w;

    writer_init(&w, out, SEGMENT);
    writer_u32(&w, MAGIC);
    writer_u32(&w, first);
    writer_u32(&w, sa->spi);
    writer_bytes(&w, store->key_check[previous], sizeof store->key_check[previous]);
    writer_u32(&w, 3U << 24); /* blocks of 64 octets without ICV */
    writer_u32(&w, crc32_ieee(0, out, w.len));
}

static void check_search(const struct block_store *store)
{
    struct stored_block block;
    uint8_t packet[BLOCK_STORE_PACKET_MAX];
    uint32_t from = 0;
    unsigned found = 0;

    for (;;) {
        int error = block_store_find(store, from, 0, UINT32_MAX, &block);

        if (error == MOTE_E_STATE)
            return;
        if ((error != MOTE_OK && error != MOTE_E_MALFORMED) || block.number < from ||
            found++ > SEGMENTS * store->capacity)
            abort();
        if (error == MOTE_OK)
            (void)block_store_packet(store, &block, &store->config.destination, packet,
                                     sizeof packet);
        from = block.number + 1;
    }
}

static void check_append(struct block_store *store)
{
    uint8_t payload[BLOCK_STORE_PAYLOAD_MAX] = {7};
    struct stored_block block;
    uint32_t number;

    for (int i = 0; i < 8; i++) {
        if (block_store_append(store, payload, 5, 9, &number) != MOTE_OK)
            continue;
        if (block_store_find(store, number, 6, 6, &block) != MOTE_OK || block.number != number)
            abort();
    }
}

/* True if the change of keys is complete. */
static bool check_rekey(struct block_store *store, const struct block_store_config *config,
                        uint8_t step)
{
    struct block_store_rekeyed rekeyed;

    for (unsigned i = 0; i < STEPS; i++) {
        int error = block_store_rekey(store, 1 + step % 8U, &rekeyed);

        if (error == MOTE_E_SPACE && config->full == BLOCK_STORE_REFUSE)
            return false;
        if (error != MOTE_OK || rekeyed.blocks > 1 + step % 8U)
            abort();
        if (rekeyed.segments == 0)
            return true;
        /* Power is cut: only stored octets remain. */
        if (step >> 7 && block_store_open(store, config) != MOTE_OK)
            abort();
    }
    abort(); /* more steps than blocks */
}

static void check_renewed(const struct block_store *store)
{
    struct stored_block block;
    uint32_t from = 0;

    for (;;) {
        int error = block_store_find(store, from, 0, UINT32_MAX, &block);

        if (error == MOTE_E_STATE)
            return;
        if (error == MOTE_OK && block.previous)
            abort();
        from = block.number + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct bearssl_aes128 aes_state;
    static struct aes128 aes;
    const struct ipsec_crypto crypto = {&aes, NULL, NULL};
    struct ipsec_sa sa = {.protocol = &ipsec_esp,
                          .cipher = &ipsec_aes_ctr,
                          .integrity = &ipsec_xcbc_96,
                          .spi = 9,
                          .reserved = UINT32_MAX};
    struct ipsec_sa previous = sa;
    const struct block_storage storage = {.read = store_read,
                                          .write = store_write,
                                          .erase = store_erase,
                                          .segment_size = SEGMENT,
                                          .segment_count = SEGMENTS};
    struct block_store_config config = {.storage = &storage,
                                        .sa = &sa,
                                        .crypto = &crypto,
                                        .destination = {{0xfd, [15] = 1}},
                                        .payload_size = 54,
                                        .reserve = reserve};
    struct block_store store;
    struct store_request request;
    struct store_burst burst;
    struct reader in;

    bearssl_aes128(&aes, &aes_state);
    memset(flash, 0xff, sizeof flash);
    reader_init(&in, data, size);
    uint8_t valid = reader_u8(&in);
    /* A bit for each segment under the previous key, and for each pair of segments with the same
     * numbers. */
    uint8_t keys = valid & WITH_PREVIOUS ? reader_u8(&in) : 0;
    uint8_t step = valid & WITH_PREVIOUS ? reader_u8(&in) : 0;
    uint32_t place = 0;
    previous.spi = 8;
    previous.key[0] = 1;
    if (valid & WITH_PREVIOUS)
        config.previous = &previous;
    config.mode = valid >> 7 ? BLOCK_STORE_REENCRYPT : BLOCK_STORE_NEW_ICV;
    config.full = valid >> 6 & 1 ? BLOCK_STORE_REFUSE : BLOCK_STORE_OVERWRITE_OLDEST;
    config.limit = reader_u32(&in);
    config.reserve_context = &config.limit;
    if (block_store_open(&store, &config) != MOTE_OK)
        abort(); /* erased flash is an empty store */
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        uint8_t len = reader_u8(&in);
        (void)reader_copy(&in, flash[i] + 24, len);
        bool old = keys >> i & 1;
        /* Only an original and its copy have the same numbers. */
        if (!(i % 2 == 1 && keys >> (4 + i / 2) & 1 && old != (keys >> (i - 1) & 1)))
            place = reader_u32(&in) % 100000 * SEGMENTS + i;
        if (valid >> i & 1)
            write_header(flash[i], &store, 1 + place * store.capacity, old);
    }
    if (block_store_open(&store, &config) != MOTE_OK)
        return 0;
    check_search(&store);
    if (store_request_read(&request, in.at, in.left) == MOTE_OK &&
        store_burst_find(&burst, &store, &request) == MOTE_OK && burst.next != 0 &&
        burst.next <= burst.first)
        abort();
    if (valid & WITH_PREVIOUS && check_rekey(&store, &config, step))
        check_renewed(&store);
    check_append(&store);
    return 0;
}
