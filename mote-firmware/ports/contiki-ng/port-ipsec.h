/* ESP and AH at Contiki-NG's hook for IP packets, with persistent sequence numbers. */
#ifndef MOTE_PORTS_CONTIKI_NG_PORT_IPSEC_H
#define MOTE_PORTS_CONTIKI_NG_PORT_IPSEC_H

/* Reads the counters and installs the hook. To be called before the first packet. */
void port_ipsec_start(void);

/* Notes that no packet is being forwarded any more. To be called after each frame. */
void port_ipsec_settle(void);

#endif
