/*
 * Persistent data on a board without flash: a memory region that the emulator can load and save
 * (-device loader). Erased octets are 0xFF.
 */
#ifndef MOTE_PORTS_CORTEX_M_NV_H
#define MOTE_PORTS_CORTEX_M_NV_H

#include "mote/crypto.h"
#include "mote/port/storage.h"

/* A security association with the mirror. The manufacturer writes keys, SPI and number 0; while the
 * number is erased, nothing is sent or accepted. */
struct nv_esp {
    uint8_t keys[16 + 4 + 16]; /* secret: cipher, salt, integrity */
    uint32_t spi;
    uint32_t number; /* above all numbers sent; not below any number received */
};

struct nv {
    uint8_t slots[STORAGE_SLOTS][STORAGE_SLOT_SIZE];
    uint8_t seed[SHA256_SIZE]; /* secret; written by the manufacturer, replaced by each use */
    uint8_t commander[P256_PUBLIC_SIZE]; /* the key that may command; written by the manufacturer */
    struct nv_esp esp[2];                /* by enum esp_way */
};

extern struct nv nv; /* placed by the linker script */

struct storage nv_storage(void);

/*
 * A generator of random octets from the manufacturer's seed, because this board has no entropy
 * source. The seed is replaced before the first octet is used, so no restart repeats an octet.
 * MOTE_E_IO while the seed is erased.
 */
struct random nv_random(const struct sha256 *hash);

#endif
