/*
 * The associations of one node (docs/protocol.md section 10.1): what its file says about each, the
 * policy for each peer that results, and the sequence numbers in a counter store.
 *
 * A sent number is reserved before it is used, SA_SENT_STEP at a time; the replay window's top is
 * stored every COUNTERS_RECEIVED_STEP packets and continues as far above after a restart. A counter
 * is named after all that its association is, keys included, so that a new key begins a new one. An
 * association whose counter was lost is not used, because its numbers could repeat.
 */
#ifndef MOTE_SA_ENTRIES_H
#define MOTE_SA_ENTRIES_H

#include "mote/base.h"
#include "mote/counter_store.h"
#include "mote/crypto.h"
#include "mote/ipsec.h"
#include "mote/ipv6.h"

enum { SA_SENT_STEP = 256 };

struct sa_entry {
    unsigned line;
    bool inbound; /* seen from this node */
    bool stored;  /* of the block store: blocks stored for `destination`, sent by `source` */
    struct ipv6_address source;
    struct ipv6_address destination;
    struct ipsec_sa sa;
};

/* The policy for one peer: packets to it are protected by `out`, and of packets from it only ICMPv6
 * is accepted unless `in` has opened them. NULL: not protected in that direction. The peer's
 * address selects the association, so two peers may use the same SPI. With `ah_out` and `ah_in`, AH
 * around that ESP: packets from the peer must have both. */
struct net_peer {
    struct ipv6_address address;
    struct ipsec_sa *out;
    struct ipsec_sa *in;
    struct ipsec_sa *ah_out; /* NULL without `out` */
    struct ipsec_sa *ah_in;  /* NULL without `in` */
};

/* The address of the other node. */
const struct ipv6_address *sa_entry_peer(const struct sa_entry *entry);

/* Fills `peers`, which has `count` entries, with the policy for each peer; returns their number.
 * The peers point into `entries`; peers of a block store belong to no policy. */
size_t sa_entries_peers(struct sa_entry *entries, size_t count, struct net_peer *peers);

/* The name of an association's counter. */
void sa_entry_name(const struct sa_entry *entry, const struct sha256 *hash,
                   uint8_t name[COUNTER_NAME]);

/*
 * Sets the sequence numbers of an association from its counter after a start. With `fresh` a
 * counter that is missing is begun: the caller knows that no number was used. MOTE_E_STATE if it is
 * missing otherwise, and the association then neither sends nor accepts anything; another error if
 * it cannot be stored.
 */
int sa_entry_resume(struct sa_entry *entry, struct counter_store *counters,
                    const uint8_t name[COUNTER_NAME], bool fresh);

/* Reserves the next number to send, or stores the highest one received; to be called before
 * ipsec_seal, or before a packet is used that ipsec_open has opened. */
int sa_entry_save(struct sa_entry *entry, struct counter_store *counters,
                  const uint8_t name[COUNTER_NAME]);

#endif
