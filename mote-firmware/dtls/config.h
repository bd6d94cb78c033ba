/*
 * Configuration of Mbed TLS 3.6 for a mote: a client of DTLS 1.2 with TLS_PSK_WITH_AES_128_CCM_8
 * (RFC 6655) and Connection ID (RFC 9146). No operating system, no clock, no malloc: the caller
 * provides the heap as a buffer.
 */
#ifndef MOTE_DTLS_CONFIG_H
#define MOTE_DTLS_CONFIG_H

#define MBEDTLS_PLATFORM_C
#define MBEDTLS_PLATFORM_MEMORY
#define MBEDTLS_MEMORY_BUFFER_ALLOC_C
#define MBEDTLS_PLATFORM_NO_STD_FUNCTIONS
#define MBEDTLS_DEPRECATED_REMOVED

#define MBEDTLS_AES_C
#define MBEDTLS_AES_ONLY_128_BIT_KEY_LENGTH
#define MBEDTLS_BLOCK_CIPHER_NO_DECRYPT
#ifdef DTLS_CORE_AES
/* The core's AES driver (aes_alt.h) instead of tables, whose timing depends on the key. */
#define MBEDTLS_AES_ALT
#else
#define MBEDTLS_AES_ROM_TABLES
#define MBEDTLS_AES_FEWER_TABLES
#endif
#define MBEDTLS_CCM_C
#define MBEDTLS_CIPHER_C
#define MBEDTLS_MD_C
#define MBEDTLS_SHA256_C
#define MBEDTLS_SHA256_SMALLER

#define MBEDTLS_SSL_TLS_C
#define MBEDTLS_SSL_CLI_C
#define MBEDTLS_SSL_PROTO_TLS1_2
#define MBEDTLS_SSL_PROTO_DTLS
#define MBEDTLS_SSL_EXTENDED_MASTER_SECRET
#define MBEDTLS_SSL_DTLS_ANTI_REPLAY
#define MBEDTLS_SSL_DTLS_CONNECTION_ID
#define MBEDTLS_SSL_DTLS_CONNECTION_ID_COMPAT 0
/* Records with Connection ID get no padding to hide lengths, because each octet costs energy. */
#define MBEDTLS_SSL_CID_TLS1_3_PADDING_GRANULARITY 1
#define MBEDTLS_KEY_EXCHANGE_PSK_ENABLED
#define MBEDTLS_PSK_MAX_LEN 128
#define MBEDTLS_SSL_CIPHERSUITES MBEDTLS_TLS_PSK_WITH_AES_128_CCM_8

/* The longest message in a record. */
#ifndef DTLS_CONTENT_MAX
#define DTLS_CONTENT_MAX 1180
#endif
#define MBEDTLS_SSL_IN_CONTENT_LEN DTLS_CONTENT_MAX
#define MBEDTLS_SSL_OUT_CONTENT_LEN DTLS_CONTENT_MAX
#define MBEDTLS_SSL_DTLS_MAX_BUFFERING 1024

#endif
