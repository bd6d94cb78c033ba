/*
 * What a mote keeps without power, on a board that has no flash of its own: a region that the
 * emulator may load and save (-device loader). Erased octets are 0xFF.
 */
#ifndef MOTE_PORTS_CORTEX_M_NV_H
#define MOTE_PORTS_CORTEX_M_NV_H

#include "mote/crypto.h"
#include "mote/port/storage.h"

struct nv {
    uint8_t slots[STORAGE_SLOTS][STORAGE_SLOT_SIZE];
    uint8_t seed[SHA256_SIZE];           /* secret; the maker writes it, each use replaces it */
    uint8_t commander[P256_PUBLIC_SIZE]; /* the maker writes it: whose commands count */
    /* Of the two security associations with the mirror; the maker writes all but `reserved`. */
    uint8_t esp_keys[2][16 + 4 + 16]; /* secret: outbound, inbound: cipher, salt, integrity */
    uint32_t esp_spi[2];
    uint32_t esp_reserved;
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
