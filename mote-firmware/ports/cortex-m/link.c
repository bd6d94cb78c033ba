#include "link.h"

#include <string.h>

#include "mote/ieee802154.h"

void link_init(struct link *link, const struct frame_radio *radio, const struct link_guard *guard,
               const uint8_t own[EUI64_SIZE], const uint8_t peer[EUI64_SIZE], uint16_t first)
{
    memset(link, 0, sizeof *link);
    link->radio = radio;
    link->guard = guard;
    link->own = link_extended(own);
    link->peer = link_extended(peer);
    link->own_ip = ipv6_link_local(&link->own);
    link->peer_ip = ipv6_link_local(&link->peer);
#ifdef GUARD_AH
    link->lowpan.ah = guard->nhc;
#else
    link->lowpan.esp = guard != NULL ? guard->nhc : NULL;
#endif
    lowpan_receiver_init(&link->receiver, link->slots, LINK_SLOTS, link->datagrams[0],
                         LINK_PACKET_MAX, link->single, sizeof link->single);
    link->tag = first;
    link->seq = (uint8_t)first;
}

static int send_frames(struct link *link, const uint8_t *packet, size_t len)
{
    struct lowpan_sender sender;
    struct frame frame;
    uint8_t payload[FRAME_MAX];
    uint8_t psdu[FRAME_MAX];
    int part;
    int error;

    frame_data(&frame, LINK_PAN, &link->peer, &link->own, 0);
    error = lowpan_send_start(&sender, &link->lowpan, packet, len, &link->own, &link->peer,
                              link->guard != NULL,
                              FRAME_MAX - FRAME_FCS_SIZE - frame_overhead(&frame), link->tag++);
    if (error != MOTE_OK)
        return error;
    while ((part = lowpan_send_next(&sender, payload, sizeof payload)) > 0) {
        frame_data(&frame, LINK_PAN, &link->peer, &link->own, ++link->seq);
        frame.payload = payload;
        frame.payload_len = (size_t)part;
        int written = frame_write(&frame, psdu, FRAME_MAX - FRAME_FCS_SIZE);
        if (written < 0)
            return written;
        /* A datagram without this fragment cannot be reassembled. */
        error = link->radio->transmit(link->radio->context, psdu, (size_t)written);
        if (error != MOTE_OK)
            return error;
    }
    return part;
}

static int guarded(struct link *link, const uint8_t *packet, size_t len)
{
    uint8_t sealed[LINK_PACKET_MAX];
    int n = link->guard->seal(link->guard->context, packet, len, sealed, sizeof sealed);

    return n < 0 ? n : send_frames(link, sealed, (size_t)n);
}

static int send(void *context, const uint8_t *datagram, size_t len)
{
    struct link *link = context;
    uint8_t packet[LINK_PACKET_MAX];
    const struct udp udp = {LINK_PORT, LINK_PORT, datagram, len};
    int n = ipv6_udp_packet(&udp, &link->own_ip, &link->peer_ip, packet, sizeof packet);

    if (n < 0)
        return MOTE_E_IO;
    n = link->guard == NULL ? send_frames(link, packet, (size_t)n)
                            : guarded(link, packet, (size_t)n);
    return n == MOTE_OK ? MOTE_OK : MOTE_E_IO;
}

struct wire link_wire(struct link *link)
{
    return (struct wire){.send = send, .context = link};
}

static size_t datagram_of(const struct link *link, const uint8_t *packet, size_t len,
                          const uint8_t **datagram)
{
    struct ipv6_upper upper;
    struct udp udp;

    if (ipv6_find_upper(&upper, packet, len) != MOTE_OK || upper.fragment ||
        upper.protocol != NEXT_UDP || !ipv6_equal(&upper.src, &link->peer_ip) ||
        !ipv6_equal(&upper.dst, &link->own_ip) || udp_parse(&udp, &upper, packet) != MOTE_OK ||
        udp.src_port != LINK_PORT || udp.dst_port != LINK_PORT)
        return 0;
    *datagram = udp.payload;
    return udp.payload_len;
}

/* Opens a packet in place; the result is shorter. It is a separate function, so that its stack is
 * free while the datagram is handled. */
__attribute__((noinline)) static size_t unguard(const struct link *link, uint8_t *packet,
                                                size_t len)
{
    uint8_t opened[LINK_PACKET_MAX];
    int n = link->guard->open(link->guard->context, packet, len, opened, sizeof opened);

    if (n <= 0 || (size_t)n > len)
        return 0;
    memcpy(packet, opened, (size_t)n);
    return (size_t)n;
}

/* True for a data frame from the mirror to this node that is not a duplicate. */
static bool is_new(struct link *link, const struct frame *frame, uint32_t now)
{
    bool repeated =
        link->heard && link->heard_seq == frame->seq && now - link->heard_at < LINK_REPETITION_MS;

    if (frame->type != FRAME_DATA || frame->secured || !link_equal(&frame->dst, &link->own) ||
        !link_equal(&frame->src, &link->peer))
        return false;
    link->heard = true;
    link->heard_seq = frame->seq;
    link->heard_at = now;
    return !repeated;
}

size_t link_receive(struct link *link, const uint8_t *psdu, size_t len, uint32_t now,
                    const uint8_t **datagram)
{
    struct lowpan_packet packet = {.data = NULL};
    struct frame frame;

    if (frame_parse(&frame, psdu, len) != MOTE_OK || !is_new(link, &frame, now) ||
        lowpan_receive(&link->receiver, &link->lowpan, frame.payload, frame.payload_len, &frame.src,
                       &frame.dst, now, &packet) != MOTE_OK ||
        packet.data == NULL)
        return 0;
    if (link->guard != NULL)
        packet.len = unguard(link, packet.data, packet.len);
    return packet.len == 0 ? 0 : datagram_of(link, packet.data, packet.len, datagram);
}
