#ifndef MOTE_PORTS_CONTIKI_NG_PORT_LOWPAN_H
#define MOTE_PORTS_CONTIKI_NG_PORT_LOWPAN_H

#include "net/netstack.h"

extern const struct network_driver mote_lowpan_driver;

#endif
