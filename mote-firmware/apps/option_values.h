/*
 * The values of single options. Each function stores a value. For a wrong value it returns false
 * and reports on stderr the option, the value and what to give instead.
 */
#ifndef MOTE_APPS_OPTION_VALUES_H
#define MOTE_APPS_OPTION_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "options.h"

/* Reports a wrong value; `instead` completes "--OPTION VALUE: ". Returns false. */
bool option_reject(const char *option, const char *value, const char *instead);

/* Stores a number from `least` to `most`, times `scale`. */
bool option_number(const char *option, const char *text, double least, double most, double scale,
                   uint64_t *value);

/* Stores true for the word `yes` and false for the word `no`. */
bool option_choice(const char *option, const char *text, const char *no, const char *yes,
                   bool *value);

/* Appends one value of an option that may be given up to `max` times. */
bool option_append(const char *option, const char *text, const char **list, size_t *count,
                   size_t max);

/* 1, 2, 3, 5, 6 or 7. */
bool option_link_level(struct options *options, const char *text);
bool option_sn_octets(struct options *options, const char *text);

/* HOST:PORT of a ZEP ether; HOST is an IPv6 address in brackets, an IPv4 address or a name. */
bool option_zep(struct options *options, const char *text);

/* 16 hexadecimal digits, with or without separators between octets. */
bool option_eui64(struct options *options, const char *text);

/* Splits options->mirror, coap[s]://HOST[:PORT][/], into coaps, mirror_host and
 * mirror_port. */
bool option_mirror(struct options *options);

#endif
