/*
 * Elided sequence numbers (docs/protocol.md section 9.1). A number is elided only if the neighbour
 * is the end of the association, and only after the neighbour has acknowledged every frame of a
 * packet with a whole number. A frame that it does not acknowledge makes another whole number
 * necessary. Every 16th number is whole in any case.
 */
#ifndef MOTE_CORE_NET_NUMBER_H
#define MOTE_CORE_NET_NUMBER_H

#include "mote/net.h"

/* Sets in `lowpan`, a copy of the stack's, the forms of the packet to be sent next. */
void net_number_elide(struct net *net, const struct net_packet *packet, struct lowpan *lowpan);

/* Notes that all frames of the packet were acknowledged, or that one frame was not. */
void net_number_arrived(struct net *net, const struct link_address *to);
void net_number_lost(struct net *net, const struct link_address *to);

/* Restores the number of a packet for this mote. MOTE_E_STATE if its association is unknown. */
int net_number_restore(struct net *net, uint8_t *octets, const struct lowpan_packet *packet);

/* True if the packet's number lacks octets. */
bool net_number_elided(const struct lowpan_packet *packet);

#endif
