#include "block.h"

#include <string.h>

#include "mote/base.h"

enum { TEXT_AT = IPV6_HEADER_SIZE + 8 + 8 /* ESP header and IV */ };

struct ipsec_sa *archive_sa(const struct archive *archive, const struct archive_block *block)
{
    return block->previous ? archive->config.previous : archive->config.sa;
}

void block_iv(const struct archive_block *block, uint8_t iv[8])
{
    struct writer w;

    writer_init(&w, iv, 8);
    writer_u64(&w, block->number);
}

void block_counter(const struct ipsec_sa *sa, const struct archive_block *block,
                   uint8_t counter[AES_BLOCK])
{
    memset(counter, 0, AES_BLOCK);
    memcpy(counter, sa->salt, sizeof sa->salt);
    block_iv(block, counter + sizeof sa->salt);
    counter[AES_BLOCK - 1] = 1;
}

int block_seal(const struct archive *archive, const uint8_t *payload, struct archive_block *block)
{
    const struct archive_config *config = &archive->config;
    const struct udp udp = {ARCHIVE_PORT, ARCHIVE_PORT, payload, config->payload_size};
    uint8_t plain[ARCHIVE_PACKET_MAX];
    uint8_t sealed[ARCHIVE_PACKET_MAX];
    uint8_t iv[8];
    struct reader r;

    block_iv(block, iv);
    int len = ipv6_udp_packet(&udp, &config->source, &config->destination, plain, sizeof plain);
    if (len > 0)
        len = ipsec_seal_as(config->sa, config->crypto, plain, (size_t)len, block->number, iv,
                            sealed, sizeof sealed);
    wipe(plain, sizeof plain);
    if (len < 0)
        return len;
    reader_init(&r, sealed, (size_t)len);
    reader_take(&r, TEXT_AT);
    reader_copy(&r, block->text, (size_t)config->payload_size + ARCHIVE_OVERHEAD);
    reader_copy(&r, block->icv, ipsec_icv_size(config->sa));
    return r.failed || r.left > 0 ? MOTE_E_UNSUPPORTED : MOTE_OK;
}

int block_decrypt(const struct archive *archive, const struct archive_block *block,
                  uint8_t text[ARCHIVE_TEXT_MAX])
{
    const struct aes128 *aes = archive->config.crypto->aes;
    const struct ipsec_sa *sa = archive_sa(archive, block);
    const size_t len = (size_t)archive->config.payload_size + ARCHIVE_OVERHEAD;
    uint8_t counter[AES_BLOCK];

    block_counter(sa, block, counter);
    memcpy(text, block->text, len);
    aes->set_key(aes->context, sa->key);
    aes_ctr(aes, counter, text, len);
    /* The trailer shows whether the block was decrypted to what was stored. */
    return text[len - 2] == 0 && text[len - 1] == NEXT_UDP ? MOTE_OK : MOTE_E_MALFORMED;
}
