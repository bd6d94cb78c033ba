/* AH and ESP whose sequence number may lack its upper octets. Each object reads all forms and
 * writes one. */
#include "mote/ipv6.h"
#include "nhc_forms.h"
#include "nhc_ipsec.h"

/* The flag for the low octets that the number has; the receiver restores the others. */
static uint8_t low_octets(bool elided, unsigned nhc)
{
    if (!elided)
        return 0;
    return (nhc & SN_LONG) != 0 ? LOWPAN_LOW_2 : LOWPAN_LOW_1;
}

static int read_ah(struct reader *in, uint8_t nhc, struct writer *out, struct nhc_ipsec_next *after)
{
    bool elided = (nhc & NHC_FORM) == 0;
    int error = ah_read(in, nhc, elided, out, after);
    after->low = low_octets(elided, nhc);
    return error;
}

static int read_esp(struct reader *in, uint8_t nhc, struct writer *out,
                    struct nhc_ipsec_next *after)
{
    bool elided = (nhc & NHC_FORM) != 0;
    int error = esp_read(in, nhc, 0, elided, out, after);
    after->low = low_octets(elided, nhc);
    return error;
}

static void write_ah_whole(struct reader in, bool more, struct writer *out)
{
    ah_write(&in, more, 0, out);
}

static void write_ah_low_1(struct reader in, bool more, struct writer *out)
{
    ah_write(&in, more, 1, out);
}

static void write_ah_low_2(struct reader in, bool more, struct writer *out)
{
    ah_write(&in, more, 2, out);
}

static void write_esp_whole(struct reader in, bool more, struct writer *out)
{
    (void)more;
    esp_write(&in, 0, out);
}

static void write_esp_low_1(struct reader in, bool more, struct writer *out)
{
    (void)more;
    esp_write(&in, 1, out);
}

static void write_esp_low_2(struct reader in, bool more, struct writer *out)
{
    (void)more;
    esp_write(&in, 2, out);
}

static const struct lowpan_nhc ah_forms[] = {
    {NEXT_AH, read_ah, ah_size, write_ah_whole},
    {NEXT_AH, read_ah, ah_size, write_ah_low_1},
    {NEXT_AH, read_ah, ah_size, write_ah_low_2},
};
static const struct lowpan_nhc esp_forms[] = {
    {NEXT_ESP, read_esp, esp_size, write_esp_whole},
    {NEXT_ESP, read_esp, esp_size, write_esp_low_1},
    {NEXT_ESP, read_esp, esp_size, write_esp_low_2},
};

void lowpan_elide(struct lowpan *lowpan, size_t low_ah, size_t low_esp)
{
    lowpan->ah = &ah_forms[low_ah];
    lowpan->esp = &esp_forms[low_esp];
}
