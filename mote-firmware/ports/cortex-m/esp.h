/* ESP with AES-CTR and XCBC-96 towards the mirror, as a guard of the link. */
#ifndef MOTE_PORTS_CORTEX_M_ESP_H
#define MOTE_PORTS_CORTEX_M_ESP_H

#include "link.h"
#include "mote/ipsec.h"

struct esp {
    struct ipsec_sa out;
    struct ipsec_sa in;
};

/* `esp` is zeroed before. Keys, SPIs and the reserved numbers are those of nv.h. */
void esp_init(struct esp *esp);
struct link_guard esp_guard(struct esp *esp);

#endif
