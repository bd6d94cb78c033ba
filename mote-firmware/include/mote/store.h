/*
 * What a mote must not forget: its key, which sequence numbers it may have used, where the mirror
 * keeps it, and whom it has learnt to trust.
 *
 * One record in two slots (mote/slots.h). The counter is saved ahead: `reserved` is the highest
 * number that may have been used, so after a loss of power the mote goes on above it and never uses
 * a number twice.
 */
#ifndef MOTE_STORE_H
#define MOTE_STORE_H

#include "mote/slots.h"

enum {
    STORE_KEY_SIZE = 32,
    STORE_POINT_SIZE = 64,
    STORE_LOCATION_SIZE = 64, /* with the final NUL */
    STORE_TAG_SIZE = 8,
    STORE_COMMANDERS = 2,
    STORE_STEP = 64 /* at most a quarter of any mirror's window, protocols.md, section 5 */
};

struct store_record {
    uint8_t key[STORE_KEY_SIZE]; /* secret */
    uint64_t reserved;
    /* Commands are numbered too. One is begun, durably, before anything is done, and acted when it
     * is: after a loss of power in between it is neither done again nor acknowledged. */
    uint64_t command; /* highest number begun */
    uint64_t acted;   /* the last one carried out */
    bool ack_due;     /* the mirror has not been seen to know that; may be older than the truth */
    char location[STORE_LOCATION_SIZE]; /* "ms/7"; empty when not registered */
    uint8_t tag[STORE_TAG_SIZE];        /* of what was registered there */
    bool mirror_known;
    uint8_t mirror[STORE_POINT_SIZE]; /* the mirror's identity key */
    uint8_t commander_count;          /* 0: those built in */
    uint8_t commanders[STORE_COMMANDERS][STORE_POINT_SIZE];
};

struct store {
    struct store_record record;
    struct slots slots; /* doubtful: register before sending anything else */
    uint64_t next;      /* the next number to use; above record.reserved: nothing reserved */
};

/*
 * Reads the newest whole record. MOTE_E_STATE when nothing was ever stored: call store_create.
 * MOTE_E_MALFORMED when both slots are damaged: starting anew would use numbers twice.
 */
int store_open(struct store *store, const struct storage *storage);

/* The first record, with a fresh key. */
int store_create(struct store *store, const uint8_t key[STORE_KEY_SIZE]);

/* Takes the next sequence number, saving ahead first where needed. On an error no number is
 * taken. MOTE_E_STATE at the end of the number space. */
int store_take_number(struct store *store, uint64_t *number);

/* From a verified answer only: never use a number up to `highest` again. MOTE_E_STATE for one more
 * than 2^32 ahead, which no mirror has accepted from us. */
int store_raise(struct store *store, uint64_t highest);

/* An empty location forgets the registration. MOTE_E_SPACE for one too long. */
int store_set_location(struct store *store, const char *location,
                       const uint8_t tag[STORE_TAG_SIZE]);

int store_set_mirror(struct store *store, const uint8_t point[STORE_POINT_SIZE]);

/* Around carrying out a command; MOTE_E_REPLAY for a number that is not above every one begun. */
int store_begin_command(struct store *store, uint64_t command);
int store_end_command(struct store *store);
/* The same for the command that brings new commanders, at most STORE_COMMANDERS. */
int store_set_commanders(struct store *store, uint8_t points[][STORE_POINT_SIZE], size_t count);

/* Removes the key from memory. */
void store_close(struct store *store);

#endif
