/* The counter store of link security and IPsec, in two separate slots. */
#include <stdio.h>

#include "contiki-port.h"

static struct {
    struct storage storage;
    struct counter_store counters;
    bool opened;
    bool usable;
} kept;

struct counter_store *port_counters(void)
{
    if (!kept.opened) {
        kept.storage = port_storage(PORT_COUNTERS);
        kept.usable = counter_store_open(&kept.counters, &kept.storage) == MOTE_OK;
        kept.opened = true;
        if (!kept.usable)
            printf("the stored counters cannot be read: secured frames and packets are neither "
                   "sent nor accepted\n");
    }
    return kept.usable ? &kept.counters : NULL;
}

bool port_associations_are_new(void)
{
#if CONTIKI_TARGET_NATIVE
    return MOTE_CONF_NEW_SA || native_options()->new_sa;
#else
    return MOTE_CONF_NEW_SA;
#endif
}
