#ifndef MOTE_PORTS_CONTIKI_NG_PORT_SLEEPY_H
#define MOTE_PORTS_CONTIKI_NG_PORT_SLEEPY_H

#include <stdbool.h>

#include "net/netstack.h"

extern const struct mac_driver mote_sleepy_mac_driver;

/* Sets whether the application needs the radio. A router leaves it on. */
void port_awake(bool awake);

#endif
