/*
 * Sensor Measurement Lists (RFC 8428): the packs that an endpoint signs. Values are decimal
 * numbers: no floating-point code is linked and nothing is rounded.
 */
#ifndef MOTE_SENML_H
#define MOTE_SENML_H

#include "mote/base.h"

/* digits / 10^places: 23.1 is {231, 1}. At most 18 places. */
struct decimal {
    int64_t digits;
    uint8_t places;
};

/* A resolved record; absent members (time, unit) are omitted from the pack. */
struct senml_record {
    const char *name; /* section 4.5.1: letters, digits, - : . / _, a letter or digit first */
    const char *unit; /* from the SenML Units registry; NULL: none */
    struct decimal value;
    bool timed;
    uint64_t time; /* unix time in seconds; only when `timed` */
};

/* True if RFC 8428 section 4.5.1 allows `name`. */
bool senml_name_valid(const char *name);

/* Appends the pack as application/senml+json. MOTE_E_MALFORMED for an invalid name, unit or number
 * of places, MOTE_E_SPACE. */
int senml_json(struct writer *out, const struct senml_record *records, size_t count);

/* Appends the pack as application/senml+cbor (section 6). Values are integers or decimal fractions
 * (tag 4). Errors as for senml_json. */
int senml_cbor(struct writer *out, const struct senml_record *records, size_t count);

/* Reads the value of the first record of a JSON pack, as in a command. MOTE_E_MALFORMED without
 * one, MOTE_E_SPACE for more than 18 digits. */
int senml_value_read(const uint8_t *text, size_t len, struct decimal *value);

/* Reads a JSON number without exponent. */
int decimal_read(const uint8_t *text, size_t len, struct decimal *value);

/* Appends a JSON number with all its places. */
void decimal_write(struct writer *out, struct decimal value);

#endif
