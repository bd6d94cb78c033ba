/* ESP and AH at Contiki-NG's hook for IP packets, and the numbers that go with them. */
#ifndef MOTE_PORTS_CONTIKI_NG_PORT_IPSEC_H
#define MOTE_PORTS_CONTIKI_NG_PORT_IPSEC_H

/* Before the first packet: reads the counters, takes its place in the hook. */
void port_ipsec_start(void);

/* A frame has been dealt with: a packet that it brought is not under way any more. */
void port_ipsec_settle(void);

#endif
