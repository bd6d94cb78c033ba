/*
 * A damaged store. The input is the content of the segments, some with a valid header, and then a
 * request. Whatever is there, searches end and go forward, and what is appended is found.
 */
#include "../apps/store_request.h"
#include "mote/archive.h"
#include "mote/crypto_bearssl.h"

#include <stdlib.h>
#include <string.h>

enum { SEGMENTS = 4, SEGMENT = 340, MAGIC = 0x56474131 };

static uint8_t store[SEGMENTS][SEGMENT];

static int store_read(void *context, uint32_t segment, uint32_t at, uint8_t *out, size_t len)
{
    (void)context;
    if (segment >= SEGMENTS || at > SEGMENT || len > SEGMENT - at)
        abort();
    memcpy(out, store[segment] + at, len);
    return MOTE_OK;
}

static int store_write(void *context, uint32_t segment, uint32_t at, const uint8_t *data,
                       size_t len)
{
    (void)context;
    if (segment >= SEGMENTS || at > SEGMENT || len > SEGMENT - at)
        abort();
    memcpy(store[segment] + at, data, len);
    return MOTE_OK;
}

static int store_erase(void *context, uint32_t segment)
{
    (void)context;
    memset(store[segment], 0xff, SEGMENT);
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

/* The header of an archive under these keys, in place of what the input has there. */
static void write_header(uint8_t *out, const struct archive *archive, uint32_t first)
{
    struct writer w;

    writer_init(&w, out, SEGMENT);
    writer_u32(&w, MAGIC);
    writer_u32(&w, first);
    writer_u32(&w, archive->config.sa->spi);
    writer_bytes(&w, archive->key_check, sizeof archive->key_check);
    writer_u32(&w, 3U << 24); /* blocks of 64 octets without ICV */
    writer_u32(&w, crc32_ieee(0, out, w.len));
}

static void check_search(const struct archive *archive)
{
    struct archive_block block;
    uint8_t packet[ARCHIVE_PACKET_MAX];
    uint32_t from = 0;
    unsigned found = 0;

    for (;;) {
        int error = archive_find(archive, from, 0, UINT32_MAX, &block);

        if (error == MOTE_E_STATE)
            return;
        if ((error != MOTE_OK && error != MOTE_E_MALFORMED) || block.number < from ||
            found++ > SEGMENTS * archive->capacity)
            abort();
        if (error == MOTE_OK)
            (void)archive_packet(archive, &block, &archive->config.destination, packet,
                                 sizeof packet);
        from = block.number + 1;
    }
}

static void check_append(struct archive *archive)
{
    uint8_t payload[ARCHIVE_PAYLOAD_MAX] = {7};
    struct archive_block block;
    uint32_t number;

    for (int i = 0; i < 8; i++) {
        if (archive_append(archive, payload, 5, 9, &number) != MOTE_OK)
            continue;
        if (archive_find(archive, number, 6, 6, &block) != MOTE_OK || block.number != number)
            abort();
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
    const struct block_storage storage = {.read = store_read,
                                          .write = store_write,
                                          .erase = store_erase,
                                          .segment_size = SEGMENT,
                                          .segment_count = SEGMENTS};
    struct archive_config config = {.storage = &storage,
                                    .sa = &sa,
                                    .crypto = &crypto,
                                    .destination = {{0xfd, [15] = 1}},
                                    .payload_size = 54,
                                    .reserve = reserve};
    struct archive archive;
    struct store_request request;
    struct store_burst burst;
    struct reader in;

    bearssl_aes128(&aes, &aes_state);
    memset(store, 0xff, sizeof store);
    reader_init(&in, data, size);
    uint8_t valid = reader_u8(&in);
    config.mode = valid >> 7 ? ARCHIVE_REENCRYPT : ARCHIVE_STORED;
    config.full = valid >> 6 & 1 ? ARCHIVE_REFUSE : ARCHIVE_OVERWRITE_OLDEST;
    config.limit = reader_u32(&in);
    config.reserve_context = &config.limit;
    if (archive_open(&archive, &config) != MOTE_OK)
        abort(); /* an empty store is an archive */
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        uint8_t len = reader_u8(&in);
        (void)reader_copy(&in, store[i] + 24, len);
        uint32_t place = reader_u32(&in) % 100000 * SEGMENTS + i; /* no two have the same numbers */
        if (valid >> i & 1)
            write_header(store[i], &archive, 1 + place * archive.capacity);
    }
    if (archive_open(&archive, &config) != MOTE_OK)
        return 0;
    check_search(&archive);
    if (store_request_read(&request, in.at, in.left) == MOTE_OK &&
        store_burst_find(&burst, &archive, &request) == MOTE_OK && burst.next != 0 &&
        burst.next <= burst.first)
        abort();
    check_append(&archive);
    return 0;
}
