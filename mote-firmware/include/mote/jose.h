/*
 * Signed objects: JWS compact serialization with ES256 (RFC 7515, 7518), JWK and its thumbprint
 * (RFC 7517, 7638), and Vigil's three uses of them: the registration, the update, and the
 * update's compact form on the air.
 *
 * Headers are written member by member in one fixed order without white space, because the mirror
 * must be able to write the very same octets again from a compact update.
 */
#ifndef MOTE_JOSE_H
#define MOTE_JOSE_H

#include "mote/base.h"
#include "mote/crypto.h"
#include "mote/json.h"

enum {
    JOSE_JKT_LEN = 43,             /* base64url of SHA-256 */
    JOSE_COMPACT_OVERHEAD = 3 + 64 /* of format 65102 without ack */
};

/* Sequence numbers travel as JSON numbers. */
#define JOSE_SEQ_MAX JSON_WHOLE_MAX

/* Appends base64url without padding (RFC 4648, section 5). */
void base64url_write(struct writer *out, const uint8_t *data, size_t len);

/* Turns what `out` holds from offset `from` on into base64url where it stands, without a second
 * buffer. */
void base64url_tail(struct writer *out, size_t from);

/* Appends the octets behind `text`; MOTE_E_MALFORMED for padding, foreign letters, or bits left
 * over, so that no two texts mean the same octets. */
int base64url_read(struct writer *out, const uint8_t *text, size_t len);

/* Appends the public JWK with its members in thumbprint order (RFC 7638, section 3.2). */
void jwk_write(struct writer *out, const uint8_t point[P256_PUBLIC_SIZE]);

/* Reads a public P-256 JWK, members in any order, unknown ones skipped. */
int jwk_read(const uint8_t *text, size_t len, uint8_t point[P256_PUBLIC_SIZE]);

/* Reads a JWK set (RFC 7517, section 5) of 1 to `max` such keys: how many, or an error. */
int jwks_read(const uint8_t *text, size_t len, uint8_t points[][P256_PUBLIC_SIZE], size_t max);

/* RFC 7638 over SHA-256, NUL-terminated. */
void jwk_thumbprint(const struct sha256 *hash, const uint8_t point[P256_PUBLIC_SIZE],
                    char jkt[JOSE_JKT_LEN + 1]);

/* Appends `text` as a JSON string, quotes included. */
void json_string(struct writer *out, const char *text);

/* Whose signature. Nothing here is owned; the key is secret and the port's to wipe. */
struct jose_signer {
    const struct sha256 *hash;
    const struct p256 *curve;
    const uint8_t *key;   /* P256_PRIVATE_SIZE octets */
    const uint8_t *point; /* P256_PUBLIC_SIZE octets */
    const char *kid;      /* the point's thumbprint */
};

/* Appends a JWS over any header and payload: the general case, and the RFCs' examples. */
int jws_sign(struct writer *out, const struct jose_signer *signer, const uint8_t *header,
             size_t header_len, const uint8_t *payload, size_t payload_len);

/* `vigil-reg`: protocols.md, section 2. NULL or 0 where a member is optional leaves it out. */
struct jose_registration {
    const char *ep;
    const char *domain;        /* optional */
    const char *endpoint_type; /* optional */
    uint32_t lifetime;         /* seconds; 0 withdraws */
    uint32_t wake;             /* seconds between wake-ups; optional */
    uint64_t seq;
    const uint8_t *ephemeral; /* a fresh P-256 point, if the answer shall carry keys; optional */
    const uint8_t *links;     /* application/link-format */
    size_t links_len;
};

int jose_registration(struct writer *out, const struct jose_signer *signer,
                      const struct jose_registration *registration);

/* One reading under way: protocols.md, section 4. */
struct jose_update {
    const char *path; /* the resource, percent-encoded, without a leading slash */
    bool cbor;        /* the payload is senml+cbor, else senml+json */
    uint64_t seq;
    bool acknowledges;
    uint64_t ack; /* the command carried out; only when `acknowledges` */
    const uint8_t *payload;
    size_t payload_len;
};

/* Appends the update as JWS (65100). */
int jose_update(struct writer *out, const struct jose_signer *signer,
                const struct jose_update *update);

/* Appends the compact signed update (65102); `out` must have room for the whole JWS meanwhile. */
int jose_update_compact(struct writer *out, const struct jose_signer *signer,
                        const struct jose_update *update);

/* Keys agreed with the mirror for updates on the air: protocols.md, section 7. */
struct jose_cipher {
    const struct aes128 *aes;
    uint8_t key[AES_BLOCK]; /* secret */
    uint64_t number;
};

/*
 * K = HKDF-SHA-256(x coordinate of `secret` times `peer`, salt = SHA-256 of the registration,
 * info = "vigil update air" | 0x00 | kid).
 */
int jose_cipher_agree(struct jose_cipher *cipher, const struct jose_signer *signer,
                      const uint8_t secret[P256_PRIVATE_SIZE], const uint8_t peer[P256_PUBLIC_SIZE],
                      const struct piece *registration);

/* The compact update, encrypted. Each number is encrypted once under a key. */
int jose_update_sealed(struct writer *out, const struct jose_signer *signer,
                       const struct jose_update *update, const struct jose_cipher *cipher);

/* ---- commands: protocols.md, section 8 ---- */

enum { JOSE_PATH_MAX = 63, JOSE_CTY_MAX = 39 };

struct jose_command {
    char path[JOSE_PATH_MAX + 1];
    char cty[JOSE_CTY_MAX + 1];
    uint64_t seq;
    uint64_t expires; /* unix time in seconds; 0: never */
    const uint8_t *payload;
    size_t payload_len;
};

/* Whose signature moves us, and whom a command must name. `domain` NULL: only one without `d`. */
struct jose_authority {
    const struct sha256 *hash;
    const struct p256 *curve;
    const uint8_t (*commanders)[P256_PUBLIC_SIZE];
    size_t commander_count;
    const char *ep;
    const char *domain;
};

/*
 * Opens a command (JWS, compact serialization) in place: the payload is decoded where it stands,
 * the header in `scratch`. MOTE_E_AUTH for an unknown `kid` or a signature that does not hold,
 * MOTE_E_STATE for somebody else's, MOTE_E_UNSUPPORTED for another algorithm or `typ`.
 */
int jose_command_open(const struct jose_authority *authority, uint8_t *jws, size_t len,
                      uint8_t *scratch, size_t scratch_size, struct jose_command *command);

/* ---- the mirror's signed answer ---- */

/* What the mirror says of itself and of us: protocols.md, section 2. */
struct jose_answer {
    uint64_t time;    /* unix time of the gateway, s */
    uint64_t highest; /* H, the highest number it has accepted from us */
    uint64_t window;
    bool agreed; /* it sent a key for encrypted updates */
    uint8_t ephemeral[P256_PUBLIC_SIZE];
    uint64_t key_number;
};

/*
 * Opens the COSE_Sign1 (RFC 9052) that answers `request`, the registration's very octets: it is
 * worth believing because only the mirror's identity key signs and no other request has these
 * octets. MOTE_E_AUTH when the signature does not hold, MOTE_E_UNSUPPORTED for another algorithm.
 */
int jose_answer_open(const struct sha256 *hash, const struct p256 *curve,
                     const uint8_t mirror[P256_PUBLIC_SIZE], const struct piece *request,
                     const uint8_t *data, size_t len, struct jose_answer *answer);

#endif
