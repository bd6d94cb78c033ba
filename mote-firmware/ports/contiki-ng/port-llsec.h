/* Frame counters of Contiki-NG's link security; without a key nothing happens here. */
#ifndef MOTE_PORTS_CONTIKI_NG_PORT_LLSEC_H
#define MOTE_PORTS_CONTIKI_NG_PORT_LLSEC_H

#include <stdbool.h>

/* Before the first frame. */
void port_llsec_start(void);

/* Whether the verified frame in Contiki-NG's packet buffer was never heard before: then that is
 * saved. */
bool port_llsec_is_new(void);

#endif
