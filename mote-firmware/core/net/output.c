/* The sending direction: IPsec, RPL header, queue, 6LoWPAN, link security. */
#include "output.h"

#include <string.h>

#include "mote/base.h"
#include "mote/ieee802154.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/rpl.h"
#include "mote/sixlowpan.h"
#include "number.h"
#include "protect.h"
#include "queue.h"

enum { NO_TIMER_MS = 60000 };

/* Adds the RPL header to the packet of `len` octets in entry `at` and queues it. A negative `len`
 * is an error that is passed on. */
static int route_out(struct net *net, int at, int len)
{
    struct link_address to;
    int result = len;
    int out = result < 0 ? result : net_queue_take(net);
    if (out >= 0) {
        result = rpl_originate(&net->rpl, net->queue[at].octets, (size_t)result,
                               net->queue[out].octets, net->queue[out].size, &to);
        if (result > IPV6_MTU) /* this mote fragments no IPv6 packet */
            result = MOTE_E_SPACE;
    } else if (result >= 0) {
        result = MOTE_E_SPACE;
    }
    net_queue_free(net, at);
    if (result < 0) {
        net_queue_free(net, out < 0 ? -1 : out);
        net->counts.no_route += result == MOTE_E_STATE;
        return result;
    }
    net_queue_send(net, out, (size_t)result, &to);
    return MOTE_OK;
}

int net_originate(struct net *net, int at, size_t len, const struct ipv6_address *dst)
{
    int result = net_protect(net, &at, len, dst);
    return route_out(net, at, result);
}

int net_send_packet(struct net *net, const uint8_t *packet, size_t len)
{
    if (!net_ready(net))
        return MOTE_E_STATE;
    int at = net_queue_take(net);
    if (at < 0)
        return MOTE_E_SPACE;
    if (len > net->queue[at].size) {
        net_queue_free(net, at);
        return MOTE_E_SPACE;
    }
    memcpy(net->queue[at].octets, packet, len);
    return route_out(net, at, (int)len);
}

int net_send(struct net *net, const struct ipv6_address *dst, const struct udp *udp)
{
    /* A neighbour needs no route to answer a link-local source. */
    struct ipv6_address src =
        ipv6_is_link_local(dst) ? ipv6_link_local(&net->link) : net_address(net);
    if (!ipv6_is_link_local(dst) && !net_ready(net))
        return MOTE_E_STATE;
    int at = net_queue_take(net);
    if (at < 0)
        return MOTE_E_SPACE;
    int len = ipv6_udp_packet(udp, &src, dst, net->queue[at].octets, net->queue[at].size);
    if (len < 0) {
        net_queue_free(net, at);
        return len;
    }
    return net_originate(net, at, (size_t)len, dst);
}

static void frame_init(struct net *net, const struct link_address *to, struct frame *frame)
{
    frame_data(frame, net->pan, to, &net->link, net->seq);
    if (net->security.level > 0) {
        frame->secured = true;
        frame->security.level = net->security.level;
        frame->security.key_mode = net->security.key_mode;
        frame->security.key_index = net->security.key_index;
        frame->security.counter = net->security.counter;
    }
}

bool net_reads_ipsec_nhc(const struct net *net, const struct link_address *neighbour)
{
    bool reads = net->ipsec_compressed;
    for (size_t i = 0; i < NET_IPSEC_READERS && !reads; i++)
        reads = link_equal(&net->ipsec_readers[i], neighbour);
    return reads;
}

static int start_packet(struct net *net, int at)
{
    struct net_packet *packet = &net->queue[at];
    struct frame frame;
    frame_init(net, &packet->to, &frame);
    size_t payload_max = FRAME_MAX - FRAME_FCS_SIZE - frame_overhead(&frame);
    struct lowpan lowpan = net->lowpan;
    net->sending = at;
    net_number_elide(net, packet, &lowpan);
    return lowpan_send_start(&net->sender, &lowpan, packet->octets, packet->len, &net->link,
                             &packet->to, net_reads_ipsec_nhc(net, &packet->to), payload_max,
                             net->tag++);
}

static void end_packet(struct net *net)
{
    net_queue_free(net, net->sending);
    net->sending = -1;
}

/* Queues the RPL message that is due, if an entry is free. */
static void queue_rpl_message(struct net *net, uint32_t now)
{
    struct link_address to;
    if (!net->routed)
        return;
    int at = net_queue_take(net);
    if (at < 0)
        return;
    int len = rpl_next_message(&net->rpl, now, net->queue[at].octets, net->queue[at].size, &to);
    if (len > 0)
        net_queue_send(net, at, (size_t)len, &to);
    else
        net_queue_free(net, at);
}

static int write_frame(struct net *net, const uint8_t *payload, size_t len, uint8_t *psdu,
                       size_t size)
{
    struct frame frame;
    frame_init(net, &net->queue[net->sending].to, &frame);
    frame.payload = payload;
    frame.payload_len = len;
    net->seq++;
    if (!frame.secured)
        return frame_write(&frame, psdu, size);
    if (net->security.counter >= net->security.reserved)
        return MOTE_E_STATE; /* no frame counter is reserved */
    net->security.counter++;
    net->security.aes->set_key(net->security.aes->context, net->security.key);
    return frame_seal(&frame, net->security.aes, net->eui, psdu, size);
}

int net_next_frame(struct net *net, uint32_t now, uint8_t *psdu, size_t size)
{
    uint8_t payload[FRAME_MAX];
    int len = 0;
    if (net->sending < 0)
        queue_rpl_message(net, now);
    while (len == 0) {
        if (net->sending < 0) {
            int at = net_queue_oldest(net);
            if (at < 0)
                return 0;
            len = start_packet(net, at);
        }
        if (len == 0)
            len = lowpan_send_next(&net->sender, payload, sizeof payload);
        if (len == 0)
            net_number_arrived(net, &net->queue[net->sending].to);
        if (len <= 0)
            end_packet(net); /* all frames are sent, or none can be */
    }
    if (len > 0)
        len = write_frame(net, payload, (size_t)len, psdu, size);
    if (len < 0)
        end_packet(net);
    else
        net->counts.sent++;
    return len;
}

void net_transmitted(struct net *net, unsigned transmissions, bool acknowledged, uint32_t now)
{
    if (net->sending < 0)
        return;
    const struct link_address *to = &net->queue[net->sending].to;
    if (!link_is_broadcast(to))
        rpl_transmitted(&net->rpl, to, transmissions, acknowledged, now);
    if (!acknowledged) {
        net->counts.unacknowledged++;
        net_number_lost(net, to);
        end_packet(net); /* a datagram without this fragment cannot be reassembled */
    }
}

uint32_t net_due(const struct net *net, uint32_t now)
{
    if (net->sending >= 0 || net_queue_oldest(net) >= 0)
        return now;
    return net->routed ? rpl_due(&net->rpl) : now + NO_TIMER_MS;
}
