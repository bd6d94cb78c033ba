/* Drivers of the core on the platform's cipher, hash and csprng, and on BearSSL's P-256. */
#include "contiki-port.h"
#include "lib/aes-128.h"
#include "lib/csprng.h"
#include "lib/sha-256.h"
#include "mote/crypto_bearssl.h"

#if CONTIKI_TARGET_COOJA
#include <sys/random.h>
#endif

static void aes_set_key(void *context, const uint8_t key[AES_BLOCK])
{
    (void)context;
    AES_128.set_key(key);
}

static void aes_encrypt(void *context, uint8_t block[AES_BLOCK])
{
    (void)context;
    AES_128.encrypt(block);
}

struct aes128 port_aes128(void)
{
    return (struct aes128){.set_key = aes_set_key, .encrypt = aes_encrypt};
}

static void hash_init(void *context)
{
    (void)context;
    SHA_256.init();
}

static void hash_update(void *context, const uint8_t *data, size_t len)
{
    (void)context;
    if (len > 0)
        SHA_256.update(data, len);
}

static void hash_final(void *context, uint8_t digest[SHA256_SIZE])
{
    (void)context;
    SHA_256.finalize(digest);
}

struct sha256 port_sha256(void)
{
    return (struct sha256){.init = hash_init, .update = hash_update, .final = hash_final};
}

struct p256 port_p256(void)
{
    struct p256 curve;

#if CONTIKI_TARGET_NATIVE || CONTIKI_TARGET_COOJA
    bearssl_p256(&curve, &br_ec_p256_m31);
#else
    /* Long multiplication on a Cortex-M3 does not take constant time. */
    bearssl_p256_m15(&curve);
#endif
    return curve;
}

#if CONTIKI_TARGET_COOJA
/* Seeds the csprng of a simulated mote from the machine, because nothing else does. */
static bool feed(void)
{
    struct csprng_seed seed;
    bool fed = getrandom(seed.u8, sizeof seed.u8, 0) == (ssize_t)sizeof seed.u8;

    if (fed)
        csprng_feed(&seed);
    wipe(&seed, sizeof seed);
    return fed;
}
#endif

static int fill(void *context, uint8_t *out, size_t len)
{
    (void)context;
    if (csprng_rand(out, len))
        return MOTE_OK;
#if CONTIKI_TARGET_COOJA
    if (feed() && csprng_rand(out, len))
        return MOTE_OK;
#endif
    return MOTE_E_IO;
}

struct random port_random(void)
{
    return (struct random){.fill = fill};
}
