/* The ciphertext of a block: made under the archive's association, opened under the block's. */
#ifndef MOTE_CORE_ARCHIVE_BLOCK_H
#define MOTE_CORE_ARCHIVE_BLOCK_H

#include "mote/archive.h"

void block_iv(const struct archive_block *block, uint8_t iv[8]);
/* The first counter block (RFC 3686). */
void block_counter(const struct ipsec_sa *sa, const struct archive_block *block,
                   uint8_t counter[AES_BLOCK]);

/* Encrypts the payload as the UDP message of an ESP packet to the assumed requester: sets `text`
 * and `icv` of the block, which has its number. */
int block_seal(const struct archive *archive, const uint8_t *payload, struct archive_block *block);

/* Decrypts a block to its UDP message; MOTE_E_MALFORMED if its trailer is not that of one. The
 * caller wipes `text`. */
int block_decrypt(const struct archive *archive, const struct archive_block *block,
                  uint8_t text[ARCHIVE_TEXT_MAX]);

#endif
