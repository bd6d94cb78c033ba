/*
 * Signed objects: JWS compact serialization with ES256 (RFC 7515, 7518), JWK and its thumbprint
 * (RFC 7517, 7638), and the objects of Vigil's protocol (docs/protocol.md): registration, update,
 * compact update, command, and the mirror's COSE_Sign1 answer.
 *
 * Header members are written in a fixed order without white space, because the mirror reconstructs
 * the same octets from a compact update.
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

/* Replaces the octets of `out` from offset `from` on by their base64url form, in place. */
void base64url_in_place(struct writer *out, size_t from);

/* Appends the octets that `text` encodes. MOTE_E_MALFORMED for padding, other letters, or non-zero
 * unused bits, so that the encoding is unique; MOTE_E_SPACE. */
int base64url_read(struct writer *out, const uint8_t *text, size_t len);

/* Appends the public JWK with its members in thumbprint order (RFC 7638, section 3.2). */
void jwk_write(struct writer *out, const uint8_t point[P256_PUBLIC_SIZE]);

/* Reads a public P-256 JWK, with members in any order; unknown members are skipped. */
int jwk_read(const uint8_t *text, size_t len, uint8_t point[P256_PUBLIC_SIZE]);

/*
 * Reads a JWK set (RFC 7517 section 5) of 1 to `max` P-256 keys. Returns their number, or an error.
 */
int jwks_read(const uint8_t *text, size_t len, uint8_t points[][P256_PUBLIC_SIZE], size_t max);

/* Writes the thumbprint (RFC 7638, SHA-256), NUL-terminated. */
void jwk_thumbprint(const struct sha256 *hash, const uint8_t point[P256_PUBLIC_SIZE],
                    char jkt[JOSE_JKT_LEN + 1]);

/* Appends `text` as a JSON string, quotes included. */
void json_string(struct writer *out, const char *text);

/* A signing key with its driver. The pointers belong to the caller; `key` is secret. */
struct jose_signer {
    const struct sha256 *hash;
    const struct p256 *curve;
    const uint8_t *key;   /* P256_PRIVATE_SIZE octets */
    const uint8_t *point; /* P256_PUBLIC_SIZE octets */
    const char *kid;      /* thumbprint of `point` */
};

/* Appends a JWS of any header and payload. */
int jws_sign(struct writer *out, const struct jose_signer *signer, const uint8_t *header,
             size_t header_len, const uint8_t *payload, size_t payload_len);

/* A registration (`vigil-reg`, docs/protocol.md section 2). NULL or 0 omits an optional member. */
struct jose_registration {
    const char *ep;
    const char *domain;        /* optional */
    const char *endpoint_type; /* optional */
    uint32_t lifetime;         /* seconds; 0: withdrawal */
    uint32_t wake;             /* seconds between wake-ups; optional */
    uint64_t seq;
    const uint8_t *ephemeral; /* a new P-256 point, to agree on a key; optional */
    const uint8_t *links;     /* application/link-format */
    size_t links_len;
};

/* Appends the registration as JWS. MOTE_E_STATE for `seq` above JOSE_SEQ_MAX, MOTE_E_SPACE. */
int jose_registration(struct writer *out, const struct jose_signer *signer,
                      const struct jose_registration *registration);

/* An update: one reading (docs/protocol.md section 4). */
struct jose_update {
    const char *path; /* the resource, percent-encoded, without a leading slash */
    bool cbor;        /* the payload is senml+cbor; else senml+json */
    uint64_t seq;
    bool acknowledges;
    uint64_t ack; /* number of the command carried out; only with `acknowledges` */
    const uint8_t *payload;
    size_t payload_len;
};

/* Appends the update as JWS (65100). */
int jose_update(struct writer *out, const struct jose_signer *signer,
                const struct jose_update *update);

/* Appends the compact signed update (65102). `out` temporarily needs space for the JWS form. */
int jose_update_compact(struct writer *out, const struct jose_signer *signer,
                        const struct jose_update *update);

/* The key of encrypted updates, agreed with the mirror (docs/protocol.md section 7). */
struct jose_cipher {
    const struct aes128 *aes;
    uint8_t key[AES_BLOCK]; /* secret */
    uint64_t number;        /* assigned by the mirror */
};

/*
 * Derives the key: HKDF-SHA-256(x coordinate of `secret` times `peer`, salt = SHA-256 of the
 * registration, info = "vigil update air" | 0x00 | kid).
 */
int jose_cipher_agree(struct jose_cipher *cipher, const struct jose_signer *signer,
                      const uint8_t secret[P256_PRIVATE_SIZE], const uint8_t peer[P256_PUBLIC_SIZE],
                      const struct piece *registration);

/* Appends the encrypted compact update. The sequence number is the nonce: the caller uses each
 * number once. */
int jose_update_sealed(struct writer *out, const struct jose_signer *signer,
                       const struct jose_update *update, const struct jose_cipher *cipher);

/* ---- commands (docs/protocol.md section 8) ---- */

enum { JOSE_PATH_MAX = 63, JOSE_CTY_MAX = 39 };

struct jose_command {
    char path[JOSE_PATH_MAX + 1];
    char cty[JOSE_CTY_MAX + 1];
    uint64_t seq;
    uint64_t expires; /* unix time in seconds; 0: never */
    const uint8_t *payload;
    size_t payload_len;
};

/* The keys that may command, and the endpoint that a command must name. With `domain` NULL, only
 * commands without `d` are accepted. */
struct jose_authority {
    const struct sha256 *hash;
    const struct p256 *curve;
    const uint8_t (*commanders)[P256_PUBLIC_SIZE];
    size_t commander_count;
    const char *ep;
    const char *domain;
};

/*
 * Verifies a command (JWS, compact serialization). The payload is decoded in place, the header in
 * `scratch`. MOTE_E_AUTH for an unknown `kid` or an invalid signature, MOTE_E_STATE for another
 * endpoint's command, MOTE_E_UNSUPPORTED for another `alg` or `typ`, MOTE_E_MALFORMED,
 * MOTE_E_SPACE.
 */
int jose_command_open(const struct jose_authority *authority, uint8_t *jws, size_t len,
                      uint8_t *scratch, size_t scratch_size, struct jose_command *command);

/* ---- the mirror's signed answer ---- */

/* The content of the answer (docs/protocol.md section 2). */
struct jose_answer {
    uint64_t time;    /* unix time of the gateway in seconds */
    uint64_t highest; /* H, the highest number that it has accepted from this endpoint */
    uint64_t window;
    bool agreed; /* `ephemeral` and `key_number` are present */
    uint8_t ephemeral[P256_PUBLIC_SIZE];
    uint64_t key_number;
};

/*
 * Verifies the COSE_Sign1 (RFC 9052) that answers `request`, the octets of the registration. The
 * mirror's identity key signs it, and its external_aad binds it to this request. MOTE_E_AUTH for an
 * invalid signature, MOTE_E_UNSUPPORTED for another algorithm, MOTE_E_MALFORMED.
 */
int jose_answer_open(const struct sha256 *hash, const struct p256 *curve,
                     const uint8_t mirror[P256_PUBLIC_SIZE], const struct piece *request,
                     const uint8_t *data, size_t len, struct jose_answer *answer);

#endif
