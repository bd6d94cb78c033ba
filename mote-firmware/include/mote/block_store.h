/*
 * Secure storage after Bagci et al. (2013): an append-only store of blocks. Each block is the
 * encrypted part of an ESP packet, so it leaves the mote without decryption (docs/protocol.md
 * section 12).
 *
 * The storage is a ring of segments. A segment has a header with the number of its first block, and
 * entries of one size: ciphertext, the ICV if it is stored, the least and the greatest time of the
 * block's records, and a commit octet. The number of a block is the number of the segment's first
 * block plus the entry's position, so a torn entry uses up its number. The caller reserves the
 * numbers of a segment before its header is written: even after the loss of the file no number is
 * repeated, and no CTR counter block.
 *
 * A change of keys leaves blocks under the previous association. block_store_rekey copies them into
 * free segments, under the new key and their old numbers. A copy is marked when it has every block,
 * and only then the original is erased. A store that refuses when full keeps one segment free for
 * this.
 *
 * Between calls: `segment` is the place of the newest segment, `first` the number of its first
 * block (0: there is no segment), `used` the number of its entries that must not be written again.
 * All block numbers up to `limit` may have been used. The first `copied` entries of the copy that
 * begins with the number `copy_first` (0: no copy was examined) are known to be right.
 */
#ifndef MOTE_BLOCK_STORE_H
#define MOTE_BLOCK_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mote/ipsec.h"
#include "mote/ipv6.h"
#include "mote/port/block_storage.h"
#include "mote/senml.h"

enum {
    BLOCK_STORE_PORT = 5693, /* UDP source and destination port of every block */
    BLOCK_STORE_PAYLOAD_MAX = 54,
    BLOCK_STORE_TEXT_MAX = 64,
    BLOCK_STORE_OVERHEAD = 10, /* UDP header and ESP trailer */
    BLOCK_STORE_PACKET_MAX = IPV6_HEADER_SIZE + 8 + 8 + BLOCK_STORE_TEXT_MAX + IPSEC_ICV_MAX,
    BLOCK_STORE_RECORD_SIZE = 10,
    BLOCK_STORE_SENSORS_MAX = 15 /* index 15 marks an empty place */
};

/* The behaviour of an append when every segment is used. */
enum block_store_full { BLOCK_STORE_OVERWRITE_OLDEST, BLOCK_STORE_REFUSE };

/* The work when a block is sent. The letters name the paper's experiments. */
enum block_store_mode {
    BLOCK_STORE_REENCRYPT, /* A: the block is decrypted and sealed like any packet */
    BLOCK_STORE_NEW_ICV,   /* B: only the ICV is computed. C, for a requester other than
                              `destination`: the UDP checksum is corrected too, with one AES block */
    BLOCK_STORE_STORED_ICV /* D: nothing is computed. For another requester as C */
};

struct block_store_config {
    const struct block_storage *storage;
    struct ipsec_sa *sa; /* for this store only: ESP, AES-CTR and an integrity algorithm */
    /* The association before the last change of keys, between the same ends; NULL: none. */
    struct ipsec_sa *previous;
    const struct ipsec_crypto *crypto;
    struct ipv6_address source;
    struct ipv6_address destination; /* the requester assumed when a block is stored */
    uint8_t payload_size;            /* 6, 22, 38 or 54 */
    bool with_icv;                   /* the ICV is stored too */
    enum block_store_full full;
    enum block_store_mode mode;
    uint32_t limit; /* the last number that `reserve` was given; 0: none */
    /* Saves durably that all block numbers up to `last` may be used. */
    int (*reserve)(void *context, uint32_t last);
    void *reserve_context;
};

struct block_store {
    struct block_store_config config;
    uint32_t capacity; /* entries of a segment */
    uint32_t segment;
    uint32_t first;
    uint32_t used;
    uint32_t limit;
    uint32_t least; /* times of the newest segment's blocks; least > greatest: none */
    uint32_t greatest;
    uint8_t key_check[2][4]; /* of `sa` and of `previous` */
    uint32_t copy_first;
    uint32_t copied;
};

struct stored_block {
    uint32_t number;
    bool previous;  /* stored under the previous association */
    uint32_t least; /* unix time of the block's records */
    uint32_t greatest;
    uint8_t text[BLOCK_STORE_TEXT_MAX]; /* ciphertext: payload_size + BLOCK_STORE_OVERHEAD octets */
    uint8_t icv[IPSEC_ICV_MAX];         /* only with `with_icv` */
};

