/* Requests for stored blocks and their answers, in CBOR (docs/protocol.md section 12). */
#ifndef MOTE_APPS_STORE_REQUEST_H
#define MOTE_APPS_STORE_REQUEST_H

#include "mote/block_store.h"

/* Labels of /store/info. */
enum store_info_label {
    STORE_MODE = 0,
    STORE_PAYLOAD_SIZE = 1,
    STORE_OLDEST = 2,
    STORE_NEWEST = 3,
    STORE_SENSORS = 4
};

/* Labels of /store/send: the request's up to WANTED, the answer's from FIRST on. */
enum store_send_label {
    STORE_FROM = 0,
    STORE_TO = 1,
    STORE_FIRST = 2,
    STORE_LAST = 3,
    STORE_BLOCKS = 4, /* bit i: block first + i is wanted, or is sent */
    STORE_DAMAGED = 5,
    STORE_NEXT = 6
};

/* Labels of the answer of /store/rekey. */
enum store_rekey_label {
    STORE_REKEYED = 0, /* blocks that were encrypted again */
    STORE_SEGMENTS = 1 /* still under the previous key */
};

/* The blocks asked for: their number is in the range of numbers, and the time of a record is in the
 * range of times. */
struct store_request {
    uint32_t from;
    uint32_t to;
    uint32_t first;
    uint32_t last;
    uint32_t blocks;
};

/* At most 32 blocks. */
struct store_burst {
    uint32_t first; /* 0: there is no such block */
    uint32_t blocks;
    uint32_t damaged;
    uint32_t next; /* the first block of the next burst; 0: there is none */
};

/* Parses a request. MOTE_E_MALFORMED for other CBOR, an unknown label, a reversed range, or a bit
 * set without its first number. */
int store_request_read(struct store_request *request, const uint8_t *octets, size_t len);

/* Finds the first burst of a request. */
int store_burst_find(struct store_burst *burst, const struct block_store *store,
                     const struct store_request *request);
void store_burst_write(const struct store_burst *burst, struct writer *out);

/* Accepts no content, or an empty map; MOTE_E_MALFORMED. */
int store_rekey_read(const uint8_t *octets, size_t len);
void store_rekey_write(const struct block_store_rekeyed *rekeyed, struct writer *out);

#endif
