#include "radio_link.h"

#include <string.h>

/* ---- sending ---- */

static void drop_first(struct radio_link *radio)
{
    radio->sending = false;
    radio->queued--;
    memmove(&radio->queue[0], &radio->queue[1], radio->queued * sizeof radio->queue[0]);
}

static bool begin_packet(struct radio_link *radio)
{
    const struct radio_packet *packet = &radio->queue[0];

    radio->sending =
        lowpan_send_start(&radio->sender, &radio->lowpan, packet->octets, packet->len, &radio->own,
                          &radio->peer, false, mac_payload_max(&radio->mac, &radio->peer),
                          radio->tag++) == MOTE_OK;
    return radio->sending;
}

/* Passes the next frame to the MAC if it is idle; false if there is none. */
static bool send_next(struct radio_link *radio, uint64_t now)
{
    uint8_t payload[FRAME_MAX];
    int len;

    if (radio->queued == 0)
        return false;
    if (!radio->sending && !begin_packet(radio)) {
        drop_first(radio);
        return true;
    }
    len = lowpan_send_next(&radio->sender, payload, sizeof payload);
    if (len <= 0 || mac_send(&radio->mac, &radio->peer, payload, (size_t)len, now) != MOTE_OK)
        drop_first(radio);
    return true;
}

static uint64_t radio_tick(void *context, uint64_t now)
{
    struct radio_link *radio = context;
    uint64_t hello_at = zep_tick(&radio->zep, now);
    uint64_t at = mac_tick(&radio->mac, now);

    while (radio->mac.state == MAC_IDLE || radio->mac.state == MAC_DONE ||
           radio->mac.state == MAC_FAILED) {
        /* A datagram without this fragment cannot be reassembled; CoAP retransmits. */
        if (radio->mac.state == MAC_FAILED)
            drop_first(radio);
        mac_idle(&radio->mac);
        if (!send_next(radio, now))
            break;
        at = mac_tick(&radio->mac, now);
    }
    return at < hello_at ? at : hello_at;
}

static bool radio_busy(const void *context)
{
    const struct radio_link *radio = context;

    return radio->queued > 0;
}

/* The next free entry of the queue; the caller sets its length. */
static struct radio_packet *enqueue(struct radio_link *radio)
{
    return radio->queued < RADIO_QUEUE ? &radio->queue[radio->queued] : NULL;
}

static int radio_send(void *context, const uint8_t *datagram, size_t len)
{
    struct radio_link *radio = context;
    struct radio_packet *packet = enqueue(radio);
    const struct udp udp = {.src_port = RADIO_UDP_PORT,
                            .dst_port = radio->peer_port,
                            .payload = datagram,
                            .payload_len = len};
    int written;

    if (packet == NULL)
        return MOTE_E_IO;
    written = ipv6_udp_packet(&udp, &radio->own_ip, &radio->peer_ip, packet->octets,
                              sizeof packet->octets);
    if (written < 0)
        return MOTE_E_IO;
    packet->len = (size_t)written;
    radio->queued++;
    return MOTE_OK;
}

/* ---- receiving ---- */

static void answer_echo(struct radio_link *radio, const struct lowpan_packet *in)
{
    struct radio_packet *packet = enqueue(radio);
    int written;

    if (packet == NULL)
        return;
    written =
        icmpv6_echo_reply(&radio->own_ip, in->data, in->len, packet->octets, sizeof packet->octets);
    if (written <= 0)
        return;
    packet->len = (size_t)written;
    radio->queued++;
}

/* Copies the payload of a datagram from the mirror; 0 for other packets. */
static size_t datagram_of(struct radio_link *radio, const struct lowpan_packet *packet,
                          uint8_t *out, size_t size)
{
    struct ipv6_upper upper;
    struct udp udp;
    struct writer copy;

    if (ipv6_find_upper(&upper, packet->data, packet->len) != MOTE_OK || upper.fragment ||
        !ipv6_equal(&upper.src, &radio->peer_ip) || !ipv6_equal(&upper.dst, &radio->own_ip))
        return 0;
    if (upper.protocol == NEXT_ICMPV6) {
        answer_echo(radio, packet);
        return 0;
    }
    if (upper.protocol != NEXT_UDP || udp_parse(&udp, &upper, packet->data) != MOTE_OK ||
        udp.src_port != radio->peer_port || udp.dst_port != RADIO_UDP_PORT)
        return 0;
    writer_init(&copy, out, size);
    writer_bytes(&copy, udp.payload, udp.payload_len);
    return writer_len(&copy);
}

static size_t radio_receive(void *context, uint8_t *out, size_t size, uint64_t now)
{
    struct radio_link *radio = context;
    uint8_t psdu[FRAME_MAX];
    size_t len;

    while ((len = zep_receive(&radio->zep, psdu)) > 0) {
        struct lowpan_packet packet = {.data = NULL};
        struct frame frame;

        /* Without a key, secured frames cannot be read. Fragments of other senders would occupy the
         * reassembly slots of the mirror. */
        if (!mac_receive(&radio->mac, psdu, len, &frame, now) || frame.secured ||
            !link_equal(&frame.src, &radio->peer) ||
            lowpan_receive(&radio->receiver, &radio->lowpan, frame.payload, frame.payload_len,
                           &frame.src, &frame.dst, (uint32_t)now, &packet) != MOTE_OK ||
            packet.data == NULL)
            continue;
        len = datagram_of(radio, &packet, out, size);
        if (len > 0)
            return len;
    }
    return 0;
}

int radio_link_open(struct radio_link *radio, const char *ether_host, const char *ether_port,
                    const uint8_t eui64[EUI64_SIZE], const struct ipv6_address *mirror,
                    uint16_t mirror_port, const struct random *random, struct link *link,
                    char *problem, size_t problem_size)
{
    memset(radio, 0, sizeof *radio);
    if (zep_open(&radio->zep, ether_host, ether_port, eui64, problem, problem_size) != 0)
        return -1;
    mac_init(&radio->mac, &radio->zep, random);
    radio->own = link_extended(eui64);
    radio->own_ip = ipv6_link_local(&radio->own);
    radio->peer_ip = *mirror;
    radio->peer = ipv6_link_of(mirror);
    radio->peer_port = mirror_port;
    lowpan_receiver_init(&radio->receiver, radio->slots, RADIO_SLOTS, radio->datagrams[0], IPV6_MTU,
                         radio->single, sizeof radio->single);
    (void)random->fill(random->context, (uint8_t *)&radio->tag, sizeof radio->tag);
    *link = (struct link){.wire = {.send = radio_send, .context = radio},
                          .fd = radio->zep.fd,
                          .receive = radio_receive,
                          .tick = radio_tick,
                          .busy = radio_busy,
                          .context = radio};
    return 0;
}
