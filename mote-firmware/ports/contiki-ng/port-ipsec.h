/* ESP and AH at Contiki-NG's hook for IP packets, with persistent sequence numbers. */
#ifndef MOTE_PORTS_CONTIKI_NG_PORT_IPSEC_H
#define MOTE_PORTS_CONTIKI_NG_PORT_IPSEC_H

#include <stdbool.h>

#include "mote/ipv6.h"

/* Reads the counters and installs the hook. To be called before the first packet. */
void port_ipsec_start(void);

/* True if packets to and from the address are protected. */
bool port_ipsec_both_ways(const struct ipv6_address *address);

/* Notes that no packet is being forwarded any more. To be called after each frame. */
void port_ipsec_settle(void);

#endif
