/*
 * AES-GCM (NIST SP 800-38D) with 96-bit nonces, on the driver's block encryption. GHASH works bit
 * by bit with masks instead of tables, so no branch and no address depends on the key. The few
 * blocks of an update take less time than their transmission.
 */
#include "mote/crypto.h"

/* An element of GF(2^128), its first octet the most significant of `high`. */
struct field {
    uint64_t high;
    uint64_t low;
};

#define REDUCTION (UINT64_C(0xe1) << 56)

static struct field load(const uint8_t block[AES_BLOCK])
{
    struct reader in;
    struct field value;

    reader_init(&in, block, AES_BLOCK);
    value.high = reader_u64(&in);
    value.low = reader_u64(&in);
    return value;
}

static void store(struct field value, uint8_t block[AES_BLOCK])
{
    struct writer out;

    writer_init(&out, block, AES_BLOCK);
    writer_u64(&out, value.high);
    writer_u64(&out, value.low);
}

/* Algorithm 1 of SP 800-38D: x times h. */
static struct field multiply(struct field x, struct field h)
{
    struct field product = {0, 0};

    for (unsigned i = 0; i < 128; i++) {
        uint64_t bit = (i < 64 ? x.high >> (63 - i) : x.low >> (127 - i)) & 1;
        uint64_t odd = h.low & 1;

        product.high ^= h.high & (0 - bit);
        product.low ^= h.low & (0 - bit);
        h.low = h.low >> 1 | h.high << 63;
        h.high = h.high >> 1 ^ (REDUCTION & (0 - odd));
    }
    return product;
}

/* GHASH of `len` octets, the last block padded with zeros. */
static struct field absorb(struct field sum, struct field h, const uint8_t *data, size_t len)
{
    struct reader in;

    reader_init(&in, data, len);
    while (in.left > 0) {
        uint8_t block[AES_BLOCK] = {0};
        struct field next;

        reader_copy(&in, block, in.left < AES_BLOCK ? in.left : AES_BLOCK);
        next = load(block);
        sum = multiply((struct field){sum.high ^ next.high, sum.low ^ next.low}, h);
    }
    return sum;
}

static void counter_init(uint8_t counter[AES_BLOCK], const uint8_t nonce[GCM_NONCE_SIZE],
                         uint32_t number)
{
    struct writer out;

    writer_init(&out, counter, AES_BLOCK);
    writer_bytes(&out, nonce, GCM_NONCE_SIZE);
    writer_u32(&out, number);
}

void gcm_seal(const struct aes128 *aes, const uint8_t nonce[GCM_NONCE_SIZE],
              const struct piece *header, uint8_t *message, size_t len, uint8_t tag[GCM_TAG_SIZE])
{
    uint8_t block[AES_BLOCK] = {0};
    uint8_t mask[AES_BLOCK];
    struct field h;
    struct field sum = {0, 0};

    aes->encrypt(aes->context, block);
    h = load(block);
    counter_init(block, nonce, 2);
    aes_ctr(aes, block, message, len);
    sum = absorb(sum, h, header->data, header->len);
    sum = absorb(sum, h, message, len);
    store((struct field){(uint64_t)header->len * 8, (uint64_t)len * 8}, block);
    sum = absorb(sum, h, block, sizeof block);
    counter_init(mask, nonce, 1);
    aes->encrypt(aes->context, mask);
    store(sum, tag);
    for (unsigned i = 0; i < GCM_TAG_SIZE; i++)
        tag[i] ^= mask[i];
    wipe(&h, sizeof h);
    wipe(mask, sizeof mask);
    wipe(block, sizeof block);
}
