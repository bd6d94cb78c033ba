/* The ciphertext of a block: made under the store's association, opened under the block's own. */
#ifndef MOTE_CORE_BLOCK_STORE_BLOCK_H
#define MOTE_CORE_BLOCK_STORE_BLOCK_H

#include "mote/block_store.h"

void block_iv(const struct stored_block *block, uint8_t iv[8]);
/* The first counter block (RFC 3686). */
void block_counter(const struct ipsec_sa *sa, const struct stored_block *block,
                   uint8_t counter[AES_BLOCK]);

/* Encrypts the payload as the UDP message of an ESP packet to the assumed requester. Sets `text`
 * and `icv` of the block; its number is set already. */
int block_seal(const struct block_store *store, const uint8_t *payload, struct stored_block *block);

/* Decrypts a block to its UDP message. MOTE_E_MALFORMED if the trailer is not that of a UDP
 * message. The caller wipes `text`. */
int block_decrypt(const struct block_store *store, const struct stored_block *block,
                  uint8_t text[BLOCK_STORE_TEXT_MAX]);

#endif
