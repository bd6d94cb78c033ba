/*
 * One flat JSON object at a time, which is all that a public key, a protected header or a SenML
 * record of ours is: strings without escapes and simple values; nested values are refused.
 */
#ifndef MOTE_JSON_H
#define MOTE_JSON_H

#include "mote/base.h"

/* A name or a value as it stands, a string without its quotes. */
struct json_text {
    const uint8_t *at;
    size_t len;
    bool quoted;
};

void json_skip_space(struct reader *in);
/* The next letter, if it is this one. */
bool json_take(struct reader *in, char c);
bool json_string_take(struct reader *in, struct json_text *string);
bool json_is(const struct json_text *text, const char *wanted);
/* A whole number, up to JSON_WHOLE_MAX: nothing above is exact in every reader. */
#define JSON_WHOLE_MAX ((UINT64_C(1) << 53) - 1)
bool json_number(const struct json_text *value, uint64_t *number);

/* Told of each member: its bit if it is known, 0, or a negative error. */
typedef int (*json_member)(void *context, const struct json_text *name,
                           const struct json_text *value);

/* Reads an object; the bits of its members, or an error: MOTE_E_MALFORMED too if one comes twice,
 * MOTE_E_SPACE for more members than any of ours has. */
int json_object(struct reader *in, json_member member, void *context);

#endif
