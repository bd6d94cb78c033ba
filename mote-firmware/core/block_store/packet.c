/* Packets of stored blocks: the modes of docs/protocol.md section 12. */
#include <string.h>

#include "block.h"
#include "mote/base.h"

enum { CHECKSUM_AT = 6 /* of the UDP header */, HOP_LIMIT = 64 };

/* Takes the next sequence number, as ipsec_seal does. Returns 0 if none is reserved. */
static uint32_t next_sequence(const struct ipsec_sa *sa)
{
    uint32_t next = sa->sent + 1;

    return next == 0 || next >= sa->reserved ? 0 : next;
}

static uint32_t sum_of(const struct ipv6_address *address)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < sizeof address->octets; i += 2)
        sum += (uint32_t)address->octets[i] << 8 | address->octets[i + 1];
    return sum;
}

static uint16_t folded(uint32_t sum)
{
    while (sum >> 16 != 0)
        sum = (sum & UINT16_MAX) + (sum >> 16);
    return (uint16_t)sum;
}

/*
 * Mode C: replaces the destination in the encrypted UDP checksum (RFC 1624) with one AES block, of
 * which two octets are used.
 */
static void correct_checksum(const struct block_store *store, const struct stored_block *block,
                             const struct ipv6_address *requester, uint8_t *text)
{
    const struct ipsec_sa *sa = block_store_sa(store, block);
    const struct aes128 *aes = store->config.crypto->aes;
    uint8_t key[AES_BLOCK];

    block_counter(sa, block, key);
    aes->set_key(aes->context, sa->key);
    aes->encrypt(aes->context, key);
    uint16_t old = (uint16_t)((text[CHECKSUM_AT] ^ key[CHECKSUM_AT]) << 8 |
                              (text[CHECKSUM_AT + 1] ^ key[CHECKSUM_AT + 1]));
    uint16_t removed = folded(sum_of(&store->config.destination));
    uint16_t sum = folded((uint32_t)(uint16_t)~old + (uint16_t)~removed + sum_of(requester));
    uint16_t checksum = sum == UINT16_MAX ? UINT16_MAX : (uint16_t)~sum; /* never 0: RFC 8200 */
    text[CHECKSUM_AT] = (uint8_t)(checksum >> 8) ^ key[CHECKSUM_AT];
    text[CHECKSUM_AT + 1] = (uint8_t)checksum ^ key[CHECKSUM_AT + 1];
    wipe(key, sizeof key);
}

/* Mode A. */
static int reencrypt(const struct block_store *store, const struct stored_block *block,
                     const struct ipv6_address *requester, uint32_t sequence, uint8_t *out,
                     size_t size)
{
    const struct block_store_config *config = &store->config;
    uint8_t text[BLOCK_STORE_TEXT_MAX];
    uint8_t plain[BLOCK_STORE_PACKET_MAX];
    uint8_t iv[8];
    int result = block_decrypt(store, block, text);

    block_iv(block, iv);
    const struct udp udp = {BLOCK_STORE_PORT, BLOCK_STORE_PORT, text + UDP_HEADER_SIZE,
                            config->payload_size};
    if (result == MOTE_OK)
        result = ipv6_udp_packet(&udp, &config->source, requester, plain, sizeof plain);
    if (result > 0)
        result = ipsec_seal_as(block_store_sa(store, block), config->crypto, plain, (size_t)result,
                               sequence, iv, out, size);
    wipe(text, sizeof text);
    wipe(plain, sizeof plain);
    return result;
}

/* Modes B, C and D. */
static int compose(const struct block_store *store, const struct stored_block *block,
                   const struct ipv6_address *requester, uint32_t sequence, const uint8_t *icv,
                   uint8_t *out, size_t size)
{
    const struct block_store_config *config = &store->config;
    uint8_t text[BLOCK_STORE_TEXT_MAX];
    uint8_t iv[8];
    const struct ipsec_sealed sealed = {iv, text,
                                        (size_t)config->payload_size + BLOCK_STORE_OVERHEAD, icv};
    const struct ipv6_header ip = {
        .hop_limit = HOP_LIMIT, .src = config->source, .dst = *requester};

    block_iv(block, iv);
    memcpy(text, block->text, sealed.len);
    if (!ipv6_equal(requester, &config->destination))
        correct_checksum(store, block, requester, text);
    return ipsec_compose(block_store_sa(store, block), config->crypto, &ip, &sealed, sequence, out,
                         size);
}

int block_store_packet(const struct block_store *store, const struct stored_block *block,
                       const struct ipv6_address *requester, uint8_t *out, size_t size)
{
    const struct block_store_config *config = &store->config;
    int result;

    if (config->mode == BLOCK_STORE_STORED_ICV && ipv6_equal(requester, &config->destination))
        return compose(store, block, requester, block->number, block->icv, out, size);
    uint32_t sequence = next_sequence(block_store_sa(store, block));
    if (sequence == 0)
        return MOTE_E_STATE;
    if (config->mode == BLOCK_STORE_REENCRYPT)
        result = reencrypt(store, block, requester, sequence, out, size);
    else
        result = compose(store, block, requester, sequence, NULL, out, size);
    if (result > 0)
        block_store_sa(store, block)->sent = sequence;
    return result;
}
