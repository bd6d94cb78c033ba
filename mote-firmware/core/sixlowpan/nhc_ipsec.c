/* AH and ESP with whole sequence numbers. */
#include "nhc_ipsec.h"

#include "mote/ipv6.h"
#include "nhc_forms.h"

static int read_ah(struct reader *in, uint8_t nhc, struct writer *out, struct nhc_ipsec_next *after)
{
    return (nhc & NHC_FORM) == 0 ? MOTE_E_UNSUPPORTED : ah_read(in, nhc, false, out, after);
}

static int read_esp(struct reader *in, uint8_t nhc, struct writer *out,
                    struct nhc_ipsec_next *after)
{
    return esp_read(in, nhc, NHC_FORM, false, out, after);
}

static void write_ah(struct reader in, bool more, struct writer *out)
{
    ah_write(&in, more, 0, out);
}

static void write_esp(struct reader in, bool more, struct writer *out)
{
    (void)more;
    esp_write(&in, 0, out);
}

const struct lowpan_nhc lowpan_nhc_ah = {NEXT_AH, read_ah, ah_size, write_ah};
const struct lowpan_nhc lowpan_nhc_esp = {NEXT_ESP, read_esp, esp_size, write_esp};

const struct lowpan_nhc *nhc_ipsec_find(const struct lowpan *lowpan, uint8_t nhc)
{
    switch (nhc & NHC_IDENTIFIER) {
    case NHC_IDENTIFIER_AH:
        return lowpan->ah;
    case NHC_IDENTIFIER_ESP:
        return lowpan->esp;
    default:
        return NULL;
    }
}
