/* The codec of frame control field, addressing fields and auxiliary security header. */
#include "mote/ieee802154.h"

#include <string.h>

enum {
    CONTROL_TYPE = 0x0007,
    CONTROL_SECURED = 0x0008,
    CONTROL_PENDING = 0x0010,
    CONTROL_ACK = 0x0020,
    CONTROL_PAN_COMPRESSION = 0x0040,
    CONTROL_NO_SEQ = 0x0100,   /* version 2 only */
    CONTROL_ELEMENTS = 0x0200, /* version 2 only */
    CONTROL_DST_SHIFT = 10,
    CONTROL_VERSION_SHIFT = 12,
    CONTROL_SRC_SHIFT = 14,

    SECURITY_KEY_MODE_SHIFT = 3,
    SECURITY_RESERVED = 0xe0 /* version 2: frame counter suppression, ASN in the nonce */
};

static const uint8_t address_sizes[4] = {LINK_NONE, 0xff, LINK_SHORT, LINK_EXTENDED};

static unsigned address_mode(uint8_t size)
{
    return size == LINK_EXTENDED ? 3 : size == LINK_SHORT ? 2 : 0;
}

static void reverse_copy(uint8_t *to, const uint8_t *from, size_t len)
{
    for (size_t i = 0; i < len; i++)
        to[i] = from[len - 1 - i];
}

static void read_reversed(struct reader *r, uint8_t *out, size_t len)
{
    const uint8_t *from = reader_take(r, len);
    if (from != NULL)
        reverse_copy(out, from, len);
}

static void write_reversed(struct writer *w, const uint8_t *from, size_t len)
{
    uint8_t *to = writer_take(w, len);
    if (to != NULL)
        reverse_copy(to, from, len);
}

static int read_control(struct frame *frame, uint16_t control)
{
    frame->type = (uint8_t)(control & CONTROL_TYPE);
    frame->secured = (control & CONTROL_SECURED) != 0;
    frame->pending = (control & CONTROL_PENDING) != 0;
    frame->ack_request = (control & CONTROL_ACK) != 0;
    frame->pan_compression = (control & CONTROL_PAN_COMPRESSION) != 0;
    frame->version = (uint8_t)(control >> CONTROL_VERSION_SHIFT & 3);
    frame->dst.size = address_sizes[control >> CONTROL_DST_SHIFT & 3];
    frame->src.size = address_sizes[control >> CONTROL_SRC_SHIFT & 3];
    frame->has_seq = frame->version < 2 || (control & CONTROL_NO_SEQ) == 0;
    if (frame->version == 3 || frame->type > FRAME_COMMAND)
        return MOTE_E_UNSUPPORTED;
    if (frame->dst.size == 0xff || frame->src.size == 0xff)
        return MOTE_E_MALFORMED;
    if (frame->version == 2 && (control & CONTROL_ELEMENTS) != 0)
        return MOTE_E_UNSUPPORTED;
    if (frame->version == 0 && frame->secured)
        return MOTE_E_UNSUPPORTED; /* the security suites of 2003, which 2006 replaced */
    return MOTE_OK;
}

/* The PAN ids present in a header of version 2: IEEE 802.15.4-2015 table 7-2. */
static void find_pans_2015(struct frame *frame)
{
    bool dst = frame->dst.size != LINK_NONE;
    bool src = frame->src.size != LINK_NONE;
    bool both_extended = frame->dst.size == LINK_EXTENDED && frame->src.size == LINK_EXTENDED;
    bool compressed = frame->pan_compression;
    if (!dst && !src) {
        frame->has_dst_pan = compressed;
        frame->has_src_pan = false;
    } else if (both_extended) {
        frame->has_dst_pan = !compressed;
        frame->has_src_pan = false;
    } else {
        frame->has_dst_pan = dst && (src || !compressed);
        frame->has_src_pan = src && !compressed;
    }
}

static int find_pans(struct frame *frame)
{
    bool both = frame->dst.size != LINK_NONE && frame->src.size != LINK_NONE;
    if (frame->version == 2) {
        find_pans_2015(frame);
        return MOTE_OK;
    }
    if (frame->pan_compression && !both)
        return MOTE_E_MALFORMED;
    frame->has_dst_pan = frame->dst.size != LINK_NONE;
    frame->has_src_pan = frame->src.size != LINK_NONE && !frame->pan_compression;
    return MOTE_OK;
}

static void read_addresses(struct frame *frame, struct reader *r)
{
    frame->dst_pan = frame->has_dst_pan ? reader_u16_le(r) : 0;
    read_reversed(r, frame->dst.octets, frame->dst.size);
    frame->src_pan = frame->has_src_pan ? reader_u16_le(r) : frame->dst_pan;
    read_reversed(r, frame->src.octets, frame->src.size);
}

static size_t key_source_size(uint8_t key_mode)
{
    return key_mode == 3 ? 8 : key_mode == 2 ? 4 : 0;
}

