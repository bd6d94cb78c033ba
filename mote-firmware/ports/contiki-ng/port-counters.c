/* One counter store for what link security and IPsec count: it has two slots of its own. */
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
            printf("the counters cannot be read: nothing protected is sent or taken\n");
    }
    return kept.usable ? &kept.counters : NULL;
}
