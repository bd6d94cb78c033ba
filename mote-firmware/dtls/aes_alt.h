/* Mbed TLS's AES on the core's constant-time driver (DTLS_CORE_AES in config.h). */
#ifndef MOTE_DTLS_AES_ALT_H
#define MOTE_DTLS_AES_ALT_H

#include <bearssl.h>

typedef struct mbedtls_aes_context {
    br_aes_ct_cbcenc_keys keys;
} mbedtls_aes_context;

#endif
