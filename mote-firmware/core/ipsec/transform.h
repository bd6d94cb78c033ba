/* The parts that an association points at, and what ESP and AH share. */
#ifndef MOTE_CORE_IPSEC_TRANSFORM_H
#define MOTE_CORE_IPSEC_TRANSFORM_H

#include "mote/ipsec.h"

enum { IPV6_PAYLOAD_LEN_AT = 4, IPV6_NEXT_AT = 6, ESP_HEADER_SIZE = 8 };

/* Drivers, as bits of `needs`. */
enum { NEEDS_AES = 1, NEEDS_SHA1 = 2, NEEDS_SHA256 = 4 };

/* Where AH or ESP is, or would go: behind hop-by-hop, routing and (before a routing header)
 * destination headers. */
struct ipsec_place {
    size_t at;
    size_t next_at;   /* the octet that names what is at `at` */
    uint8_t protocol; /* what is named */
};
int ipsec_find_place(const uint8_t *packet, size_t len, struct ipsec_place *place);

/* A header: what ipsec_seal_as and ipsec_open do once its place is known. `iv` has 16 octets. */
struct ipsec_protocol {
    uint8_t number;
    int (*seal)(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                const struct ipsec_place *place, const uint8_t *packet, size_t len,
                uint32_t sequence, const uint8_t *iv, uint8_t *out, size_t size);
    int (*open)(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                const struct ipsec_place *place, const uint8_t *packet, size_t len, uint8_t *out,
                size_t size);
};

/* An ESP packet's parts, all inside one buffer: header, IV, text, ICV. */
struct ipsec_text {
    const uint8_t *header;
    const uint8_t *iv;
    uint8_t *octets; /* plain or encrypted */
    size_t len;
    uint8_t *icv;
};

/* A cipher sets the AES driver's key and works on the text in place. One that brings its own ICV
 * writes it when it seals and checks it when it opens. */
struct ipsec_cipher {
    uint8_t needs;
    uint8_t iv_size;
    uint8_t block;    /* a power of two */
    uint8_t icv_size; /* of its own; 0: none */
    int (*seal)(const struct ipsec_sa *sa, const struct aes128 *aes, const struct ipsec_text *text);
    int (*open)(const struct ipsec_sa *sa, const struct aes128 *aes, const struct ipsec_text *text);
    /* The IV of a number; NULL without one. */
    void (*make_iv)(const struct ipsec_sa *sa, const struct aes128 *aes, uint32_t sequence,
                    uint8_t *iv);
};

struct ipsec_integrity {
    uint8_t needs;
    uint8_t icv_size;
    void (*sum)(const struct ipsec_crypto *crypto, const uint8_t *key, const struct piece *whole,
                uint8_t mac[SHA256_SIZE]);
};

/* Writes or compares the ICV over `whole`; the right one survives no wrong one. */
void ipsec_sum(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
               const struct piece *whole, uint8_t *icv);
int ipsec_verify(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                 const struct piece *whole, const uint8_t *icv);

void ipsec_set_payload_len(uint8_t *packet, size_t len);

#endif
