/*
 * What a mote keeps without power, on a board that has no flash of its own: a region that the
 * emulator may load and save (-device loader). Erased octets are 0xFF.
 */
#ifndef MOTE_PORTS_CORTEX_M_NV_H
#define MOTE_PORTS_CORTEX_M_NV_H

#include "mote/crypto.h"
#include "mote/port/storage.h"

/* A security association with the mirror. The maker writes keys, SPI and number 0: while the number
 * is erased, nothing is sent and nothing heard. */
struct nv_esp {
    uint8_t keys[16 + 4 + 16]; /* secret: cipher, salt, integrity */
    uint32_t spi;
    uint32_t number; /* all that was sent is below it, all that was heard not above */
};

struct nv {
    uint8_t slots[STORAGE_SLOTS][STORAGE_SLOT_SIZE];
    uint8_t seed[SHA256_SIZE];           /* secret; the maker writes it, each use replaces it */
    uint8_t commander[P256_PUBLIC_SIZE]; /* the maker writes it: whose commands count */
    struct nv_esp esp[2];                /* by enum esp_way */
};

extern struct nv nv; /* placed by the linker script */

struct storage nv_storage(void);

/*
 * Random octets from the maker's seed: this board has no entropy source. The seed is replaced by
 * its successor before the first octet is given out, so no restart repeats any. MOTE_E_IO while
 * the seed is erased.
 */
struct random nv_random(const struct sha256 *hash);

#endif
