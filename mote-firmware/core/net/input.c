/* The receiving direction: frame, link security, 6LoWPAN, routing, IPsec, ICMPv6 and UDP. */
#include <string.h>

#include "mote/net.h"
#include "number.h"
#include "output.h"
#include "peer.h"
#include "problem.h"
#include "protect.h"
#include "queue.h"

enum { BROADCAST_PAN = 0xffff, RECENT_MS = 5000 };

static bool addressed_to_us(const struct net *net, const struct frame *frame)
{
    bool pan = frame->dst_pan == net->pan || frame->dst_pan == BROADCAST_PAN;
    return frame->type == FRAME_DATA && pan && frame->src.size != LINK_NONE &&
           !link_equal(&frame->src, &net->link) &&
           (link_is_broadcast(&frame->dst) || link_equal(&frame->dst, &net->link));
}

/* The whole network has one key; counters are per sender. The nonce needs the sender's EUI-64, so
 * frames from short addresses are refused. */
static int open_secured_frame(struct net *net, const struct frame *frame, uint8_t *psdu)
{
    struct net_security *security = &net->security;
    const uint8_t *eui = frame->src.octets;
    if (!frame->secured || frame->security.level != security->level ||
        frame->security.key_mode != security->key_mode ||
        frame->security.key_index != security->key_index || frame->src.size != LINK_EXTENDED) {
        net->counts.insecure++;
        return MOTE_E_AUTH;
    }
    bool authentic = security->level != 4; /* an unauthenticated frame moves no counter */
    if (authentic &&
        frame_replay_check(&security->replay, eui, 0, frame->security.counter) != MOTE_OK) {
        net->counts.replayed++;
        return MOTE_E_REPLAY;
    }
    security->aes->set_key(security->aes->context, security->key);
    int error = frame_open(frame, psdu, security->aes, eui);
    if (!error && authentic)
        error = frame_replay_update(&security->replay, eui, 0, frame->security.counter);
    if (!error && authentic && security->save != NULL)
        error = security->save(security->save_context, eui, frame->security.counter);
    net->counts.bad_mic += error == MOTE_E_AUTH;
    return error;
}

/* True for a retransmission (its acknowledgement was lost): same sender, same sequence number. */
static bool is_duplicate(struct net *net, const struct frame *frame, uint32_t now)
{
    struct net_recent *oldest = &net->recent[0];
    for (size_t i = 0; i < NET_RECENT; i++) {
        struct net_recent *recent = &net->recent[i];
        if (recent->used && link_equal(&recent->src, &frame->src)) {
            bool again = recent->seq == frame->seq && now - recent->at < RECENT_MS;
            *recent = (struct net_recent){true, frame->seq, frame->src, now};
            return again;
        }
        if (!recent->used || (oldest->used && now - recent->at > now - oldest->at))
            oldest = recent;
    }
    *oldest = (struct net_recent){true, frame->seq, frame->src, now};
    return false;
}

static int accept_frame(struct net *net, struct frame *frame, uint8_t *psdu, size_t len,
                        uint32_t now)
{
    int error = frame_parse(frame, psdu, len);
    if (error) {
        net->counts.bad_frame++;
        return error;
    }
    if (!addressed_to_us(net, frame)) {
        net->counts.not_ours++;
        return MOTE_E_UNSUPPORTED;
    }
    if (net->security.level > 0)
        return open_secured_frame(net, frame, psdu);
    if (frame->secured) {
        net->counts.insecure++;
        return MOTE_E_UNSUPPORTED;
    }
    if (frame->has_seq && is_duplicate(net, frame, now)) {
        net->counts.replayed++;
        return MOTE_E_REPLAY;
    }
    return MOTE_OK;
}

static int handle_icmpv6(struct net *net, int at, size_t len, const struct ipv6_upper *upper,
                         const struct link_address *from, uint32_t now)
{
    const uint8_t *packet = net->queue[at].octets;
    struct ipv6_address own =
        ipv6_is_link_local(&upper->dst) ? ipv6_link_local(&net->link) : net_address(net);
    if (upper->len > 0 && packet[upper->at] == ICMPV6_RPL)
        return net->routed ? rpl_receive(&net->rpl, packet, len, from, now) : MOTE_E_UNSUPPORTED;
    int reply = net_queue_take(net);
    if (reply < 0)
        return MOTE_E_SPACE;
    int result =
        icmpv6_echo_reply(&own, packet, len, net->queue[reply].octets, net->queue[reply].size);
    if (result < 0) {
        net_queue_free(net, reply);
        return result;
    }
    return net_originate(net, reply, (size_t)result, &upper->src);
}

static int handle_udp(struct net *net, int at, const struct ipv6_upper *upper, bool was_protected,
                      struct net_datagram *datagram)
{
    const struct net_peer *peer = net_peer_find(net, &upper->src);
    if ((peer != NULL && peer->in != NULL) != was_protected) {
        net->counts.unprotected++;
        return MOTE_E_AUTH;
    }
    int error = udp_parse(&datagram->udp, upper, net->queue[at].octets);
    if (error) {
        net->counts.bad_ip++;
        datagram->udp.payload = NULL;
        return error;
    }
    datagram->src = upper->src;
    datagram->dst = upper->dst;
    net->counts.delivered++;
    return MOTE_OK;
}

