/* Frame counters of Contiki-NG's link security; without a key these functions do nothing. */
#ifndef MOTE_PORTS_CONTIKI_NG_PORT_LLSEC_H
#define MOTE_PORTS_CONTIKI_NG_PORT_LLSEC_H

#include <stdbool.h>

/* To be called before the first frame. */
void port_llsec_start(void);

/* True if the verified frame in Contiki-NG's packet buffer is not a replay. Its counter is then
 * stored. */
bool port_llsec_is_new(void);

#endif
