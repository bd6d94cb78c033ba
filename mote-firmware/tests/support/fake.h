/*
 * A simulated port: storage that loses power where the test decides, a link that records sent
 * datagrams, and time that only the test advances.
 */
#ifndef MOTE_TESTS_SUPPORT_FAKE_H
#define MOTE_TESTS_SUPPORT_FAKE_H

#include "mote/app.h"
#include "mote/crypto_bearssl.h"

enum {
    FAKE_SENT_MAX = 64,
    FAKE_DATAGRAM_MAX = 1500,
    FAKE_EVENTS_MAX = 64,
    FAKE_SLOT_SIZE = 4096 /* a sector of most flash */
};

/* The octets that an interrupted write did not reach: old octets (a disk), erased octets (flash),
 * zeros (a file that grew), or any octets (a cell that was being programmed). */
enum fake_rest { FAKE_OLD, FAKE_ERASED, FAKE_ZEROS, FAKE_ANYTHING, FAKE_RESTS };

/* Flash: erased octets are 0xFF, and writing only clears bits. */
struct fake_storage {
    uint8_t slots[STORAGE_SLOTS][FAKE_SLOT_SIZE];
    unsigned writes;
    unsigned erases[STORAGE_SLOTS];
    /* The write, counted from 1, in which power fails after `torn` octets; 0: none. */
    unsigned cut_at;
    size_t torn;
    enum fake_rest rest;
    bool dark; /* power is off until fake_power_on */
    struct storage port;
};

void fake_storage_init(struct fake_storage *storage);
void fake_power_on(struct fake_storage *storage);

struct fake_wire {
    uint8_t sent[FAKE_SENT_MAX][FAKE_DATAGRAM_MAX];
    size_t lengths[FAKE_SENT_MAX];
    size_t count;
    struct wire port;
};

void fake_wire_init(struct fake_wire *wire);
/* Parses the i-th datagram sent; false if there is none or it is malformed. */
bool fake_sent(const struct fake_wire *wire, size_t i, struct coap_message *message);

/* The first option of that number; false when there is none. */
bool fake_option(const struct coap_message *message, uint16_t number, struct coap_option *option);

/* An endpoint with simulated port, drivers and seeded randomness. */
struct fake_mote {
    struct app app;
    struct app_config config;
    struct fake_storage storage;
    struct fake_wire wire;
    uint64_t now;
    uint64_t dice;
    br_sha256_context hash_state;
    struct sha256 hash;
    struct p256 curve;
    struct random random;
    struct sensor sensors[2];
    struct decimal reading;
    bool sensor_broken;
    struct app_event events[FAKE_EVENTS_MAX];
    char texts[FAKE_EVENTS_MAX][80];
    size_t event_count;
    uint8_t datagram[1280];
    uint8_t answer[512];
    uint8_t body[1536];
};

/* Blank storage, time 1000, sensors "load" and "memory", a wake-up every 10 s. */
void fake_mote_init(struct fake_mote *mote);
/* Starts the endpoint with the present storage. */
int fake_mote_boot(struct fake_mote *mote);

/* Moves time to the deadline and polls; false if there is no deadline within `limit` ms. */
bool fake_mote_step(struct fake_mote *mote, uint64_t limit);

/* The newest datagram sent, and the last event reported. */
struct coap_message fake_newest(const struct fake_mote *mote);
const struct app_event *fake_last_event(const struct fake_mote *mote);

/* Answers the newest sent datagram: piggybacked, or non-confirmable for a NON request. */
void fake_answer(struct fake_mote *mote, uint8_t code, const char *location, const char *payload);

/* Answers the newest datagram, a confirmable one, with `code` and Max-Age in seconds. */
void fake_answer_later(struct fake_mote *mote, uint8_t code, uint32_t max_age);

/* The sequence number in the protected header of the i-th datagram's JWS; 0: none. */
uint64_t fake_sent_seq(const struct fake_mote *mote, size_t i);

#endif