static bool is_known(uint8_t protocol)
{
    return protocol == NEXT_UDP || protocol == NEXT_ICMPV6;
}

/* Returns the length of the packet in entry `at` if it is whole, 0 while fragments are missing. */
static int reassemble(struct net *net, int at, size_t len, uint32_t now)
{
    struct net_packet *entry = &net->queue[at];
    struct ipv6_reassembler *reassembler = net->reassembler;
    if (reassembler == NULL)
        return (int)len;
    int result = reassembler->take(reassembler, entry->octets, len, entry->size, now);
    net->counts.bad_fragment += result < 0;
    return result;
}

/* Handles a packet for this mote in entry `at`. The entry is freed, or kept until the next
 * net_receive if it has a datagram for the application. */
static int deliver(struct net *net, int at, const struct lowpan_packet *packet, uint32_t now,
                   struct net_datagram *datagram)
{
    struct ipv6_upper upper;
    bool was_protected = false;
    size_t len = packet->len;
    int result = reassemble(net, at, len, now);
    if (result <= 0) {
        net_queue_free(net, at);
        return result;
    }
    len = (size_t)result;
    result = net_unprotect(net, &at, len, &was_protected);
    if (result >= 0) {
        len = (size_t)result;
        result = ipv6_find_upper(&upper, net->queue[at].octets, len);
        net->counts.bad_ip += result < 0;
    }
    /* An AH that this mote has not verified does not authenticate the headers after it. */
    if (result == MOTE_OK && (upper.ah_next_at != 0 || !is_known(upper.protocol))) {
        net->counts.unrecognized++;
        if (upper.protocol != NEXT_NONE && !upper.fragment)
            net_unrecognized(net, at, len, packet,
                             upper.ah_next_at != 0 ? upper.ah_next_at : upper.next_at, now);
        result = MOTE_E_UNSUPPORTED;
    }
    if (result == MOTE_OK && upper.protocol == NEXT_UDP)
        result = handle_udp(net, at, &upper, was_protected, datagram);
    else if (result == MOTE_OK)
        result = handle_icmpv6(net, at, len, &upper, &packet->src, now);
    if (datagram->udp.payload != NULL)
        net->delivered = at;
    else
        net_queue_free(net, at);
    return result;
}

/* Restores the elided sequence number of a packet for this mote. A router has no association to
 * restore it. */
static int restore_number(struct net *net, uint8_t *octets, const struct lowpan_packet *packet,
                          int verdict)
{
    if (verdict < 0 || !net_number_elided(packet))
        return MOTE_OK;
    if (verdict == RPL_DELIVER)
        return net_number_restore(net, octets, packet);
    net->counts.bad_ipsec++;
    return MOTE_E_UNSUPPORTED;
}

static int handle_packet(struct net *net, const struct lowpan_packet *packet, uint32_t now,
                         struct net_datagram *datagram)
{
    struct link_address to;
    int at = net_queue_take(net);
    if (at < 0)
        return MOTE_E_SPACE;
    struct net_packet *entry = &net->queue[at];
    if (packet->len > entry->size) {
        net_queue_free(net, at);
        return MOTE_E_SPACE;
    }
    memcpy(entry->octets, packet->data, packet->len);
    int verdict = rpl_route(&net->rpl, entry->octets, packet->len, &to, now);
    int error = restore_number(net, entry->octets, packet, verdict);
    if (error) {
        net_queue_free(net, at);
        return error;
    }
    if (verdict == RPL_FORWARD && net->routed) {
        net_queue_send(net, at, packet->len, &to);
        net->counts.forwarded++;
        return MOTE_OK;
    }
    if (verdict != RPL_DELIVER) {
        net_queue_free(net, at);
        net->counts.no_route++;
        return verdict < 0 ? verdict : MOTE_E_STATE;
    }
    return deliver(net, at, packet, now, datagram);
}

/* Notes that a neighbour reads compressed AH and ESP, because it has sent them. The latest
 * neighbour replaces the oldest. */
static void learn_reader(struct net *net, const struct link_address *neighbour)
{
    if (net_reads_ipsec_nhc(net, neighbour))
        return;
    net->ipsec_readers[net->next_ipsec_reader] = *neighbour;
    net->next_ipsec_reader = (net->next_ipsec_reader + 1) % NET_IPSEC_READERS;
}

int net_receive(struct net *net, const uint8_t *psdu, size_t len, uint32_t now,
                struct net_datagram *datagram)
{
    uint8_t copy[FRAME_MAX]; /* frame_open decrypts in place */
    struct frame frame;
    struct lowpan_packet packet;
    memset(datagram, 0, sizeof *datagram);
    net_queue_free(net, net->delivered);
    net->delivered = -1;
    if (len > sizeof copy) {
        net->counts.bad_frame++;
        return MOTE_E_SPACE;
    }
    memcpy(copy, psdu, len);
    int error = accept_frame(net, &frame, copy, len, now);
    if (error)
        return error;
    net->counts.received++;
    error = lowpan_receive(&net->receiver, &net->lowpan, frame.payload, frame.payload_len,
                           &frame.src, &frame.dst, now, &packet);
    if (error) {
        net->counts.bad_lowpan++;
        return error;
    }
    if (packet.data == NULL)
        return MOTE_OK;
    if (packet.ipsec_nhc)
        learn_reader(net, &frame.src);
    return handle_packet(net, &packet, now, datagram);
}
