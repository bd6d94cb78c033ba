/* The packet queue. Entries are named by their index; -1 stands for none. */
#ifndef MOTE_CORE_NET_QUEUE_H
#define MOTE_CORE_NET_QUEUE_H

#include <stddef.h>

#include "mote/link_address.h"
#include "mote/net.h"

/* Reserves a free entry; -1 (and counted) if there is none. */
int net_queue_take(struct net *net);

/* Makes the packet of `len` octets in entry `at` ready for transmission to `to`. */
void net_queue_send(struct net *net, int at, size_t len, const struct link_address *to);

/* Frees an entry; does nothing for -1. */
void net_queue_free(struct net *net, int at);

/* The entry that has been ready for the longest time, or -1. */
int net_queue_oldest(const struct net *net);

#endif
