/*
 * IEEE 802.15.4 frames: versions 0 (2003), 1 (2006) and 2 (2015, without information elements).
 * Addresses are kept most significant octet first, as an EUI-64 is written; on the air they are
 * little-endian, and so are PAN ids and the frame counter. Nothing here knows of a radio.
 */
#ifndef MOTE_IEEE802154_H
#define MOTE_IEEE802154_H

#include "mote/crypto.h"

enum {
    FRAME_MAX = 127,    /* PSDU with FCS */
    FRAME_FCS_SIZE = 2, /* every length below is without it */
    FRAME_ACK_SIZE = 3,
    FRAME_MIC_MAX = 16,
    EUI64_SIZE = 8
};

enum frame_type { FRAME_BEACON = 0, FRAME_DATA = 1, FRAME_ACK = 2, FRAME_COMMAND = 3 };

/* The value is the length in octets. */
enum link_address_size { LINK_NONE = 0, LINK_SHORT = 2, LINK_EXTENDED = 8 };

struct link_address {
    uint8_t size; /* enum link_address_size */
    uint8_t octets[EUI64_SIZE];
};

/* The auxiliary security header (IEEE 802.15.4-2015 section 9.4). */
struct frame_security {
    uint8_t level;         /* 0 to 7; MIC of 0, 4, 8, 16 octets, with encryption from 4 */
    uint8_t key_mode;      /* 0 implicit, 1 index, 2 source of 4 octets, 3 source of 8 */
    uint32_t counter;      /* never 0xffffffff */
    uint8_t key_source[8]; /* 0, 4 or 8 octets, most significant first */
    uint8_t key_index;
};

/*
 * A frame taken apart. `payload` lies in the parsed PSDU (still encrypted, if it is secured) and
 * is what 6LoWPAN begins with; `mic` follows it. Version 2 may leave out sequence number and PAN
 * ids, so each says whether it is there.
 */
struct frame {
    uint8_t type;
    uint8_t version;
    bool secured;
    bool pending;
    bool ack_request;
    bool pan_compression; /* the header bit; its meaning depends on version and addresses */
    bool has_seq;
    bool has_dst_pan;
    bool has_src_pan;
    uint8_t seq;
    uint16_t dst_pan;
    uint16_t src_pan; /* if absent and the source has an address: the destination's */
    struct link_address dst;
    struct link_address src;
    struct frame_security security;
    size_t header_len; /* with the auxiliary security header */
    const uint8_t *payload;
    size_t payload_len;
    const uint8_t *mic;
    size_t mic_len;
};

/* Takes a PSDU without FCS apart. 0, MOTE_E_SHORT, MOTE_E_MALFORMED or MOTE_E_UNSUPPORTED. */
int frame_parse(struct frame *frame, const uint8_t *psdu, size_t len);

/*
 * Writes header and payload (not the MIC) as the fields say and returns the number of octets, or
 * an error. Sets header_len. What was parsed is written back identically.
 */
int frame_write(struct frame *frame, uint8_t *out, size_t size);

/* A data frame of version 1 between two addresses of one PAN, asking for an acknowledgement
 * unless it is a broadcast. The caller sets security and payload. */
void frame_data(struct frame *frame, uint16_t pan, const struct link_address *dst,
                const struct link_address *src, uint8_t seq);

/* The acknowledgement of `seq`; FRAME_ACK_SIZE octets. */
void frame_ack(uint8_t seq, uint8_t out[FRAME_ACK_SIZE]);

bool link_is_broadcast(const struct link_address *address);
bool link_equal(const struct link_address *a, const struct link_address *b);
struct link_address link_extended(const uint8_t eui[EUI64_SIZE]);
struct link_address link_short(uint16_t address);

/* ITU-T CRC-16 over a PSDU without FCS; sent low octet first. */
uint16_t frame_fcs(const uint8_t *psdu, size_t len);
bool frame_fcs_good(const uint8_t *psdu, size_t len_with_fcs);
/* Appends the FCS; the buffer holds two octets more than `len`. */
void frame_fcs_append(uint8_t *psdu, size_t len);

/* Octets of the MIC of a level: 0, 4, 8 or 16. */
size_t frame_mic_size(uint8_t level);

/* Octets that header, auxiliary header and MIC take, i.e. what the payload may not use. */
size_t frame_overhead(const struct frame *frame);

/*
 * Writes the frame secured as frame->security says and returns its length without FCS. The key
 * is the one set in `aes`; `eui` is the sender's EUI-64 (also when it sends from a short
 * address). Each call takes a counter of its own: the caller saves it ahead and never repeats one.
 */
int frame_seal(struct frame *frame, const struct aes128 *aes, const uint8_t eui[EUI64_SIZE],
               uint8_t *out, size_t size);

/*
 * Opens a parsed frame in its own buffer (`psdu` is what it was parsed from): checks the MIC and
 * decrypts the payload in place. MOTE_E_AUTH leaves no plaintext behind; MOTE_E_UNSUPPORTED for a
 * secured frame that is no data frame. The caller finds the key and checks the counter.
 */
int frame_open(const struct frame *frame, uint8_t *psdu, const struct aes128 *aes,
               const uint8_t eui[EUI64_SIZE]);

/*
 * Replay protection: the lowest counter still acceptable for each (sender, key). frame_fresh only
 * looks; frame_accept moves the counter and is called after frame_open, never before. Level 4
 * frames must not be given to frame_accept. A full table refuses new senders rather than forget a
 * counter.
 */
struct frame_counter {
    uint8_t eui[EUI64_SIZE];
    uint8_t key; /* the caller's number for the key */
    bool used;
    uint32_t next;
};

struct frame_counters {
    struct frame_counter *entries; /* the caller's, zeroed at start or restored */
    size_t size;
};

/* 0 or MOTE_E_REPLAY. */
int frame_fresh(const struct frame_counters *counters, const uint8_t eui[EUI64_SIZE], uint8_t key,
                uint32_t counter);

/* 0, MOTE_E_REPLAY or MOTE_E_SPACE; only with 0 may the frame's content be used. */
int frame_accept(struct frame_counters *counters, const uint8_t eui[EUI64_SIZE], uint8_t key,
                 uint32_t counter);

#endif
