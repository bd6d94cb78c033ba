#ifndef MOTE_PORTS_CONTIKI_NG_ZEP_RADIO_H
#define MOTE_PORTS_CONTIKI_NG_ZEP_RADIO_H

#include "contiki.h"
#include "dev/radio.h"

extern const struct radio_driver zep_radio_driver;

#endif
