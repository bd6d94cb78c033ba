/* The fields of compressed AH and ESP, inline because an image links only the forms that it uses.
 * `low` is the number of low octets that are left of the sequence number; 0: it is whole. */
#ifndef MOTE_CORE_NHC_FORMS_H
#define MOTE_CORE_NHC_FORMS_H

#include "mote/ipv6.h"
#include "nhc_ipsec.h"

enum {
    AH_PL = 0x08,
    AH_SPI = 0x04,
    AH_FIXED = 12,     /* octets before the ICV */
    AH_DEFAULT_PL = 4, /* 24 octets: an ICV of 12 */
    ESP_SPI_SHIFT = 2,
    SN_LONG = 0x02,
    NEXT_COMPRESSED = 0x01,
    DEFAULT_SPI = 1
};

/* Reads the low `count` octets of a field; elided high octets are 0. */
static inline uint32_t read_low(struct reader *in, size_t count)
{
    uint32_t value = 0;
    for (; count > 0; count--)
        value = value << 8 | reader_u8(in);
    return value;
}

static inline void write_low(struct writer *out, uint32_t value, size_t count)
{
    for (; count > 0; count--)
        writer_u8(out, (uint8_t)(value >> (8 * (count - 1))));
}

static inline size_t sequence_octets(unsigned nhc, bool elided)
{
    size_t octets = (nhc & SN_LONG) != 0 ? 4 : 2;
    return elided ? octets / 2 : octets;
}

static inline unsigned sequence_form(uint32_t sequence, size_t low)
{
    if (low == 0)
        return sequence > UINT16_MAX ? SN_LONG : 0U;
    return low == 2 ? SN_LONG : 0U;
}

static inline int ah_read(struct reader *in, uint8_t nhc, bool elided, struct writer *out,
                          struct nhc_ipsec_next *after)
{
    *after = (struct nhc_ipsec_next){.pending = (nhc & NEXT_COMPRESSED) != 0};
    uint8_t next = after->pending ? 0 : reader_u8(in);
    uint8_t length = (nhc & AH_PL) != 0 ? reader_u8(in) : AH_DEFAULT_PL;
    uint32_t spi = (nhc & AH_SPI) != 0 ? reader_u32(in) : DEFAULT_SPI;
    uint32_t sequence = read_low(in, sequence_octets(nhc, elided));
    if (in->failed)
        return MOTE_E_SHORT;
    if (length < 1) /* RFC 4302 section 2.2: at least the fixed part */
        return MOTE_E_MALFORMED;
    size_t icv_len = (length + 2U) * 4U - AH_FIXED;
    const uint8_t *icv = reader_take(in, icv_len);
    if (icv == NULL)
        return MOTE_E_SHORT;
    after->next_at = out->len;
    writer_u8(out, next);
    writer_u8(out, length);
    writer_u16(out, 0);
    writer_u32(out, spi);
    writer_u32(out, sequence);
    writer_bytes(out, icv, icv_len);
    return MOTE_OK;
}

/* The inline octets of ESP's SPI: 0 (SPI 1), or its low 1, 2 or 4. */
static inline size_t spi_octets(unsigned nhc)
{
    unsigned form = nhc >> ESP_SPI_SHIFT & 3U;
    return form == 3 ? 4 : form;
}

/* With NH, a compressed header would be in the ciphertext, which no other host supports. */
static inline int esp_read(struct reader *in, uint8_t nhc, unsigned refused, bool elided,
                           struct writer *out, struct nhc_ipsec_next *after)
{
    size_t octets = spi_octets(nhc);
    uint32_t spi = octets == 0 ? DEFAULT_SPI : read_low(in, octets);
    uint32_t sequence = read_low(in, sequence_octets(nhc, elided));
    *after = (struct nhc_ipsec_next){0};
    if (in->failed)
        return MOTE_E_SHORT;
    if ((nhc & (refused | NEXT_COMPRESSED)) != 0)
        return MOTE_E_UNSUPPORTED;
    writer_u32(out, spi);
    writer_u32(out, sequence);
    return MOTE_OK;
}

static inline size_t esp_size(struct reader in)
{
    return in.left >= 8 ? 8 : 0;
}

static inline size_t ah_size(struct reader in)
{
    reader_u8(&in);
    uint8_t length = reader_u8(&in);
    uint16_t reserved = reader_u16(&in);
    size_t size = (length + 2U) * 4U;
    bool exact = length >= 1 && reserved == 0 && !in.failed && in.left >= size - 4;
    return exact ? size : 0;
}

static inline void ah_write(struct reader *in, bool more, size_t low, struct writer *out)
{
    uint8_t next = reader_u8(in);
    uint8_t length = reader_u8(in);
    reader_u16(in);
    uint32_t spi = reader_u32(in);
    uint32_t sequence = reader_u32(in);
    unsigned nhc = NHC_IDENTIFIER_AH | (low == 0 ? NHC_FORM : 0U);
    nhc |= length != AH_DEFAULT_PL ? AH_PL : 0U;
    nhc |= spi != DEFAULT_SPI ? AH_SPI : 0U;
    nhc |= sequence_form(sequence, low);
    nhc |= more ? NEXT_COMPRESSED : 0U;
    writer_u8(out, NHC_IPSEC_AH);
    writer_u8(out, (uint8_t)nhc);
    if (!more)
        writer_u8(out, next);
    if (length != AH_DEFAULT_PL)
        writer_u8(out, length);
    if (spi != DEFAULT_SPI)
        writer_u32(out, spi);
    write_low(out, sequence, sequence_octets(nhc, low > 0));
    size_t icv_len = (length + 2U) * 4U - AH_FIXED;
    writer_bytes(out, reader_take(in, icv_len), icv_len);
}

/* ESP ends the chain: the headers after it are encrypted. */
static inline void esp_write(struct reader *in, size_t low, struct writer *out)
{
    uint32_t spi = reader_u32(in);
    uint32_t sequence = reader_u32(in);
    unsigned form = 0U + (spi != DEFAULT_SPI) + (spi > UINT8_MAX) + (spi > UINT16_MAX);
    unsigned nhc = NHC_IDENTIFIER_ESP | (low > 0 ? NHC_FORM : 0U) | form << ESP_SPI_SHIFT;
    nhc |= sequence_form(sequence, low);
    writer_u8(out, NHC_IPSEC_ESP);
    writer_u8(out, (uint8_t)nhc);
    write_low(out, spi, spi_octets(nhc));
    write_low(out, sequence, sequence_octets(nhc, low > 0));
}

#endif