static int read_security(struct frame *frame, struct reader *r)
{
    struct frame_security *security = &frame->security;
    uint8_t control = reader_u8(r);
    security->level = control & 7;
    security->key_mode = control >> SECURITY_KEY_MODE_SHIFT & 3;
    if ((control & SECURITY_RESERVED) != 0)
        return MOTE_E_UNSUPPORTED;
    security->counter = reader_u32_le(r);
    read_reversed(r, security->key_source, key_source_size(security->key_mode));
    if (security->key_mode > 0)
        security->key_index = reader_u8(r);
    if (!r->failed && security->counter == UINT32_MAX)
        return MOTE_E_MALFORMED;
    return MOTE_OK;
}

int frame_parse(struct frame *frame, const uint8_t *psdu, size_t len)
{
    struct reader r;
    memset(frame, 0, sizeof *frame);
    reader_init(&r, psdu, len);
    uint16_t control = reader_u16_le(&r);
    if (r.failed)
        return MOTE_E_SHORT;
    int error = read_control(frame, control);
    if (!error)
        error = find_pans(frame);
    if (error)
        return error;
    frame->seq = frame->has_seq ? reader_u8(&r) : 0;
    read_addresses(frame, &r);
    if (frame->secured) {
        error = read_security(frame, &r);
        frame->mic_len = frame_mic_size(frame->security.level);
    }
    if (error)
        return error;
    if (r.failed || r.left < frame->mic_len)
        return MOTE_E_SHORT;
    frame->header_len = len - r.left;
    frame->payload_len = r.left - frame->mic_len;
    frame->payload = reader_take(&r, frame->payload_len);
    frame->mic = reader_take(&r, frame->mic_len);
    return MOTE_OK;
}

static uint16_t control_field(const struct frame *frame)
{
    unsigned control = frame->type;
    control |= frame->secured ? CONTROL_SECURED : 0U;
    control |= frame->pending ? CONTROL_PENDING : 0U;
    control |= frame->ack_request ? CONTROL_ACK : 0U;
    control |= frame->pan_compression ? CONTROL_PAN_COMPRESSION : 0U;
    control |= frame->has_seq ? 0U : CONTROL_NO_SEQ;
    control |= address_mode(frame->dst.size) << CONTROL_DST_SHIFT;
    control |= (unsigned)frame->version << CONTROL_VERSION_SHIFT;
    control |= address_mode(frame->src.size) << CONTROL_SRC_SHIFT;
    return (uint16_t)control;
}

static void write_security(const struct frame_security *security, struct writer *w)
{
    writer_u8(w, (uint8_t)(security->level | security->key_mode << SECURITY_KEY_MODE_SHIFT));
    writer_u32_le(w, security->counter);
    write_reversed(w, security->key_source, key_source_size(security->key_mode));
    if (security->key_mode > 0)
        writer_u8(w, security->key_index);
}

int frame_write(struct frame *frame, uint8_t *out, size_t size)
{
    struct writer w;
    int error = find_pans(frame);
    if (error)
        return error;
    writer_init(&w, out, size);
    writer_u16_le(&w, control_field(frame));
    if (frame->has_seq)
        writer_u8(&w, frame->seq);
    if (frame->has_dst_pan)
        writer_u16_le(&w, frame->dst_pan);
    write_reversed(&w, frame->dst.octets, frame->dst.size);
    if (frame->has_src_pan)
        writer_u16_le(&w, frame->src_pan);
    write_reversed(&w, frame->src.octets, frame->src.size);
    if (frame->secured)
        write_security(&frame->security, &w);
    frame->header_len = writer_len(&w);
    writer_bytes(&w, frame->payload, frame->payload_len);
    return w.failed ? MOTE_E_SPACE : (int)writer_len(&w);
}

void frame_data(struct frame *frame, uint16_t pan, const struct link_address *dst,
                const struct link_address *src, uint8_t seq)
{
    *frame = (struct frame){
        .type = FRAME_DATA,
        .version = 1,
        .ack_request = !link_is_broadcast(dst),
        .pan_compression = true,
        .has_seq = true,
        .seq = seq,
        .dst_pan = pan,
        .src_pan = pan,
        .dst = *dst,
        .src = *src,
    };
}

void frame_ack(uint8_t seq, uint8_t out[FRAME_ACK_SIZE])
{
    out[0] = FRAME_ACK;
    out[1] = 0;
    out[2] = seq;
}

size_t frame_overhead(const struct frame *frame)
{
    uint8_t scratch[64]; /* the longest header has 3 + 20 + 14 octets */
    struct frame copy = *frame;
    copy.payload_len = 0;
    int len = frame_write(&copy, scratch, sizeof scratch);
    size_t mic = frame->secured ? frame_mic_size(frame->security.level) : 0;
    return len < 0 ? FRAME_MAX : (size_t)len + mic;
}
