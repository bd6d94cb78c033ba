/* IPsec with each peer. */
#ifndef MOTE_CORE_NET_PROTECT_H
#define MOTE_CORE_NET_PROTECT_H

#include <stdbool.h>
#include <stddef.h>

#include "mote/ipv6.h"
#include "mote/net.h"

/* Protects the packet in queue entry `*at` if the policy for `dst` requires it. `*at` becomes the
 * entry of the result. Returns the packet's length, or an error. */
int net_protect(struct net *net, int *at, size_t len, const struct ipv6_address *dst);

/*
 * Opens every layer that was agreed with the packet's source. `*at` becomes the entry of the
 * result. Returns the packet's length and whether it was protected, or an error, which is counted.
 * MOTE_E_STATE for AH or ESP without an association. A mote without any association leaves AH and
 * ESP unchanged.
 */
int net_unprotect(struct net *net, int *at, size_t len, bool *was_protected);

#endif
