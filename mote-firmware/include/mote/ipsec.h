/*
 * IPsec in transport mode with manual keys: ESP (RFC 4303) and AH (RFC 4302).
 *
 * An association belongs to the caller, who also keeps its numbers safe: an outbound one sends
 * only below `reserved`, which the caller has saved beforehand, so that no restart can use a
 * number (and with it a CTR or CCM nonce) again. Receiving looks at the replay window, checks the
 * ICV in constant time, decrypts, and moves the window last.
 *
 * AH over RPL: the root takes the RPL hop-by-hop header off and puts source routing headers on, so
 * AH is computed over the packet as the far host has it: without a hop-by-hop header that holds
 * only the RPL option and padding, without an RFC 6554 header, with the payload length, next
 * header and final destination that result.
 */
#ifndef MOTE_IPSEC_H
#define MOTE_IPSEC_H

#include "mote/ipv6.h"

enum {
    IPSEC_WINDOW = 64,
    IPSEC_ICV_MAX = 16,
    IPSEC_KEY_MAX = 32,
    IPSEC_ESP_OVERHEAD_MAX = 8 + 16 + 17 + 16, /* header, IV, trailer with padding, ICV */
    IPSEC_AH_OVERHEAD_MAX = 32
};

/*
 * What an association is made of. Each part is a constant object, and an association points at
 * those it uses: what no association of an image points at is not linked into it.
 */
struct ipsec_protocol; /* a header: seals and opens packets */
struct ipsec_cipher;
struct ipsec_integrity;

extern const struct ipsec_protocol ipsec_esp;
extern const struct ipsec_protocol ipsec_ah;

extern const struct ipsec_cipher ipsec_null;
extern const struct ipsec_cipher ipsec_aes_cbc;   /* RFC 3602 */
extern const struct ipsec_cipher ipsec_aes_ctr;   /* RFC 3686 */
extern const struct ipsec_cipher ipsec_aes_ccm_8; /* RFC 4309; brings its own ICV */
extern const struct ipsec_cipher ipsec_aes_ccm_12;
extern const struct ipsec_cipher ipsec_aes_ccm_16;

extern const struct ipsec_integrity ipsec_xcbc_96;         /* RFC 3566, a key of 16 octets */
extern const struct ipsec_integrity ipsec_hmac_sha1_96;    /* RFC 2404, 20 */
extern const struct ipsec_integrity ipsec_hmac_sha256_128; /* RFC 4868, 32 */

struct ipsec_sa {
    const struct ipsec_protocol *protocol;
    const struct ipsec_cipher *cipher;       /* of ESP; NULL with AH */
    const struct ipsec_integrity *integrity; /* NULL with CCM */
    uint32_t spi;
    uint8_t key[16];
    uint8_t salt[4]; /* CTR takes 4, CCM 3 */
    uint8_t integrity_key[IPSEC_KEY_MAX];
    bool udp_nhc; /* by agreement the peer compresses UDP's header inside the ESP */
    /* Outbound: the number last sent, and the first that may not be sent. */
    uint32_t sent;
    uint32_t reserved;
    /* Inbound: the highest number accepted; bit i of `window` is number top - i. */
    uint32_t top;
    uint64_t window;
    /* What happened. */
    uint32_t packets;
    uint32_t bad_icv;
    uint32_t replays;
    uint32_t malformed;
};

/* What the transforms need; NULL for what no association uses. The AES driver's key is set before
 * each use, so it may be shared. */
struct ipsec_crypto {
    const struct aes128 *aes;
    const struct sha1 *sha1;
    const struct sha256 *sha256;
};

/* 0, or MOTE_E_UNSUPPORTED for a combination that protects nothing (no integrity), that is not
 * defined, or whose drivers are missing. */
int ipsec_check(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto);

/* Octets of the association's ICV. */
size_t ipsec_icv_size(const struct ipsec_sa *sa);

/* Protects a packet (without RPL headers, or with: it goes behind hop-by-hop and routing headers).
 * Returns the new length, MOTE_E_STATE when no number is reserved, or MOTE_E_SPACE. `out` is not
 * `packet`. */
int ipsec_seal(struct ipsec_sa *sa, const struct ipsec_crypto *crypto, const uint8_t *packet,
               size_t len, uint8_t *out, size_t size);

/* The same with a number that the caller answers for (stored blocks, tests), and for ESP an IV of
 * the cipher's size, NULL: the one that the number makes. */
int ipsec_seal_as(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                  const uint8_t *packet, size_t len, uint32_t sequence, const uint8_t *iv,
                  uint8_t *out, size_t size);

/* NEXT_ESP or NEXT_AH. */
uint8_t ipsec_protocol_number(const struct ipsec_sa *sa);

/* Protocol and SPI of the outermost AH or ESP of a packet, to find its association; MOTE_E_STATE
 * if it has none. */
int ipsec_peek(const uint8_t *packet, size_t len, uint8_t *protocol, uint32_t *spi);

/* Checks, decrypts and removes the outermost AH or ESP. Returns the length of what is left in
 * `out`, MOTE_E_REPLAY, MOTE_E_AUTH or another error; the association's counters say why. */
int ipsec_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto, const uint8_t *packet,
               size_t len, uint8_t *out, size_t size);

/* The replay window: look, and afterwards move. */
int ipsec_fresh(const struct ipsec_sa *sa, uint32_t sequence);
void ipsec_accept(struct ipsec_sa *sa, uint32_t sequence);

#endif
