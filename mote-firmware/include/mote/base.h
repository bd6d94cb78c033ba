/*
 * What every room of the core stands on: a reader and a writer with a sticky error, octets that
 * must not leak, and the error numbers.
 *
 * Everything received is touched through a reader and everything sent through a writer; nothing
 * else does index arithmetic on such octets. After the first failure a reader returns zeros and a
 * writer stores nothing, so a parser may read all its fields first and ask once at the end.
 */
#ifndef MOTE_BASE_H
#define MOTE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returned by every function that can fail; 0 is success, so `if (error)` reads well. */
enum mote_error {
    MOTE_OK = 0,
    MOTE_E_SHORT = -1,       /* the octets end before the structure does */
    MOTE_E_MALFORMED = -2,   /* the octets contradict their specification */
    MOTE_E_SPACE = -3,       /* the caller's buffer or table is full */
    MOTE_E_UNSUPPORTED = -4, /* well-formed, but nothing we do */
    MOTE_E_AUTH = -5,        /* a signature, MIC or ICV does not match */
    MOTE_E_REPLAY = -6,      /* a counter was seen before */
    MOTE_E_STATE = -7,       /* not now: a key, a counter or a session is missing */
    MOTE_E_IO = -8           /* storage or the wire failed */
};

/* `at` is the next octet and `left` how many there are; once `failed`, left is 0 for ever. */
struct reader {
    const uint8_t *at;
    size_t left;
    bool failed;
};

/* `len` of `size` octets at `start` are written; once `failed`, nothing more is. */
struct writer {
    uint8_t *start;
    size_t len;
    size_t size;
    bool failed;
};

void reader_init(struct reader *r, const uint8_t *data, size_t len);
uint8_t reader_u8(struct reader *r);
uint16_t reader_u16(struct reader *r);
uint32_t reader_u32(struct reader *r);
uint64_t reader_u64(struct reader *r);
uint16_t reader_u16_le(struct reader *r);
uint32_t reader_u32_le(struct reader *r);
uint64_t reader_u64_le(struct reader *r);

/* The next `len` octets where they lie, or NULL (and failed) when there are fewer. */
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

/* Room for `len` octets that the caller fills, or NULL (and failed) when there is less. */
uint8_t *writer_take(struct writer *w, size_t len);

/* Octets written so far; 0 once failed, so that a truncated message is never sent. */
size_t writer_len(const struct writer *w);

/* Overwrites with zeros in a way that no optimiser removes. */
void wipe(void *secret, size_t len);

/* Compares in time that depends on `len` alone. */
bool equal_ct(const uint8_t *a, const uint8_t *b, size_t len);

#endif
