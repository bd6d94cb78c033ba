/*
 * The options of block stores. Values for one block store begin with NAME=, and follow its --store;
 * the others are defaults. Each function returns false after an error on stderr.
 */
#ifndef MOTE_APPS_STORE_OPTIONS_H
#define MOTE_APPS_STORE_OPTIONS_H

#include "options.h"

/* [NAME=]FILE. */
bool option_store(struct options *options, const char *text);

/* [NAME=]a, b or d. */
bool option_store_mode(struct options *options, const char *text);

/* [NAME=] and octets. */
bool option_store_size(struct options *options, const char *text);

/* [NAME=]overwrite or refuse. */
bool option_store_full(struct options *options, const char *text);

/* Completes the block stores from the defaults. Checks that --keep names block stores. */
bool option_stores_complete(struct options *options);

/* The index of the block store that keeps a sensor's readings: the one that --keep names, else the
 * unnamed one; `store_count` if there is none. */
size_t option_store_of(const struct options *options, const char *sensor);

#endif
