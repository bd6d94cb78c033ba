/*
 * Secure storage after Bagci et al. (2013): an append-only block store of blocks, each the
 * encrypted part of an ESP packet, so that a stored block leaves the mote without decryption
 * (docs/protocol.md section 12).
 *
 * The storage is a ring of segments. A segment has a header with the number of its first block, and
 * entries of one size: ciphertext, the ICV if it is stored, the least and the greatest time of the
 * block's records, and a commit octet. The number of a block is the number of the segment's first
 * block plus the entry's position, so that a torn entry uses its number up. The numbers of a
 * segment are reserved with the caller before its header is written: a lost file does not repeat
 * them, and with them a CTR counter block.
 *
 * A change of keys leaves blocks under the previous association. block_store_rekey copies them,
 * segment by segment, under the new key and their old numbers into free segments; a copy is marked
 * when it has every block, and the original is erased only then. A block store that refuses keeps
 * one segment free for that.
 *
 * Between calls: `segment` is the place of the newest segment, `first` the number of its first
 * block (0: there is no segment), `used` the number of its entries that may not be written any
 * more; all block numbers up to `limit` may have been used. The first `copied` entries of the copy
 * that begins with the number `copy_first` (0: none was looked at) are known to be right.
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
    BLOCK_STORE_PORT = 5693, /* of UDP, source and destination of every block */
    BLOCK_STORE_PAYLOAD_MAX = 54,
    BLOCK_STORE_TEXT_MAX = 64,
    BLOCK_STORE_OVERHEAD = 10, /* UDP header and ESP trailer */
    BLOCK_STORE_PACKET_MAX = IPV6_HEADER_SIZE + 8 + 8 + BLOCK_STORE_TEXT_MAX + IPSEC_ICV_MAX,
    BLOCK_STORE_RECORD_SIZE = 10,
    BLOCK_STORE_SENSORS_MAX = 15 /* index 15 marks a place without record */
};

/* The next append when every segment is used. */
enum block_store_full { BLOCK_STORE_OVERWRITE_OLDEST, BLOCK_STORE_REFUSE };

/* The work at sending, named by the letters of the paper's experiments. */
enum block_store_mode {
    BLOCK_STORE_REENCRYPT, /* A: the block is decrypted and sealed like any packet */
    BLOCK_STORE_NEW_ICV, /* B: only the ICV is computed; C for a requester other than `destination`:
                       its UDP checksum is corrected too, with one AES block */
    BLOCK_STORE_STORED_ICV /* D: nothing is computed; for another requester as C */
};

struct block_store_config {
    const struct block_storage *storage;
    struct ipsec_sa *sa; /* of the block store alone: ESP, AES-CTR and an integrity algorithm */
    /* The association before the last change of keys, between the same ends; NULL: none. */
    struct ipsec_sa *previous;
    const struct ipsec_crypto *crypto;
    struct ipv6_address source;
    struct ipv6_address destination; /* the requester assumed at storing */
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
 * Finds the end of the block store. An empty storage is an empty block store. MOTE_E_UNSUPPORTED
 * for an association, payload size or mode that does not fit, or blocks of another form;
 * MOTE_E_SPACE if a segment holds no block; MOTE_E_AUTH if blocks were stored under a key that is
 * neither of the two; MOTE_E_IO.
 */
int block_store_open(struct block_store *store, const struct block_store_config *config);

/*
 * Seals and stores a payload of `payload_size` octets whose records have times from `least` to
 * `greatest`. MOTE_OK only after the block is durable; its number is in `number`. MOTE_E_SPACE if
 * the block store is full and refuses, MOTE_E_STATE at the end of the number space (the block store
 * needs a new key), MOTE_E_IO; the block is not stored then.
 */
int block_store_append(struct block_store *store, const uint8_t *payload, uint32_t least,
                       uint32_t greatest, uint32_t *number);

/*
 * Finds the first block with a number of at least `from` and a record between two times, both
 * included; no block is decrypted. MOTE_E_STATE: there is none. MOTE_E_MALFORMED: the block
 * `block->number` is damaged, so that its times are unknown; continue above it. MOTE_E_IO.
 */
int block_store_find(const struct block_store *store, uint32_t from, uint32_t least,
                     uint32_t greatest, struct stored_block *block);

/* The numbers of the oldest block that may be stored and of the newest entry; both 0: none. */
int block_store_bounds(const struct block_store *store, uint32_t *oldest, uint32_t *newest);

/*
 * Writes the IPv6 packet of a block for a requester, by the block store's mode. Modes A, B and C
 * take the association's next sequence number, mode D has the block's number. Returns the length,
 * MOTE_E_STATE if no number is reserved, MOTE_E_MALFORMED if a decrypted block is no UDP message,
 * or MOTE_E_SPACE.
 */
int block_store_packet(const struct block_store *store, const struct stored_block *block,
                       const struct ipv6_address *requester, uint8_t *out, size_t size);

/* The association that a block was stored under, of which block_store_packet takes a sequence
 * number.
 */
struct ipsec_sa *block_store_sa(const struct block_store *store, const struct stored_block *block);

struct block_store_rekeyed {
    uint32_t blocks;   /* copied in this call */
    uint32_t segments; /* still under the previous association */
};

/*
 * Copies up to `blocks` blocks of the previous association under the present one; the caller
 * repeats it until no segment is left. Damaged blocks are copied as they are, and stay damaged.
 * After a loss of power it continues behind the last whole block. Without a free segment a block
 * store that overwrites gives up its oldest one, and another returns MOTE_E_SPACE. MOTE_E_IO.
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
/* False for a place without record. */
bool block_store_record_read(const uint8_t octets[BLOCK_STORE_RECORD_SIZE],
                             struct block_store_record *record);

/* Records that wait for their block: as many as fill a payload. The caller zeroes it. */
struct block_store_log {
    uint8_t payload[BLOCK_STORE_PAYLOAD_MAX];
    uint8_t count;
    uint32_t least;
    uint32_t greatest;
};

/* Adds a record; the block is appended when it is full. Errors as block_store_append's: the records
 * wait for the next attempt, and MOTE_E_SPACE is returned while there is no place for another. */
int block_store_log_add(struct block_store_log *log, struct block_store *store,
                        const struct block_store_record *record);
/* Appends the block as it is, empty places marked; nothing if no record waits. */
int block_store_log_flush(struct block_store_log *log, struct block_store *store);

#endif
