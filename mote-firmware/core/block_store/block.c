#include "block.h"

#include <string.h>

#include "mote/base.h"

enum { TEXT_AT = IPV6_HEADER_SIZE + 8 + 8 /* ESP header and IV */ };

struct ipsec_sa *block_store_sa(const struct block_store *store, const struct stored_block *block)
{
    return block->previous ? store->config.previous : store->config.sa;
}

void block_iv(const struct stored_block *block, uint8_t iv[8])
{
    struct writer w;

    writer_init(&w, iv, 8);
    writer_u64(&w, block->number);
}

void block_counter(const struct ipsec_sa *sa, const struct stored_block *block,
                   uint8_t counter[AES_BLOCK])
{
    memset(counter, 0, AES_BLOCK);
    memcpy(counter, sa->salt, sizeof sa->salt);
    block_iv(block, counter + sizeof sa->salt);
    counter[AES_BLOCK - 1] = 1;
}

/* Encrypts or decrypts a text in place; CTR does the same for both. */
static void apply_ctr(const struct block_store *store, const struct ipsec_sa *sa,
                      const struct stored_block *block, uint8_t *text)
{
    const struct aes128 *aes = store->config.crypto->aes;
    uint8_t counter[AES_BLOCK];

    block_counter(sa, block, counter);
    aes->set_key(aes->context, sa->key);
    aes_ctr(aes, counter, text, (size_t)store->config.payload_size + BLOCK_STORE_OVERHEAD);
}

/* Encrypts a UDP packet to its ESP text, whose trailer needs no padding. No ICV is computed,
 * because it would not be stored. */
static void seal_text(const struct block_store *store, const uint8_t *packet,
                      struct stored_block *block)
{
    const size_t udp_size = (size_t)store->config.payload_size + UDP_HEADER_SIZE;

    memcpy(block->text, packet + IPV6_HEADER_SIZE, udp_size);
    block->text[udp_size] = 0;
    block->text[udp_size + 1] = NEXT_UDP;
    apply_ctr(store, store->config.sa, block, block->text);
}

static int seal_with_icv(const struct block_store *store, const uint8_t *packet, size_t len,
                         struct stored_block *block)
{
    const struct block_store_config *config = &store->config;
    uint8_t sealed[BLOCK_STORE_PACKET_MAX];
    uint8_t iv[8];
    struct reader r;

    block_iv(block, iv);
    int sealed_len = ipsec_seal_as(config->sa, config->crypto, packet, len, block->number, iv,
                                   sealed, sizeof sealed);
    if (sealed_len < 0)
        return sealed_len;
    reader_init(&r, sealed, (size_t)sealed_len);
    reader_take(&r, TEXT_AT);
    reader_copy(&r, block->text, (size_t)config->payload_size + BLOCK_STORE_OVERHEAD);
    reader_copy(&r, block->icv, ipsec_icv_size(config->sa));
    return r.failed || r.left > 0 ? MOTE_E_UNSUPPORTED : MOTE_OK;
}

int block_seal(const struct block_store *store, const uint8_t *payload, struct stored_block *block)
{
    const struct block_store_config *config = &store->config;
    const struct udp udp = {BLOCK_STORE_PORT, BLOCK_STORE_PORT, payload, config->payload_size};
    uint8_t plain[BLOCK_STORE_PACKET_MAX];

    int len = ipv6_udp_packet(&udp, &config->source, &config->destination, plain, sizeof plain);
    int error = len < 0 ? len : MOTE_OK;
    if (!error && config->with_icv)
        error = seal_with_icv(store, plain, (size_t)len, block);
    else if (!error)
        seal_text(store, plain, block);
    wipe(plain, sizeof plain);
    return error;
}

int block_decrypt(const struct block_store *store, const struct stored_block *block,
                  uint8_t text[BLOCK_STORE_TEXT_MAX])
{
    const size_t len = (size_t)store->config.payload_size + BLOCK_STORE_OVERHEAD;

    memcpy(text, block->text, len);
    apply_ctr(store, block_store_sa(store, block), block, text);
    /* Header and trailer show whether decryption restored the stored block. */
    const uint8_t header[] = {BLOCK_STORE_PORT >> 8,
                              BLOCK_STORE_PORT & 0xff,
                              BLOCK_STORE_PORT >> 8,
                              BLOCK_STORE_PORT & 0xff,
                              0,
                              (uint8_t)(len - 2)};
    return memcmp(text, header, sizeof header) == 0 && text[len - 2] == 0 &&
                   text[len - 1] == NEXT_UDP
               ? MOTE_OK
               : MOTE_E_MALFORMED;
}
