/* Heads of CBOR items of definite length (RFC 8949 section 3), as SenML and COSE use them. */
#ifndef MOTE_CBOR_H
#define MOTE_CBOR_H

#include "mote/base.h"

enum cbor_major {
    CBOR_UNSIGNED = 0,
    CBOR_NEGATIVE = 1, /* -1 - value */
    CBOR_OCTETS = 2,
    CBOR_TEXT = 3,
    CBOR_ARRAY = 4,
    CBOR_MAP = 5, /* value counts pairs */
    CBOR_TAG = 6,
    CBOR_SIMPLE = 7
};

/* Appends a head in its shortest form. */
void cbor_head_write(struct writer *out, enum cbor_major major, uint64_t value);

/* Reads a head; false (and the reader failed) for indefinite lengths and reserved forms. */
bool cbor_head_read(struct reader *in, enum cbor_major *major, uint64_t *value);

/* Reads a head of major type `major`; false (and failed) for any other. */
bool cbor_take(struct reader *in, enum cbor_major major, uint64_t *value);

/* The content of a byte string in place; NULL (and failed) for any other item. */
const uint8_t *cbor_take_octets(struct reader *in, size_t *len);

/* Reads an integer of either sign; false (and failed) for other items or values outside int64_t. */
bool cbor_take_integer(struct reader *in, int64_t *value);

/* Skips one item without nested items; false (and failed) for arrays, maps and tags. */
bool cbor_skip_plain(struct reader *in);

#endif
