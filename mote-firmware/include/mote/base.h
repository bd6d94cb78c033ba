/*
 * The base of every folder of the core: error numbers, a reader and a writer with a sticky error,
 * and operations on secrets. It includes the standard types.
 *
 * Received octets are accessed through a reader and composed ones through a writer; no other code
 * does index arithmetic on them. After its first failure a reader returns zeros and a writer stores
 * nothing, so a parser may read all fields first and check `failed` once at the end.
 */
#ifndef MOTE_BASE_H
#define MOTE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of every function that can fail; 0 is success. */
enum mote_error {
    MOTE_OK = 0,
    MOTE_E_SHORT = -1,       /* the input ends before the structure does */
    MOTE_E_MALFORMED = -2,   /* the input violates its specification */
    MOTE_E_SPACE = -3,       /* the caller's buffer or table is full */
    MOTE_E_UNSUPPORTED = -4, /* well-formed, but not implemented or not expected */
    MOTE_E_AUTH = -5,        /* a signature, MIC or ICV does not match */
    MOTE_E_REPLAY = -6,      /* a sequence number or counter was used before */
    MOTE_E_STATE = -7,       /* not possible now: a key, a counter or a session is missing */
    MOTE_E_IO = -8           /* storage, the link or the source of entropy failed */
};

/*
 * `at` is the next octet and `left` the number of octets from there. Once `failed`, left stays 0.
 */
struct reader {
    const uint8_t *at;
    size_t left;
    bool failed;
};

/* `len` of the `size` octets at `start` are written. Once `failed`, none is written. */
struct writer {
    uint8_t *start;
    size_t len;
    size_t size;
    bool failed;
};

/* One part of a message that lies in several places. Checksums, hashes and MICs are computed over
 * an array of pieces, without a copy. */
struct piece {
    const uint8_t *data;
    size_t len;
};

void reader_init(struct reader *r, const uint8_t *data, size_t len);
uint8_t reader_u8(struct reader *r);
uint16_t reader_u16(struct reader *r);
uint32_t reader_u32(struct reader *r);
uint64_t reader_u64(struct reader *r);
uint16_t reader_u16_le(struct reader *r);
uint32_t reader_u32_le(struct reader *r);
uint64_t reader_u64_le(struct reader *r);

/* The next `len` octets in place, or NULL (and failed) when there are fewer. */
const uint8_t *reader_take(struct reader *r, size_t len);

/* Copies the next `len` octets; false (and failed, `out` untouched) when there are fewer. */
bool reader_copy(struct reader *r, uint8_t *out, size_t len);

void writer_init(struct writer *w, uint8_t *out, size_t size);
void writer_u8(struct writer *w, uint8_t value);
void writer_u16(struct writer *w, uint16_t value);
void writer_u32(struct writer *w, uint32_t value);
void writer_u64(struct writer *w, uint64_t value);
void writer_u16_le(struct writer *w, uint16_t value);
void writer_u32_le(struct writer *w, uint32_t value);
void writer_u64_le(struct writer *w, uint64_t value);
void writer_bytes(struct writer *w, const uint8_t *data, size_t len);
void writer_str(struct writer *w, const char *text); /* without the final NUL */
void writer_decimal(struct writer *w, uint64_t value);

/* The next `len` octets for the caller to fill, or NULL (and failed) when fewer are left. */
uint8_t *writer_take(struct writer *w, size_t len);

/* Octets written so far; 0 once failed, so that a truncated message is never sent. */
size_t writer_len(const struct writer *w);

/* CRC-32 of IEEE 802.3. `start` is 0, or a value to mix into the CRC. */
uint32_t crc32_ieee(uint32_t start, const uint8_t *data, size_t len);

/* Overwrites a secret with zeros. The optimiser cannot remove the writes. */
void wipe(void *secret, size_t len);

/* Compares in a time that depends only on `len`. */
bool equal_ct(const uint8_t *a, const uint8_t *b, size_t len);

/*
 * Returns value / by, and the remainder in `rest` unless that is NULL. `by` is from 1 to 2^63 - 1.
 * On a 32-bit target the compiler's 64-bit division needs more code than most files of this core.
 */
uint64_t divide(uint64_t value, uint64_t by, uint64_t *rest);

#endif
