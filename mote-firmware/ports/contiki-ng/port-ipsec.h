/* ESP and AH at Contiki-NG's hook for IP packets, with persistent sequence numbers. */
#ifndef MOTE_PORTS_CONTIKI_NG_PORT_IPSEC_H
#define MOTE_PORTS_CONTIKI_NG_PORT_IPSEC_H

/* Reads the counters and installs the hook; to be called before the first packet. */
void port_ipsec_start(void);

/* To be called after each frame: no packet is being forwarded any more. */
void port_ipsec_settle(void);

#endif
