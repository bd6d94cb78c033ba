/* Start, the packet queue, and the way out. */
#include "mote/net.h"

#include "queue.h"

#include <string.h>

enum { NO_TIMER_MS = 60000 };

void net_queue_init(struct net *net, struct net_packet *queue, size_t count, uint8_t *octets,
                    size_t each)
{
    net->queue = queue;
    net->queue_size = count;
    for (size_t i = 0; i < count; i++) {
        queue[i] = (struct net_packet){.octets = octets + i * each, .size = each};
    }
}

int net_start(struct net *net, const struct random *random, uint32_t now)
{
    uint8_t start[3] = {0};
    if (net->security.level == 4 && !net->security.level_4) {
        return MOTE_E_UNSUPPORTED;
    }
    net->link = link_extended(net->eui);
    net->sending = -1;
    net->delivered = -1;
    /* Where the counters begin does not matter, only that a restart does not repeat them soon. */
    (void)random->fill(random->context, start, sizeof start);
    net->seq = start[0];
    net->tag = (uint16_t)(start[1] << 8 | start[2]);
    for (size_t i = 0; i < net->queue_size; i++) {
        net->queue[i].used = false;
    }
    rpl_start(&net->rpl, &net->link, random, now);
    return MOTE_OK;
}

int net_queue_take(struct net *net)
{
    for (size_t i = 0; i < net->queue_size; i++) {
        if (!net->queue[i].used) {
            net->queue[i].used = true;
            net->queue[i].ready = false;
            return (int)i;
        }
    }
    net->counts.no_room++;
    return -1;
}

void net_queue_send(struct net *net, int at, size_t len, const struct link_address *to)
{
    struct net_packet *packet = &net->queue[at];
    packet->ready = true;
    packet->len = len;
    packet->to = *to;
    packet->order = net->order++;
}

void net_queue_free(struct net *net, int at)
{
    if (at >= 0) {
        net->queue[at].used = false;
        net->queue[at].ready = false;
    }
}

struct ipv6_address net_address(const struct net *net)
{
    bool joined = net->routed && !ipv6_is_unspecified(&net->rpl.address);
    return joined ? net->rpl.address : ipv6_link_local(&net->link);
}

bool net_ready(const struct net *net)
{
    return !net->routed || net->rpl.state == RPL_REACHABLE;
}

const struct net_peer *net_peer_find(const struct net *net, const struct ipv6_address *address)
{
    for (size_t i = 0; i < net->peer_count; i++) {
        if (ipv6_equal(&net->peers[i].address, address)) {
            return &net->peers[i];
        }
    }
    return NULL;
}

/* Protects the packet in entry `at` if its destination is the peer. Its length or an error. */
static int protect(struct net *net, int *at, size_t len, const struct ipv6_address *dst)
{
    const struct net_peer *peer = net_peer_find(net, dst);
    if (peer == NULL || peer->out == NULL) {
        return (int)len;
    }
    int sealed = net_queue_take(net);
    if (sealed < 0) {
        return MOTE_E_SPACE;
    }
    int result = ipsec_seal(peer->out, net->crypto, net->queue[*at].octets, len,
                            net->queue[sealed].octets, net->queue[sealed].size);
    net_queue_free(net, *at);
    *at = sealed;
    return result;
}