/*
 * Opens the store and finds its end. An empty storage is an empty store. MOTE_E_UNSUPPORTED for an
 * unsuitable association, payload size or mode, or blocks of another form; MOTE_E_SPACE if a
 * segment is too small for a block; MOTE_E_AUTH if blocks were stored under a third key; MOTE_E_IO.
 */
int block_store_open(struct block_store *store, const struct block_store_config *config);

/*
 * Seals and stores a payload of `payload_size` octets whose records have times from `least` to
 * `greatest`. Returns MOTE_OK only after the block is durable, and its number in `number`. On an
 * error the block is not stored: MOTE_E_SPACE if the store is full and refuses, MOTE_E_STATE at the
 * end of the number space (the store needs a new key), MOTE_E_IO.
 */
int block_store_append(struct block_store *store, const uint8_t *payload, uint32_t least,
                       uint32_t greatest, uint32_t *number);

/*
 * Finds the first block with a number of at least `from` and a record between two times, both
 * included; no block is decrypted. MOTE_E_STATE: there is none. MOTE_E_MALFORMED: the block
 * `block->number` is damaged and its times are unknown; continue with the next number. MOTE_E_IO.
 */
int block_store_find(const struct block_store *store, uint32_t from, uint32_t least,
                     uint32_t greatest, struct stored_block *block);

/* The numbers of the oldest block that may be stored and of the newest entry; both 0 for an empty
 * store. */
int block_store_bounds(const struct block_store *store, uint32_t *oldest, uint32_t *newest);

/*
 * Writes the IPv6 packet of a block for a requester, in the store's mode. Modes A, B and C take the
 * association's next sequence number; mode D uses the block's number. Returns the length,
 * MOTE_E_STATE if no number is reserved, MOTE_E_MALFORMED if a decrypted block is not a UDP
 * message, or MOTE_E_SPACE.
 */
int block_store_packet(const struct block_store *store, const struct stored_block *block,
                       const struct ipv6_address *requester, uint8_t *out, size_t size);

/*
 * The association under which a block was stored. block_store_packet takes a sequence number of it.
 */
struct ipsec_sa *block_store_sa(const struct block_store *store, const struct stored_block *block);

struct block_store_rekeyed {
    uint32_t blocks;   /* copied in this call */
    uint32_t segments; /* still under the previous association */
};

/*
 * Encrypts up to `blocks` blocks of the previous association again under the present one. The
 * caller repeats the call until no segment is left. Damaged blocks are copied unchanged and stay
 * damaged. After a loss of power the copy continues after its last complete block. Without a free
 * segment, a store that overwrites gives up its oldest segment; any other returns MOTE_E_SPACE.
 * MOTE_E_IO.
 */
int block_store_rekey(struct block_store *store, uint32_t blocks,
                      struct block_store_rekeyed *rekeyed);

/* ---- records ---- */

/* A reading. On the wire: sensor (4 bits), decimal exponent (4 bits, signed), mantissa (24 bits,
 * signed), unix time (4 octets), sequence number (2). */
struct block_store_record {
    uint8_t sensor; /* below BLOCK_STORE_SENSORS_MAX */
    int8_t exponent;
    int32_t mantissa;
    uint32_t time;
    uint16_t sequence;
};

/* Sets the value, rounded to 24 bits. MOTE_E_SPACE if it is too large for any exponent. */
int block_store_record_value(struct block_store_record *record, struct decimal value);

void block_store_record_write(const struct block_store_record *record,
                              uint8_t out[BLOCK_STORE_RECORD_SIZE]);
/* False for an empty place. */
bool block_store_record_read(const uint8_t octets[BLOCK_STORE_RECORD_SIZE],
                             struct block_store_record *record);

/* Records that wait until they fill the payload of a block. The caller zeroes it. */
struct block_store_log {
    uint8_t payload[BLOCK_STORE_PAYLOAD_MAX];
    uint8_t count;
    uint32_t least;
    uint32_t greatest;
};

/* Adds a record, and appends the block when it is full. Errors as for block_store_append: the
 * records then wait for the next attempt. MOTE_E_SPACE also while there is no place for another
 * record. */
int block_store_log_add(struct block_store_log *log, struct block_store *store,
                        const struct block_store_record *record);
/*
 * Appends a block that is not full, with its empty places marked. Does nothing if no record waits.
 */
int block_store_log_flush(struct block_store_log *log, struct block_store *store);

#endif
