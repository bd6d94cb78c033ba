/* ESP with AES-CTR and XCBC-96 to the mirror, as a guard of the link. */
#ifndef MOTE_PORTS_CORTEX_M_ESP_H
#define MOTE_PORTS_CORTEX_M_ESP_H

#include "link.h"
#include "mote/ipsec.h"

enum esp_way { ESP_OUT, ESP_IN, ESP_WAYS };

struct esp {
    struct link_guard guard;
    struct ipsec_sa sa[ESP_WAYS];
};

/* `esp` must be zeroed. Keys, SPIs and sequence numbers are in nv.h. */
void esp_init(struct esp *esp);

#endif
