#include "mbedtls/aes.h"

#include <string.h>

#include "mote/crypto_bearssl.h"

void mbedtls_aes_init(mbedtls_aes_context *context)
{
    memset(context, 0, sizeof *context);
}

void mbedtls_aes_free(mbedtls_aes_context *context)
{
    if (context != NULL)
        wipe(context, sizeof *context);
}

int mbedtls_aes_setkey_enc(mbedtls_aes_context *context, const unsigned char *key,
                           unsigned int bits)
{
    struct aes128 aes;

    if (bits != 8 * AES_BLOCK)
        return MBEDTLS_ERR_AES_INVALID_KEY_LENGTH;
    bearssl_aes128_forward(&aes, &context->keys);
    aes.set_key(aes.context, key);
    return 0;
}

/* Only encryption: CCM needs no decryption. */
int mbedtls_aes_crypt_ecb(mbedtls_aes_context *context, int mode,
                          const unsigned char input[AES_BLOCK], unsigned char output[AES_BLOCK])
{
    struct aes128 aes;

    if (mode != MBEDTLS_AES_ENCRYPT)
        return MBEDTLS_ERR_AES_BAD_INPUT_DATA;
    bearssl_aes128_forward(&aes, &context->keys);
    memmove(output, input, AES_BLOCK);
    aes.encrypt(aes.context, output);
    return 0;
}
