/*
 * The associations of one node (docs/protocol.md section 10.1): the line of its file for each, the
 * resulting policy for each peer, and the sequence numbers in a counter store.
 *
 * Numbers to send are reserved before use, COUNTERS_SENT_STEP at a time. The top of the replay
 * window is stored every COUNTERS_RECEIVED_STEP packets, and a restart raises it by as many. The
 * name of a counter is derived from the whole association, keys included, so a new key begins a new
 * counter. An association whose counter was lost is not used, because its numbers could repeat.
 */
#ifndef MOTE_SA_ENTRIES_H
#define MOTE_SA_ENTRIES_H

#include "mote/base.h"
#include "mote/counter_store.h"
#include "mote/crypto.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"

struct sa_entry {
    unsigned line;
    bool inbound; /* seen from this node */
    bool stored;  /* of the block store: blocks stored for `destination`, sent by `source` */
    struct ipv6_address source;
    struct ipv6_address destination;
    struct ipsec_sa sa;
};

/* The policy for one peer. Packets to it are protected by `out`. Packets from it must have been
 * opened by `in`; only ICMPv6 is accepted without. NULL: not protected in that direction. The
 * peer's address selects the association, so two peers may use the same SPI. `ah_out` and `ah_in`
 * add AH around that ESP: packets from the peer must then have both. */
struct net_peer {
    struct ipv6_address address;
    struct ipsec_sa *out;
    struct ipsec_sa *in;
    struct ipsec_sa *ah_out; /* NULL without `out` */
    struct ipsec_sa *ah_in;  /* NULL without `in` */
};

/* The address of the other node. */
const struct ipv6_address *sa_entry_peer(const struct sa_entry *entry);

/* Fills `peers`, which has `count` entries, with the policy for each peer, and returns the number
 * of peers. The peers point into `entries`. Associations of a block store belong to no policy. */
size_t sa_entries_peers(struct sa_entry *entries, size_t count, struct net_peer *peers);

/* The name of an association's counter. */
void sa_entry_name(const struct sa_entry *entry, const struct sha256 *hash,
                   uint8_t name[COUNTER_NAME]);

/*
 * Sets the sequence numbers of an association from its counter after a start. With `fresh` a
 * missing counter is created: the caller knows that no number was used. Otherwise a missing counter
 * is MOTE_E_STATE, and the association neither sends nor accepts anything. Another error if the
 * counter cannot be stored.
 */
int sa_entry_resume(struct sa_entry *entry, struct counter_store *counters,
                    const uint8_t name[COUNTER_NAME], bool fresh);

/* Reserves the next number to send, or stores the highest received number. To be called before
 * ipsec_seal, and after ipsec_open before the opened packet is used. */
int sa_entry_save(struct sa_entry *entry, struct counter_store *counters,
                  const uint8_t name[COUNTER_NAME]);

#endif
