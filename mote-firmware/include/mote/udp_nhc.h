/*
 * The compressed UDP header, LOWPAN_NHC of RFC 6282 section 4.3: in 6LoWPAN, and inside ESP where
 * an association agrees on it (docs/protocol.md section 10). The functions are inline because the
 * smallest image has one caller of each.
 */
#ifndef MOTE_UDP_NHC_H
#define MOTE_UDP_NHC_H

#include "mote/base.h"

enum {
    NHC_UDP = 0xf0, /* 1111 0 C P */
    NHC_UDP_CHECKSUM_ELIDED = 0x04,
    NHC_UDP_MAX = 7, /* octets of the longest form */
    UDP_PORT_8_BITS = 0xf000,
    UDP_PORT_4_BITS = 0xf0b0
};

/* Writes the compressed form of the UDP header at `r`, with its checksum. */
static inline void udp_nhc_write(struct writer *w, struct reader r)
{
    uint16_t src = reader_u16(&r);
    uint16_t dst = reader_u16(&r);
    reader_u16(&r);
    uint16_t checksum = reader_u16(&r);
    bool src_8 = (src & 0xff00) == UDP_PORT_8_BITS;
    bool dst_8 = (dst & 0xff00) == UDP_PORT_8_BITS;
    if ((src & 0xfff0) == UDP_PORT_4_BITS && (dst & 0xfff0) == UDP_PORT_4_BITS) {
        writer_u8(w, NHC_UDP | 3);
        writer_u8(w, (uint8_t)((src & 15) << 4 | (dst & 15)));
    } else if (src_8 && !dst_8) {
        writer_u8(w, NHC_UDP | 2);
        writer_u8(w, (uint8_t)src);
        writer_u16(w, dst);
    } else {
        writer_u8(w, (uint8_t)(NHC_UDP | (dst_8 ? 1U : 0U)));
        writer_u16(w, src);
        if (dst_8)
            writer_u8(w, (uint8_t)dst);
        else
            writer_u16(w, dst);
    }
    writer_u16(w, checksum);
}

/* Reads the ports after the NHC octet, whose low two bits are `form`. */
static inline void udp_nhc_read_ports(struct reader *in, unsigned form, uint16_t *src,
                                      uint16_t *dst)
{
    if (form == 3) {
        uint8_t both = reader_u8(in);
        *src = (uint16_t)(UDP_PORT_4_BITS | both >> 4);
        *dst = (uint16_t)(UDP_PORT_4_BITS | (both & 15));
        return;
    }
    *src = form == 2 ? (uint16_t)(UDP_PORT_8_BITS | reader_u8(in)) : reader_u16(in);
    *dst = form == 1 ? (uint16_t)(UDP_PORT_8_BITS | reader_u8(in)) : reader_u16(in);
}

#endif
