/* The ciphers of ESP. */
#include <string.h>

#include "mote/base.h"
#include "mote/crypto.h"
#include "mote/ipsec.h"
#include "transform.h"

static int null_crypt(const struct ipsec_sa *sa, const struct aes128 *aes,
                      const struct ipsec_text *text)
{
    (void)sa;
    (void)aes;
    (void)text;
    return MOTE_OK;
}

const struct ipsec_cipher ipsec_null = {.block = 4, .seal = null_crypt, .open = null_crypt};

void ipsec_sequence_iv(const struct ipsec_sa *sa, const struct aes128 *aes, uint32_t sequence,
                       uint8_t *iv)
{
    struct writer w;
    (void)sa;
    (void)aes;
    writer_init(&w, iv, 8);
    writer_u64(&w, sequence);
}

/* Encrypts and decrypts: the counter block is salt, IV and a counter from 1 (RFC 3686). */
static int ctr(const struct ipsec_sa *sa, const struct aes128 *aes, const struct ipsec_text *text)
{
    uint8_t counter[AES_BLOCK] = {[AES_BLOCK - 1] = 1};
    memcpy(counter, sa->salt, 4);
    memcpy(counter + 4, text->iv, 8);
    aes->set_key(aes->context, sa->key);
    aes_ctr(aes, counter, text->octets, text->len);
    return MOTE_OK;
}

const struct ipsec_cipher ipsec_aes_ctr = {.needs = NEEDS_AES,
                                           .iv_size = 8,
                                           .block = 4,
                                           .seal = ctr,
                                           .open = ctr,
                                           .make_iv = ipsec_sequence_iv};

static int cbc_seal(const struct ipsec_sa *sa, const struct aes128 *aes,
                    const struct ipsec_text *text)
{
    aes->set_key(aes->context, sa->key);
    aes_cbc_encrypt(aes, text->iv, text->octets, text->len);
    return MOTE_OK;
}

static int cbc_open(const struct ipsec_sa *sa, const struct aes128 *aes,
                    const struct ipsec_text *text)
{
    if (aes->decrypt == NULL)
        return MOTE_E_UNSUPPORTED;
    aes->set_key(aes->context, sa->key);
    aes_cbc_decrypt(aes, text->iv, text->octets, text->len);
    return MOTE_OK;
}

/* CBC needs an unpredictable IV: it is the encryption of a unique value (NIST SP 800-38A appendix
 * C). */
static void encrypted_sequence_iv(const struct ipsec_sa *sa, const struct aes128 *aes,
                                  uint32_t sequence, uint8_t *iv)
{
    memset(iv, 0, AES_BLOCK);
    ipsec_sequence_iv(sa, aes, sequence, iv + 8);
    aes->set_key(aes->context, sa->key);
    aes->encrypt(aes->context, iv);
}

const struct ipsec_cipher ipsec_aes_cbc = {.needs = NEEDS_AES,
                                           .iv_size = AES_BLOCK,
                                           .block = AES_BLOCK,
                                           .seal = cbc_seal,
                                           .open = cbc_open,
                                           .make_iv = encrypted_sequence_iv};

static struct ccm ccm_of(const struct ipsec_sa *sa, const struct aes128 *aes,
                         const struct ipsec_text *text, uint8_t nonce[11])
{
    memcpy(nonce, sa->salt, 3);
    memcpy(nonce + 3, text->iv, 8);
    aes->set_key(aes->context, sa->key);
    return (struct ccm){.aes = aes,
                        .length_size = 4,
                        .mic_len = sa->cipher->icv_size,
                        .nonce = nonce,
                        .header = {{text->header, ESP_HEADER_SIZE}, {NULL, 0}}};
}

static int ccm_seal_text(const struct ipsec_sa *sa, const struct aes128 *aes,
                         const struct ipsec_text *text)
{
    uint8_t nonce[11];
    struct ccm ccm = ccm_of(sa, aes, text, nonce);
    return ccm_seal(&ccm, text->octets, text->len, text->icv);
}

static int ccm_open_text(const struct ipsec_sa *sa, const struct aes128 *aes,
                         const struct ipsec_text *text)
{
    uint8_t nonce[11];
    struct ccm ccm = ccm_of(sa, aes, text, nonce);
    return ccm_open(&ccm, text->octets, text->len, text->icv);
}

const struct ipsec_cipher ipsec_aes_ccm_8 = {
    NEEDS_AES, 8, 4, 8, ccm_seal_text, ccm_open_text, ipsec_sequence_iv};
const struct ipsec_cipher ipsec_aes_ccm_12 = {
    NEEDS_AES, 8, 4, 12, ccm_seal_text, ccm_open_text, ipsec_sequence_iv};
const struct ipsec_cipher ipsec_aes_ccm_16 = {
    NEEDS_AES, 8, 4, 16, ccm_seal_text, ccm_open_text, ipsec_sequence_iv};