/* Queues the packet in entry `at`; whatever happens, the entry is taken care of. */
int net_originate(struct net *net, int at, size_t len, const struct ipv6_address *dst)
{
    struct link_address to;
    int result = protect(net, &at, len, dst);
    int out = result < 0 ? result : net_queue_take(net);
    if (out >= 0) {
        result = rpl_originate(&net->rpl, net->queue[at].octets, (size_t)result,
                               net->queue[out].octets, net->queue[out].size, &to);
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

int net_send(struct net *net, const struct ipv6_address *dst, const struct udp *udp)
{
    /* to a neighbour from the address it can answer without a route */
    struct ipv6_address src =
        ipv6_is_link_local(dst) ? ipv6_link_local(&net->link) : net_address(net);
    if (!ipv6_is_link_local(dst) && !net_ready(net)) {
        return MOTE_E_STATE;
    }
    int at = net_queue_take(net);
    if (at < 0) {
        return MOTE_E_SPACE;
    }
    int len = ipv6_udp_packet(udp, &src, dst, net->queue[at].octets, net->queue[at].size);
    if (len < 0) {
        net_queue_free(net, at);
        return len;
    }
    return net_originate(net, at, (size_t)len, dst);
}

static void frame_for(struct net *net, const struct link_address *to, struct frame *frame)
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

static int begin_sending(struct net *net, int at)
{
    struct net_packet *packet = &net->queue[at];
    struct frame frame;
    frame_for(net, &packet->to, &frame);
    size_t room = FRAME_MAX - FRAME_FCS_SIZE - frame_overhead(&frame);
    net->sending = at;
    return lowpan_send_start(&net->sender, &net->lowpan, packet->octets, packet->len, &net->link,
                             &packet->to, net->ipsec_compressed, room, net->tag++);
}

static void stop_sending(struct net *net)
{
    net_queue_free(net, net->sending);
    net->sending = -1;
}

static int oldest_ready(const struct net *net)
{
    int oldest = -1;
    for (size_t i = 0; i < net->queue_size; i++) {
        const struct net_packet *packet = &net->queue[i];
        if (packet->used && packet->ready &&
            (oldest < 0 || (int32_t)(packet->order - net->queue[oldest].order) < 0)) {
            oldest = (int)i;
        }
    }
    return oldest;
}

/* Lets RPL say what it has to say, if there is room to say it. */
static void ask_rpl(struct net *net, uint32_t now)
{
    struct link_address to;
    if (!net->routed) {
        return;
    }
    int at = net_queue_take(net);
    if (at < 0) {
        return;
    }
    int len = rpl_next(&net->rpl, now, net->queue[at].octets, net->queue[at].size, &to);
    if (len > 0) {
        net_queue_send(net, at, (size_t)len, &to);
    } else {
        net_queue_free(net, at);
    }
}

static int write_frame(struct net *net, const uint8_t *payload, size_t len, uint8_t *psdu,
                       size_t size)
{
    struct frame frame;
    frame_for(net, &net->queue[net->sending].to, &frame);
    frame.payload = payload;
    frame.payload_len = len;
    net->seq++;
    if (!frame.secured) {
        return frame_write(&frame, psdu, size);
    }
    if (net->security.counter >= net->security.reserved) {
        return MOTE_E_STATE; /* no counter saved ahead */
    }
    net->security.counter++;
    net->security.aes->set_key(net->security.aes->context, net->security.key);
    return frame_seal(&frame, net->security.aes, net->eui, psdu, size);
}

int net_next(struct net *net, uint32_t now, uint8_t *psdu, size_t size)
{
    uint8_t payload[FRAME_MAX];
    int len = 0;
    if (net->sending < 0) {
        ask_rpl(net, now);
    }
    while (len == 0) {
        if (net->sending < 0) {
            int at = oldest_ready(net);
            if (at < 0) {
                return 0;
            }
            len = begin_sending(net, at);
        }
        if (len == 0) {
            len = lowpan_send_next(&net->sender, payload, sizeof payload);
        }
        if (len <= 0) {
            stop_sending(net); /* all sent, or it cannot be */
        }
    }
    if (len > 0) {
        len = write_frame(net, payload, (size_t)len, psdu, size);
    }
    if (len < 0) {
        stop_sending(net);
    } else {
        net->counts.sent++;
    }
    return len;
}

void net_sent(struct net *net, unsigned transmissions, bool acknowledged, uint32_t now)
{
    if (net->sending < 0) {
        return;
    }
    const struct link_address *to = &net->queue[net->sending].to;
    if (!link_is_broadcast(to)) {
        rpl_transmitted(&net->rpl, to, transmissions, acknowledged, now);
    }
    if (!acknowledged) {
        net->counts.unacknowledged++;
        stop_sending(net); /* the rest of a datagram without this fragment is of no use */
    }
}

uint32_t net_due(const struct net *net, uint32_t now)
{
    if (net->sending >= 0 || oldest_ready(net) >= 0) {
        return now;
    }
    return net->routed ? rpl_due(&net->rpl) : now + NO_TIMER_MS;
}
