/*
 * IPsec in transport mode with manual keys: ESP (RFC 4303) and AH (RFC 4302).
 *
 * The caller owns an association and stores its sequence numbers. An outbound association uses only
 * numbers below `reserved`, which the caller has saved before, so no restart repeats a number, nor
 * a CTR or CCM nonce. Receiving checks the replay window, verifies the ICV in constant time,
 * decrypts, and updates the window last.
 *
 * AH over RPL: the root removes the RPL hop-by-hop header and inserts source routing headers. The
 * ICV therefore covers the packet in the form that the far host sees: without a hop-by-hop header
 * that holds only the RPL option and padding, without an RFC 6554 header, with the resulting
 * payload length, next header and final destination (docs/protocol.md section 10).
 */
#ifndef MOTE_IPSEC_H
#define MOTE_IPSEC_H

#include "mote/base.h"
#include "mote/crypto.h"
#include "mote/ipv6.h"

enum {
    IPSEC_WINDOW = 32, /* the least that RFC 4303 section 3.4.3 allows; one word */
    IPSEC_ICV_MAX = 16,
    IPSEC_KEY_MAX = 32,
    IPSEC_ESP_OVERHEAD_MAX = 8 + 16 + 17 + 16, /* header, IV, trailer with padding, ICV */
    IPSEC_AH_OVERHEAD_MAX = 32
};

/*
 * The parts of an association. Each is a constant object, linked only if an association of the
 * image points at it.
 */
struct ipsec_protocol;
struct ipsec_cipher;
struct ipsec_integrity;

extern const struct ipsec_protocol ipsec_esp;
/* ESP whose encrypted part begins with the compressed UDP header. Both ends must have it: an
 * unmodified host cannot read it. */
extern const struct ipsec_protocol ipsec_esp_udp;
extern const struct ipsec_protocol ipsec_ah;

extern const struct ipsec_cipher ipsec_null;
extern const struct ipsec_cipher ipsec_aes_cbc; /* RFC 3602 */
extern const struct ipsec_cipher ipsec_aes_ctr; /* RFC 3686 */
/* ipsec_aes_ctr and ipsec_xcbc_96 in one pass, which encrypts and authenticates a block at a time.
 * The packets are the same. `integrity` is NULL. Needs the association's cache and an AES driver
 * with a pair of keys. */
extern const struct ipsec_cipher ipsec_aes_ctr_xcbc_96;
extern const struct ipsec_cipher ipsec_aes_ccm_8; /* RFC 4309; a combined mode */
extern const struct ipsec_cipher ipsec_aes_ccm_12;
extern const struct ipsec_cipher ipsec_aes_ccm_16;

extern const struct ipsec_integrity ipsec_xcbc_96;         /* RFC 3566, a key of 16 octets */
extern const struct ipsec_integrity ipsec_xcbc_96_cached;  /* with the association's cache */
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
    /* Outbound: the last sequence number sent, and the first that may not be used yet. */
    uint32_t sent;
    uint32_t reserved;
    /* Inbound: the highest number accepted; bit i of `window` is number top - i. */
    uint32_t top;
    uint32_t window;
    /* Received packets by result. */
    uint32_t packets;
    uint32_t bad_icv;
    uint32_t replays;
    uint32_t malformed;
    const struct ipsec_cache *cache; /* NULL: keys are derived for each packet */
};

/* The cache of an association with XCBC, which trades RAM for time; secret. The caller owns it. */
struct ipsec_cache {
    struct xcbc_keys subkeys;
    const struct aes128 *expanded; /* holds its keys; NULL: they are expanded for each packet */
};

/* Derives the cache of the association's keys with `aes`, and makes it the association's.
 * `own` is a driver that nothing else uses, to keep its keys expanded, or NULL. To be called again
 * when the keys change. A copy of the association shares its cache.
 */
