#include "nhc_ipsec.h"

#include "mote/ipv6.h"

enum {
    IDENTIFIER_AH = 0xd0,
    IDENTIFIER_ESP = 0xe0,
    AH_PL = 0x08,
    AH_SPI = 0x04,
    AH_FIXED = 12,     /* octets before the ICV */
    AH_DEFAULT_PL = 4, /* 24 octets: an ICV of 12 */
    ESP_SPI_SHIFT = 2,
    SN_LONG = 0x02,
    NEXT_COMPRESSED = 0x01,
    DEFAULT_SPI = 1
};

static uint32_t read_sequence(struct reader *in, uint8_t nhc)
{
    return (nhc & SN_LONG) != 0 ? reader_u32(in) : reader_u16(in);
}

static int read_ah(struct reader *in, struct writer *out, uint8_t nhc,
                   struct nhc_ipsec_place *place)
{
    place->pending = (nhc & NEXT_COMPRESSED) != 0;
    uint8_t next = place->pending ? 0 : reader_u8(in);
    uint8_t length = (nhc & AH_PL) != 0 ? reader_u8(in) : AH_DEFAULT_PL;
    uint32_t spi = (nhc & AH_SPI) != 0 ? reader_u32(in) : DEFAULT_SPI;
    uint32_t sequence = read_sequence(in, nhc);
    if (in->failed) {
        return MOTE_E_SHORT;
    }
    if (length < 1) { /* RFC 4302: at least the fixed part */
        return MOTE_E_MALFORMED;
    }
    size_t icv_len = (length + 2U) * 4U - AH_FIXED;
    const uint8_t *icv = reader_take(in, icv_len);
    if (icv == NULL) {
        return MOTE_E_SHORT;
    }
    place->next_at = out->len;
    writer_u8(out, next);
    writer_u8(out, length);
    writer_u16(out, 0);
    writer_u32(out, spi);
    writer_u32(out, sequence);
    writer_bytes(out, icv, icv_len);
    return MOTE_OK;
}

static uint32_t read_esp_spi(struct reader *in, unsigned form)
{
    switch (form) {
    case 1:
        return reader_u8(in);
    case 2:
        return reader_u16(in);
    case 3:
        return reader_u32(in);
    default:
        return DEFAULT_SPI;
    }
}

static int read_esp(struct reader *in, struct writer *out, uint8_t nhc,
                    struct nhc_ipsec_place *place)
{
    /* A compressed next header lies inside the ciphertext: only the SA's end can tell. */
    if ((nhc & NEXT_COMPRESSED) != 0) {
        return MOTE_E_UNSUPPORTED;
    }
    uint32_t spi = read_esp_spi(in, nhc >> ESP_SPI_SHIFT & 3);
    uint32_t sequence = read_sequence(in, nhc);
    if (in->failed) {
        return MOTE_E_SHORT;
    }
    *place = (struct nhc_ipsec_place){.pending = false};
    writer_u32(out, spi);
    writer_u32(out, sequence);
    return MOTE_OK;
}

int nhc_ipsec_read(struct reader *in, struct writer *out, uint8_t *protocol,
                   struct nhc_ipsec_place *place)
{
    /* The identifier nibble decides, not the EID: the first implementation sent 0xEB for both. */
    uint8_t nhc = reader_u8(in);
    if (in->failed) {
        return MOTE_E_SHORT;
    }
    switch (nhc & 0xf0) {
    case IDENTIFIER_AH:
        *protocol = NEXT_AH;
        return read_ah(in, out, nhc, place);
    case IDENTIFIER_ESP:
        *protocol = NEXT_ESP;
        return read_esp(in, out, nhc, place);
    default:
        return MOTE_E_UNSUPPORTED;
    }
}

size_t nhc_ipsec_size(uint8_t protocol, struct reader in)
{
    if (protocol == NEXT_ESP) {
        return in.left >= 8 ? 8 : 0;
    }
    reader_u8(&in);
    uint8_t length = reader_u8(&in);
    uint16_t reserved = reader_u16(&in);
    size_t size = (length + 2U) * 4U;
    bool exact = length >= 1 && reserved == 0 && !in.failed && in.left >= size - 4;
    return exact ? size : 0;
}

static void write_ah(struct reader in, bool more, struct writer *out)
{
    uint8_t next = reader_u8(&in);
    uint8_t length = reader_u8(&in);
    reader_u16(&in);
    uint32_t spi = reader_u32(&in);
    uint32_t sequence = reader_u32(&in);
    unsigned nhc = IDENTIFIER_AH;
    nhc |= length != AH_DEFAULT_PL ? AH_PL : 0U;
    nhc |= spi != DEFAULT_SPI ? AH_SPI : 0U;
    nhc |= sequence > UINT16_MAX ? SN_LONG : 0U;
    nhc |= more ? NEXT_COMPRESSED : 0U;
    writer_u8(out, NHC_IPSEC_AH);
    writer_u8(out, (uint8_t)nhc);
    if (!more) {
        writer_u8(out, next);
    }
    if (length != AH_DEFAULT_PL) {
        writer_u8(out, length);
    }
    if (spi != DEFAULT_SPI) {
        writer_u32(out, spi);
    }
    if (sequence > UINT16_MAX) {
        writer_u32(out, sequence);
    } else {
        writer_u16(out, (uint16_t)sequence);
    }
    size_t icv_len = (length + 2U) * 4U - AH_FIXED;
    writer_bytes(out, reader_take(&in, icv_len), icv_len);
}

static void write_esp(struct reader in, struct writer *out)
{
    uint32_t spi = reader_u32(&in);
    uint32_t sequence = reader_u32(&in);
    unsigned form = spi == DEFAULT_SPI ? 0 : spi <= UINT8_MAX ? 1 : spi <= UINT16_MAX ? 2 : 3;
    writer_u8(out, NHC_IPSEC_ESP);
    writer_u8(out, (uint8_t)(IDENTIFIER_ESP | form << ESP_SPI_SHIFT |
                             (sequence > UINT16_MAX ? SN_LONG : 0U)));
    if (form == 1) {
        writer_u8(out, (uint8_t)spi);
    } else if (form == 2) {
        writer_u16(out, (uint16_t)spi);
    } else if (form == 3) {
        writer_u32(out, spi);
    }
    if (sequence > UINT16_MAX) {
        writer_u32(out, sequence);
    } else {
        writer_u16(out, (uint16_t)sequence);
    }
}

void nhc_ipsec_write(uint8_t protocol, struct reader in, bool more, struct writer *out)
{
    if (protocol == NEXT_AH) {
        write_ah(in, more, out);
    } else {
        write_esp(in, out);
    }
}
