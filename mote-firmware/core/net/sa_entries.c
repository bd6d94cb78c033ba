#include "mote/sa_entries.h"

#include <string.h>

const struct ipv6_address *sa_entry_peer(const struct sa_entry *entry)
{
    return entry->inbound ? &entry->source : &entry->destination;
}

static struct net_peer *peer_for(struct net_peer *peers, size_t *count,
                                 const struct ipv6_address *address)
{
    for (size_t i = 0; i < *count; i++)
        if (ipv6_equal(&peers[i].address, address))
            return &peers[i];
    peers[*count] = (struct net_peer){.address = *address};
    return &peers[(*count)++];
}

size_t sa_entries_peers(struct sa_entry *entries, size_t count, struct net_peer *peers)
{
    size_t found = 0;

    /* ESP first: an AH for the same peer goes around it. */
    for (int ah = 0; ah < 2; ah++) {
        for (size_t i = 0; i < count; i++) {
            struct sa_entry *entry = &entries[i];
            struct net_peer *peer;
            struct ipsec_sa **inner;
            struct ipsec_sa **outer;

            if (entry->stored || (ipsec_protocol_number(&entry->sa) == NEXT_AH) != (ah == 1))
                continue;
            peer = peer_for(peers, &found, sa_entry_peer(entry));
            inner = entry->inbound ? &peer->in : &peer->out;
            outer = entry->inbound ? &peer->ah_in : &peer->ah_out;
            *(*inner != NULL ? outer : inner) = &entry->sa;
        }
    }
    return found;
}

void sa_entry_name(const struct sa_entry *entry, const struct sha256 *hash,
                   uint8_t name[COUNTER_NAME])
{
    static const char purpose[] = "vigil-mote association ";
    const struct ipsec_sa *sa = &entry->sa;
    uint8_t digest[SHA256_SIZE];
    uint8_t head[6];
    struct writer w;

    writer_init(&w, head, sizeof head);
    writer_u8(&w, entry->inbound);
    writer_u8(&w, ipsec_protocol_number(sa));
    writer_u32(&w, sa->spi);
    const struct piece pieces[] = {{(const uint8_t *)purpose, sizeof purpose - 1},
                                   {head, sizeof head},
                                   {entry->destination.octets, sizeof entry->destination.octets},
                                   {sa->key, sizeof sa->key},
                                   {sa->salt, sizeof sa->salt},
                                   {sa->integrity_key, sizeof sa->integrity_key}};
    sha256_pieces(hash, pieces, sizeof pieces / sizeof pieces[0], digest);
    name[0] = COUNTER_ASSOCIATION;
    memcpy(name + 1, digest, COUNTER_NAME - 1);
}

int sa_entry_resume(struct sa_entry *entry, struct counter_store *counters,
                    const uint8_t name[COUNTER_NAME], bool fresh)
{
    struct ipsec_sa *sa = &entry->sa;
    uint32_t limit = counter_store_limit(counters, name);
    int error = MOTE_OK;

    if (limit == 0 && fresh) {
        error = counter_store_reserve(counters, name, 0,
                                      entry->inbound ? COUNTERS_RECEIVED_STEP : COUNTERS_SENT_STEP);
        sa->reserved = counter_store_limit(counters, name);
        return error;
    }
    /* All lower numbers count as used; without a record, all numbers. */
    sa->sent = sa->reserved = limit;
    sa->top = limit > 0 ? limit : UINT32_MAX;
    sa->window = UINT32_MAX;
    return limit > 0 ? MOTE_OK : MOTE_E_STATE;
}

int sa_entry_save(struct sa_entry *entry, struct counter_store *counters,
                  const uint8_t name[COUNTER_NAME])
{
    struct ipsec_sa *sa = &entry->sa;
    int error;

    if (counter_store_limit(counters, name) == 0)
        return MOTE_E_STATE;
    if (entry->inbound)
        return counter_store_reserve(counters, name, sa->top, COUNTERS_RECEIVED_STEP);
    error = counter_store_reserve(counters, name, sa->sent + 1, COUNTERS_SENT_STEP);
    if (error == MOTE_OK)
        sa->reserved = counter_store_limit(counters, name);
    return error;
}
