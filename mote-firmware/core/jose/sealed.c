/* Encrypted updates (docs/protocol.md section 7). */
#include "mote/jose.h"

enum { FLAG_ENCRYPTED = 0x10, NUMBER_SHIFT = 5, NUMBER_MASK = 7, CLEAR_SIZE = 3 };

int jose_cipher_agree(struct jose_cipher *cipher, const struct jose_signer *signer,
                      const uint8_t secret[P256_PRIVATE_SIZE], const uint8_t peer[P256_PUBLIC_SIZE],
                      const struct piece *registration)
{
    uint8_t shared[P256_SHARED_SIZE];
    uint8_t salt[SHA256_SIZE];
    uint8_t info[16 + 1 + JOSE_JKT_LEN];
    struct writer out;
    int error = signer->curve->shared(signer->curve->context, secret, peer, shared);

    if (error == MOTE_OK) {
        sha256_pieces(signer->hash, registration, 1, salt);
        writer_init(&out, info, sizeof info);
        writer_str(&out, "vigil update air");
        writer_u8(&out, 0);
        writer_str(&out, signer->kid);
        error =
            hkdf_sha256(signer->hash, &(struct piece){shared, sizeof shared},
                        &(struct piece){salt, sizeof salt}, &(struct piece){info, writer_len(&out)},
                        cipher->key, sizeof cipher->key);
    }
    wipe(shared, sizeof shared);
    return error;
}

int jose_update_sealed(struct writer *out, const struct jose_signer *signer,
                       const struct jose_update *update, const struct jose_cipher *cipher)
{
    size_t from = out->len;
    uint8_t nonce[GCM_NONCE_SIZE];
    uint8_t header[1 + 8];
    uint8_t *tag;
    uint8_t *flags;
    struct writer w;
    int error = jose_update_compact(out, signer, update);

    if (error != MOTE_OK)
        return error;
    flags = out->start + from;
    *flags |= (uint8_t)(FLAG_ENCRYPTED | (cipher->number & NUMBER_MASK) << NUMBER_SHIFT);
    writer_init(&w, nonce, sizeof nonce);
    writer_u32(&w, 0);
    writer_u64(&w, update->seq);
    writer_init(&w, header, sizeof header);
    writer_u8(&w, *flags);
    writer_u64(&w, update->seq);
    tag = writer_take(out, GCM_TAG_SIZE);
    if (tag == NULL)
        return MOTE_E_SPACE;
    cipher->aes->set_key(cipher->aes->context, cipher->key);
    gcm_seal(cipher->aes, nonce, &(struct piece){header, sizeof header}, flags + CLEAR_SIZE,
             (size_t)(tag - flags) - CLEAR_SIZE, tag);
    return MOTE_OK;
}
