/*
 * Sensor Measurement Lists (RFC 8428): the pack that a mote signs. Values are decimal numbers, so
 * that a mote without a floating-point unit neither rounds nor links one.
 */
#ifndef MOTE_SENML_H
#define MOTE_SENML_H

#include "mote/base.h"

/* digits / 10^places: 23.1 is {231, 1}. At most 18 places. */
struct decimal {
    int64_t digits;
    uint8_t places;
};

/* One resolved record; what it does not say (a time, a unit) is left out of the pack. */
struct senml_record {
    const char *name; /* section 4.5.1: letters, digits, - : . / _, a letter or digit first */
    const char *unit; /* from the RFC's registry; NULL for none */
    struct decimal value;
    bool timed;
    uint64_t time; /* unix time in seconds; only when `timed` */
};

/* Whether `name` is one that RFC 8428, section 4.5.1, allows. */
bool senml_name_valid(const char *name);

/* Appends the pack as application/senml+json; MOTE_E_MALFORMED for a name or unit that is none. */
int senml_json(struct writer *out, const struct senml_record *records, size_t count);

/* Appends the pack as application/senml+cbor, section 6: integers or decimal fractions (tag 4). */
int senml_cbor(struct writer *out, const struct senml_record *records, size_t count);

/* The value of the first record of a pack in JSON: what a command says. MOTE_E_MALFORMED without
 * one, MOTE_E_SPACE for more digits than a decimal holds. */
int senml_value_read(const uint8_t *text, size_t len, struct decimal *value);

/* Reads a decimal number as JSON has it, without an exponent. */
int decimal_read(const uint8_t *text, size_t len, struct decimal *value);

/* Appends a decimal number as JSON has it: no exponent, no leading zeros, all its places. */
void decimal_write(struct writer *out, struct decimal value);

#endif
