/*
 * IEEE 802.15.4 frames and their security: a codec for versions 0 (2003), 1 (2006) and 2 (2015,
 * without information elements), CCM*, and replay protection. On the air, addresses, PAN ids and
 * the frame counter are little-endian; here addresses are stored most significant octet first.
 */
#ifndef MOTE_IEEE802154_H
#define MOTE_IEEE802154_H

#include "mote/base.h"
#include "mote/crypto.h"
#include "mote/link_address.h"

enum {
    FRAME_MAX = 127,    /* PSDU with FCS */
    FRAME_FCS_SIZE = 2, /* not included in any length below */
    FRAME_ACK_SIZE = 3,
    FRAME_MIC_MAX = 16
};

enum frame_type { FRAME_BEACON = 0, FRAME_DATA = 1, FRAME_ACK = 2, FRAME_COMMAND = 3 };

/* The auxiliary security header (IEEE 802.15.4-2015 section 9.4). */
struct frame_security {
    uint8_t level;         /* 0 to 7; MIC of 0, 4, 8, 16 octets, with encryption from 4 */
    uint8_t key_mode;      /* 0 implicit, 1 index, 2 source of 4 octets, 3 source of 8 */
    uint32_t counter;      /* never 0xffffffff */
    uint8_t key_source[8]; /* 0, 4 or 8 octets, most significant first */
    uint8_t key_index;
};

/*
 * A parsed frame. `payload` points into the PSDU (still encrypted if the frame is secured) and
 * `mic` follows it. Version 2 may omit the sequence number and PAN ids, hence the `has_` members.
 */
struct frame {
    uint8_t type;
    uint8_t version;
    bool secured;
    bool pending;
    bool ack_request;
    bool pan_compression; /* the header bit; version and addresses determine its meaning */
    bool has_seq;
    bool has_dst_pan;
    bool has_src_pan;
    uint8_t seq;
    uint16_t dst_pan;
    uint16_t src_pan; /* the destination's if the header omits it */
    struct link_address dst;
    struct link_address src;
    struct frame_security security;
    size_t header_len; /* including the auxiliary security header */
    const uint8_t *payload;
    size_t payload_len;
    const uint8_t *mic;
    size_t mic_len;
};

/* Parses a PSDU without FCS. 0, MOTE_E_SHORT, MOTE_E_MALFORMED or MOTE_E_UNSUPPORTED. */
int frame_parse(struct frame *frame, const uint8_t *psdu, size_t len);

/*
 * Writes header and payload (not the MIC) and sets header_len. Returns the number of octets, or an
 * error. A parsed frame is written back identically.
 */
int frame_write(struct frame *frame, uint8_t *out, size_t size);

/* Fills in a data frame of version 1 between two addresses of one PAN; it requests an
 * acknowledgement unless it is a broadcast. The caller sets security and payload. */
void frame_data(struct frame *frame, uint16_t pan, const struct link_address *dst,
                const struct link_address *src, uint8_t seq);

/* Writes the acknowledgement of the frame numbered `seq`. */
void frame_ack(uint8_t seq, uint8_t out[FRAME_ACK_SIZE]);

/* The FCS: ITU-T CRC-16 over a PSDU without FCS; sent low octet first. */
uint16_t frame_fcs(const uint8_t *psdu, size_t len);
bool frame_fcs_good(const uint8_t *psdu, size_t len_with_fcs);
/* Appends the FCS. The buffer has space for FRAME_FCS_SIZE octets after `len`. */
void frame_fcs_append(uint8_t *psdu, size_t len);

/* Octets of a security level's MIC: 0, 4, 8 or 16. */
size_t frame_mic_size(uint8_t level);

/* Octets of header, auxiliary security header and MIC. */
size_t frame_overhead(const struct frame *frame);

/*
 * Writes the frame secured by frame->security under the key set in `aes` and returns its length
 * without FCS, or an error. `eui` is the sender's EUI-64, also if it sends from a short address.
 * The caller uses a new frame counter for each call and has reserved it durably.
 */
int frame_seal(struct frame *frame, const struct aes128 *aes, const uint8_t eui[EUI64_SIZE],
               uint8_t *out, size_t size);

/*
 * Checks the MIC of a parsed frame and decrypts its payload in `psdu`, the buffer it was parsed
 * from. MOTE_E_AUTH leaves no plaintext behind; MOTE_E_UNSUPPORTED for secured frames other than
 * data frames. The caller selects the key and checks the counter.
 */
int frame_open(const struct frame *frame, uint8_t *psdu, const struct aes128 *aes,
               const uint8_t eui[EUI64_SIZE]);

/*
 * Replay protection: the lowest acceptable counter for each (sender, key). frame_replay_check only
 * compares. frame_replay_update advances the counter; it is called only after frame_open has
 * succeeded, and never for level 4, which is not authenticated. A full table refuses new senders,
 * because it must not forget a counter.
 */
struct frame_counter {
    uint8_t eui[EUI64_SIZE];
    uint8_t key; /* an identifier chosen by the caller */
    bool used;
    uint32_t next;
};

struct frame_counters {
    struct frame_counter *entries; /* the caller's: zeroed or restored at start */
    size_t size;
};

/* 0 or MOTE_E_REPLAY. */
int frame_replay_check(const struct frame_counters *counters, const uint8_t eui[EUI64_SIZE],
                       uint8_t key, uint32_t counter);

/* 0, MOTE_E_REPLAY or MOTE_E_SPACE; the frame may be used only after 0. */
int frame_replay_update(struct frame_counters *counters, const uint8_t eui[EUI64_SIZE], uint8_t key,
                        uint32_t counter);

#endif
