/*
 * A parser of flat JSON objects, the only form of public keys, protected headers and SenML records.
 * Strings with escapes and nested values are refused.
 */
#ifndef MOTE_JSON_H
#define MOTE_JSON_H

#include "mote/base.h"

/* A name or value in the input; for a string the part between the quotes. */
struct json_text {
    const uint8_t *at;
    size_t len;
    bool quoted;
};

void json_skip_space(struct reader *in);
/* Takes `c` after optional white space; false if another character follows. */
bool json_take(struct reader *in, char c);
bool json_string_take(struct reader *in, struct json_text *string);
/* True if `text` is the string `wanted`. */
bool json_is(const struct json_text *text, const char *wanted);
/* Reads a whole number up to JSON_WHOLE_MAX (RFC 8259 section 6: larger ones are not exact in every
 * implementation). */
#define JSON_WHOLE_MAX ((UINT64_C(1) << 53) - 1)
bool json_number(const struct json_text *value, uint64_t *number);

/* Called for each member of an object. Returns the member's bit, 0 for an unknown member, or a
 * negative error. */
typedef int (*json_member)(void *context, const struct json_text *name,
                           const struct json_text *value);

/* Reads an object. Returns the bits of its members, or an error: MOTE_E_MALFORMED also for a member
 * that occurs twice, MOTE_E_SPACE for more than 16 members. */
int json_object(struct reader *in, json_member member, void *context);

#endif
