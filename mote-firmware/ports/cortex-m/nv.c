#include "nv.h"

#include <string.h>

static int slot_read(void *context, unsigned slot, size_t at, uint8_t *out, size_t len)
{
    struct nv *kept = context;

    memcpy(out, kept->slots[slot] + at, len);
    return MOTE_OK;
}

static int slot_write(void *context, unsigned slot, size_t at, const uint8_t *data, size_t len)
{
    struct nv *kept = context;

    if (at == 0)
        memset(kept->slots[slot], 0xff, sizeof kept->slots[slot]);
    memcpy(kept->slots[slot] + at, data, len);
    return MOTE_OK;
}

struct storage nv_storage(void)
{
    return (struct storage){slot_read, slot_write, sizeof nv.slots[0], &nv};
}

static bool all_are(const uint8_t *data, size_t len, uint8_t value)
{
    uint8_t difference = 0;

    for (size_t i = 0; i < len; i++)
        difference |= data[i] ^ value;
    return difference == 0;
}

/* SHA-256 of seed and number: number 0 is the next seed, others are output. */
static void derive(const struct sha256 *hash, const uint8_t seed[SHA256_SIZE], uint32_t number,
                   uint8_t out[SHA256_SIZE])
{
    const struct piece pieces[] = {{seed, SHA256_SIZE}, {(const uint8_t *)&number, sizeof number}};

    sha256_pieces(hash, pieces, 2, out);
}

static int fill(void *context, uint8_t *out, size_t len)
{
    const struct sha256 *hash = context;
    uint8_t seed[SHA256_SIZE];
    uint8_t block[SHA256_SIZE];

    if (all_are(nv.seed, sizeof nv.seed, 0xff) || all_are(nv.seed, sizeof nv.seed, 0))
        return MOTE_E_IO;
    memcpy(seed, nv.seed, sizeof seed);
    derive(hash, seed, 0, nv.seed);
    for (uint32_t number = 1; len > 0; number++) {
        size_t part = len < sizeof block ? len : sizeof block;

        derive(hash, seed, number, block);
        memcpy(out, block, part);
        out += part;
        len -= part;
    }
    wipe(seed, sizeof seed);
    wipe(block, sizeof block);
    return MOTE_OK;
}

struct random nv_random(const struct sha256 *hash)
{
    /* The driver is only read; the cast passes it through the context pointer. */
    union {
        const struct sha256 *hash;
        void *context;
    } carry = {.hash = hash};

    return (struct random){.fill = fill, .context = carry.context};
}
