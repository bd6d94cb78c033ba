/*
 * The persistent identity of an endpoint: its key, its sequence numbers, its registration, and the
 * keys that it trusts.
 *
 * One record in two slots (mote/slots.h). Sequence numbers are reserved before use: `reserved` is
 * the highest number that may have been used. After a loss of power the endpoint continues above
 * it, so no number is used twice.
 */
#ifndef MOTE_STORE_H
#define MOTE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mote/port/storage.h"
#include "mote/slots.h"

enum {
    STORE_KEY_SIZE = 32,
    STORE_POINT_SIZE = 64,
    STORE_LOCATION_SIZE = 64, /* with the final NUL */
    STORE_TAG_SIZE = 8,
    STORE_COMMANDERS = 2,
    STORE_STEP = 64 /* at most a quarter of a mirror's window: docs/protocol.md section 5 */
};

struct store_record {
    uint8_t key[STORE_KEY_SIZE]; /* secret */
    uint64_t reserved;
    /*
     * A command's number is stored in `command` before it is carried out and in `acted` afterwards.
     * After a loss of power in between, the command is neither carried out again nor acknowledged.
     */
    uint64_t command; /* the highest number begun */
    uint64_t acted;   /* the last number carried out */
    bool ack_due;     /* no confirmation of the acknowledgement by the mirror is stored */
    char location[STORE_LOCATION_SIZE]; /* "ms/7"; empty: not registered */
    uint8_t tag[STORE_TAG_SIZE];        /* hash of the registration's parameters */
    bool mirror_known;
    uint8_t mirror[STORE_POINT_SIZE]; /* the mirror's identity key */
    uint8_t commander_count;          /* 0: the configured ones */
    uint8_t commanders[STORE_COMMANDERS][STORE_POINT_SIZE];
};

struct store {
    struct store_record record;
    struct slots slots; /* if uncertain: register before any update */
    uint64_t next;      /* the next number; above record.reserved: none is reserved */
};

/*
 * Reads the newest valid record. MOTE_E_STATE if nothing was ever stored: call store_create.
 * MOTE_E_MALFORMED if both slots are damaged: a new record could repeat sequence numbers.
 */
int store_open(struct store *store, const struct storage *storage);

/* Stores the first record, with a new key. */
int store_create(struct store *store, const uint8_t key[STORE_KEY_SIZE]);

/* Takes the next sequence number, after reserving more if none is left. An error takes no number:
 * MOTE_E_STATE at the end of the number space, or MOTE_E_IO. */
int store_take_number(struct store *store, uint64_t *number);

/* Continues above `highest`, a number from a verified answer. MOTE_E_STATE for a number more than
 * 2^32 ahead, which no mirror can have accepted. */
int store_raise(struct store *store, uint64_t highest);

/* Stores the registration's location. An empty location deletes the registration. MOTE_E_SPACE if
 * it is too long. */
int store_set_location(struct store *store, const char *location,
                       const uint8_t tag[STORE_TAG_SIZE]);

/* Stores the mirror's identity key. */
int store_set_mirror(struct store *store, const uint8_t point[STORE_POINT_SIZE]);

/* Called before and after a command is carried out. MOTE_E_REPLAY unless the number is above the
 * numbers of all begun commands. */
int store_begin_command(struct store *store, uint64_t command);
int store_end_command(struct store *store);
/* Ends the command that replaces the commanders. There are 1 to STORE_COMMANDERS of them. */
int store_set_commanders(struct store *store, uint8_t points[][STORE_POINT_SIZE], size_t count);

/* Wipes the key from memory. */
void store_close(struct store *store);

#endif
