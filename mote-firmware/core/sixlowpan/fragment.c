/* Fragmentation (RFC 4944 section 5.3). Offsets count octets of the uncompressed packet. */
#include "mote/sixlowpan.h"

enum { DISPATCH_FRAG1 = 0xc000, DISPATCH_FRAGN = 0xe000, DATAGRAM_MAX = 0x7ff };

/* The end of the first fragment: a multiple of eight octets, at most LOWPAN_FIRST_MAX. */
static size_t first_end(const struct lowpan_sender *sender)
{
    size_t end = sender->covered + sender->payload_max - LOWPAN_FRAG1_SIZE - sender->headers_len;
    end = end > LOWPAN_FIRST_MAX ? LOWPAN_FIRST_MAX : end;
    return end / 8 * 8;
}

static size_t next_end(const struct lowpan_sender *sender, size_t sent)
{
    size_t end = sent + (sender->payload_max - LOWPAN_FRAGN_SIZE) / 8 * 8;
    return end > sender->len ? sender->len : end;
}

/* Compresses into at most `limit` octets. Sets `sendable` if the headers fit the first fragment. */
static int compress(struct lowpan_sender *sender, const struct lowpan *lowpan,
                    const struct link_address *src, const struct link_address *dst, bool ipsec,
                    size_t limit, bool *sendable)
{
    int headers = lowpan_compress(lowpan, sender->packet, sender->len, src, dst, ipsec,
                                  sender->headers, limit, &sender->covered);
    if (headers < 0)
        return headers;
    sender->headers_len = (size_t)headers;
    sender->fragmented =
        sender->headers_len + (sender->len - sender->covered) > sender->payload_max;
    *sendable =
        !sender->fragmented || (sender->headers_len <= sender->payload_max - LOWPAN_FRAG1_SIZE &&
                                sender->covered <= first_end(sender));
    return MOTE_OK;
}

int lowpan_send_start(struct lowpan_sender *sender, const struct lowpan *lowpan,
                      const uint8_t *packet, size_t len, const struct link_address *src,
                      const struct link_address *dst, bool ipsec, size_t payload_max, uint16_t tag)
{
    bool sendable = false;
    size_t limit = payload_max;
    *sender = (struct lowpan_sender){
        .packet = packet, .len = len, .payload_max = payload_max, .tag = tag};
    if (len > DATAGRAM_MAX || payload_max > sizeof sender->headers ||
        payload_max < LOWPAN_FRAGN_SIZE + 8)
        return MOTE_E_SPACE;
    /* The first fragment must hold all compressed headers; headers that do not fit stay
     * uncompressed. Each iteration compresses fewer headers, so the loop ends. */
    while (!sendable) {
        int error = compress(sender, lowpan, src, dst, ipsec, limit, &sendable);
        if (error)
            return error;
        limit = sender->headers_len - 1;
    }
    return MOTE_OK;
}

static void write_first(struct lowpan_sender *sender, struct writer *w)
{
    writer_u16(w, (uint16_t)(DISPATCH_FRAG1 | sender->len));
    writer_u16(w, sender->tag);
    writer_bytes(w, sender->headers, sender->headers_len);
    size_t end = first_end(sender);
    writer_bytes(w, sender->packet + sender->covered, end - sender->covered);
    sender->sent = end;
}

static void write_following(struct lowpan_sender *sender, struct writer *w)
{
    size_t end = next_end(sender, sender->sent);
    writer_u16(w, (uint16_t)(DISPATCH_FRAGN | sender->len));
    writer_u16(w, sender->tag);
    writer_u8(w, (uint8_t)(sender->sent / 8));
    writer_bytes(w, sender->packet + sender->sent, end - sender->sent);
    sender->sent = end;
}

int lowpan_send_next(struct lowpan_sender *sender, uint8_t *out, size_t size)
{
    struct writer w;
    writer_init(&w, out, size);
    if (sender->sent == sender->len)
        return 0;
    if (!sender->fragmented) {
        writer_bytes(&w, sender->headers, sender->headers_len);
        writer_bytes(&w, sender->packet + sender->covered, sender->len - sender->covered);
        sender->sent = sender->len;
    } else if (sender->sent == 0) {
        write_first(sender, &w);
    } else {
        write_following(sender, &w);
    }
    return w.failed ? MOTE_E_SPACE : (int)writer_len(&w);
}

size_t lowpan_send_frames(const struct lowpan_sender *sender)
{
    size_t frames = 1;
    if (sender->fragmented)
        for (size_t end = first_end(sender); end < sender->len; frames++)
            end = next_end(sender, end);
    return frames;
}