void ipsec_cache_init(struct ipsec_cache *cache, struct ipsec_sa *sa, const struct aes128 *aes,
                      const struct aes128 *own);

/* Drivers; NULL if no association uses the algorithm. The AES driver may be shared: its key is set
 * before each use. */
struct ipsec_crypto {
    const struct aes128 *aes;
    const struct sha1 *sha1;
    const struct sha256 *sha256;
};

/* 0, or MOTE_E_UNSUPPORTED for a combination without integrity, an undefined one, or one whose
 * drivers are missing. */
int ipsec_check(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto);

/* The ICV's size in octets. */
size_t ipsec_icv_size(const struct ipsec_sa *sa);

/* Protects a packet by inserting AH or ESP after its hop-by-hop and routing headers. Returns the
 * new length, MOTE_E_STATE if no sequence number is reserved, or MOTE_E_SPACE. `out` must not be
 * `packet`. */
int ipsec_seal(struct ipsec_sa *sa, const struct ipsec_crypto *crypto, const uint8_t *packet,
               size_t len, uint8_t *out, size_t size);

/* Like ipsec_seal, with a sequence number and an IV chosen by the caller, who never repeats them.
 * `iv` NULL: derived from the number. */
int ipsec_seal_as(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                  const uint8_t *packet, size_t len, uint32_t sequence, const uint8_t *iv,
                  uint8_t *out, size_t size);

/* The encrypted part of an ESP packet that was sealed before. */
struct ipsec_sealed {
    const uint8_t *iv;
    const uint8_t *text;
    size_t len;
    const uint8_t *icv; /* valid for the sequence number; NULL: to be computed */
};

/* Writes the packet of a sealed text, without encryption: `ip`, ESP and ICV. Sets next header and
 * payload length. Returns the packet's length, MOTE_E_UNSUPPORTED for AH or a combined-mode cipher,
 * or MOTE_E_SPACE. */
int ipsec_compose(const struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                  const struct ipv6_header *ip, const struct ipsec_sealed *sealed,
                  uint32_t sequence, uint8_t *out, size_t size);

/* NEXT_ESP or NEXT_AH. */
uint8_t ipsec_protocol_number(const struct ipsec_sa *sa);

/* Reads protocol and SPI of the outermost AH or ESP of a packet, which select the association.
 * MOTE_E_STATE if it has neither. */
int ipsec_peek(const uint8_t *packet, size_t len, uint8_t *protocol, uint32_t *spi);

/* Reads the sequence number of the outermost AH or ESP; MOTE_E_STATE if it is not the
 * association's. */
int ipsec_sequence(const struct ipsec_sa *sa, const uint8_t *packet, size_t len,
                   uint32_t *sequence);

/* Finds the sequence number whose low `octets` (1 or 2) are those of `low`: the first one from the
 * lower end of the window on. MOTE_E_REPLAY if there is none. If it is not the sender's number, the
 * ICV is wrong. */
int ipsec_whole_sequence(const struct ipsec_sa *sa, uint32_t low, size_t octets,
                         uint32_t *sequence);

/* Writes this number to a packet that has only the low octets. To be called before ipsec_open. */
int ipsec_restore_sequence(const struct ipsec_sa *sa, uint8_t *packet, size_t len, size_t octets);

/* Verifies, decrypts and removes the outermost AH or ESP. Returns the length of the packet in
 * `out`, MOTE_E_REPLAY, MOTE_E_AUTH or another error, and counts the result in the association. */
int ipsec_open(struct ipsec_sa *sa, const struct ipsec_crypto *crypto, const uint8_t *packet,
               size_t len, uint8_t *out, size_t size);

/* The replay window (RFC 4303 section 3.4.3): check a number, and update after the ICV is verified.
 */
int ipsec_replay_check(const struct ipsec_sa *sa, uint32_t sequence);
void ipsec_replay_update(struct ipsec_sa *sa, uint32_t sequence);

#endif
