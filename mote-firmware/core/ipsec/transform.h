/* The parts of an association, and functions shared by ESP and AH. */
#ifndef MOTE_CORE_IPSEC_TRANSFORM_H
#define MOTE_CORE_IPSEC_TRANSFORM_H

#include "mote/base.h"
#include "mote/crypto.h"
#include "mote/ipsec.h"

enum { IPV6_PAYLOAD_LEN_AT = 4, IPV6_NEXT_AT = 6, ESP_HEADER_SIZE = 8 };

/* Required drivers, as bits of `needs`. */
enum { NEEDS_AES = 1, NEEDS_SHA1 = 2, NEEDS_SHA256 = 4 };

/* The position of AH or ESP in a packet, or where it is inserted: after hop-by-hop and routing
 * headers, and after destination options that precede a routing header. In a received packet, other
 * destination options may precede AH or ESP (RFC 4303 section 3.1.1; Linux sends them there). */
struct ipsec_position {
    size_t at;
    size_t next_at;   /* offset of the next-header octet for `at` */
    uint8_t protocol; /* its value */
};
int ipsec_find_position(const uint8_t *packet, size_t len, struct ipsec_position *position);

/* ESP or AH: the operations of ipsec_seal_as and ipsec_open once the position is known. `iv` has 16
 * octets. */
struct ipsec_protocol {
    uint8_t number;
    int (*seal)(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                const struct ipsec_position *position, const uint8_t *packet, size_t len,
                uint32_t sequence, const uint8_t *iv, uint8_t *out, size_t size);
    int (*open)(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                const struct ipsec_position *position, const uint8_t *packet, size_t len,
                uint8_t *out, size_t size);
};

/* The parts of an ESP packet in one buffer: header, IV, text, ICV. */
struct ipsec_text {
    const uint8_t *header;
    const uint8_t *iv;
    uint8_t *octets; /* plaintext or ciphertext */
    size_t len;
    uint8_t *icv;
};

/* A cipher sets the AES driver's key and processes the text in position. A combined-mode cipher
 * writes its ICV in `seal` and verifies it in `open`. */
struct ipsec_cipher {
    uint8_t needs;
    uint8_t iv_size;
    uint8_t block;    /* a power of two */
    uint8_t icv_size; /* of a combined mode; else 0 */
    int (*seal)(const struct ipsec_sa *sa, const struct aes128 *aes, const struct ipsec_text *text);
    int (*open)(const struct ipsec_sa *sa, const struct aes128 *aes, const struct ipsec_text *text);
    /* Derives the IV of a sequence number; NULL if the cipher has no IV. */
    void (*make_iv)(const struct ipsec_sa *sa, const struct aes128 *aes, uint32_t sequence,
                    uint8_t *iv);
};

/* The IV of CTR and CCM, which must be unique: zeros and the sequence number. */
void ipsec_sequence_iv(const struct ipsec_sa *sa, const struct aes128 *aes, uint32_t sequence,
                       uint8_t *iv);

struct ipsec_integrity {
    uint8_t needs;
    uint8_t icv_size;
    void (*compute)(const struct ipsec_crypto *crypto, const struct ipsec_sa *sa,
                    const struct piece *whole, uint8_t mac[SHA256_SIZE]);
};

/* Write or verify the ICV over `whole`; the valid ICV of a forged packet is wiped. */
void ipsec_compute_icv(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                       const struct piece *whole, uint8_t *icv);
int ipsec_verify_icv(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                     const struct piece *whole, const uint8_t *icv);

void ipsec_set_payload_len(uint8_t *packet, size_t len);

#endif
