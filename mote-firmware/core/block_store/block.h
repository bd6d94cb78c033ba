/* The ciphertext of a block: made under the block store's association, opened under the block's. */
#ifndef MOTE_CORE_BLOCK_STORE_BLOCK_H
#define MOTE_CORE_BLOCK_STORE_BLOCK_H

#include "mote/block_store.h"

void block_iv(const struct stored_block *block, uint8_t iv[8]);
/* The first counter block (RFC 3686). */
void block_counter(const struct ipsec_sa *sa, const struct stored_block *block,
                   uint8_t counter[AES_BLOCK]);

/* Encrypts the payload as the UDP message of an ESP packet to the assumed requester: sets `text`
 * and `icv` of the block, which has its number. */
int block_seal(const struct block_store *store, const uint8_t *payload, struct stored_block *block);

/* Decrypts a block to its UDP message; MOTE_E_MALFORMED if its trailer is not that of one. The
 * caller wipes `text`. */
int block_decrypt(const struct block_store *store, const struct stored_block *block,
                  uint8_t text[BLOCK_STORE_TEXT_MAX]);

#endif
