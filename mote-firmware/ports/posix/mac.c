#include "mac.h"

#include <string.h>

/* 20 symbols of 16 microseconds. */
enum { BACKOFF_UNIT_US = 320 };

void mac_init(struct mac *mac, struct zep *zep, const struct random *random)
{
    *mac = (struct mac){.zep = zep, .random = random, .state = MAC_IDLE};
    mac->own = link_extended(zep->eui64);
    (void)random->fill(random->context, &mac->seq, 1);
}

static void data_frame(const struct mac *mac, struct frame *frame, const struct link_address *dst)
{
    frame_data(frame, MAC_PAN, dst, &mac->own, mac->seq);
}

size_t mac_payload_max(const struct mac *mac, const struct link_address *dst)
{
    struct frame frame;

    data_frame(mac, &frame, dst);
    return FRAME_MAX - FRAME_FCS_SIZE - frame_overhead(&frame);
}

/* Waits a random number of backoff periods; the range doubles after each failure. */
static void back_off(struct mac *mac, uint64_t now)
{
    unsigned exponent = MAC_BACKOFF_MIN + mac->transmissions;
    uint8_t dice = 0;

    if (exponent > MAC_BACKOFF_MAX)
        exponent = MAC_BACKOFF_MAX;
    (void)mac->random->fill(mac->random->context, &dice, 1);
    mac->state = MAC_BACKOFF;
    mac->at = now + (dice & ((1u << exponent) - 1)) * BACKOFF_UNIT_US / 1000;
}

/* Starts with the first transmission of mac->psdu. */
static void begin(struct mac *mac, const struct frame *frame, size_t len, uint64_t now)
{
    mac->len = len;
    mac->wants_ack = frame->ack_request;
    mac->transmissions = 0;
    back_off(mac, now);
}

int mac_send(struct mac *mac, const struct link_address *dst, const uint8_t *payload, size_t len,
             uint64_t now)
{
    struct frame frame;
    int written;

    if (mac->state != MAC_IDLE)
        return MOTE_E_STATE;
    mac->seq++;
    data_frame(mac, &frame, dst);
    frame.payload = payload;
    frame.payload_len = len;
    written = frame_write(&frame, mac->psdu, FRAME_MAX - FRAME_FCS_SIZE);
    if (written < 0)
        return written;
    begin(mac, &frame, (size_t)written, now);
    return MOTE_OK;
}

int mac_send_psdu(struct mac *mac, const uint8_t *psdu, size_t len, uint64_t now)
{
    struct frame frame;
    int error;

    if (mac->state != MAC_IDLE)
        return MOTE_E_STATE;
    if (len > FRAME_MAX - FRAME_FCS_SIZE)
        return MOTE_E_SPACE;
    error = frame_parse(&frame, psdu, len);
    if (error != MOTE_OK)
        return error;
    memcpy(mac->psdu, psdu, len);
    mac->seq = frame.seq;
    begin(mac, &frame, len, now);
    return MOTE_OK;
}

void mac_idle(struct mac *mac)
{
    mac->state = MAC_IDLE;
}

uint64_t mac_tick(struct mac *mac, uint64_t now)
{
    if (mac->state == MAC_WAIT_ACK && now >= mac->at) {
        if (mac->transmissions < MAC_TRANSMISSIONS)
            back_off(mac, now);
        else
            mac->state = MAC_FAILED;
    }
    if (mac->state == MAC_BACKOFF && now >= mac->at) {
        zep_send(mac->zep, mac->psdu, mac->len);
        mac->transmissions++;
        mac->at = now + MAC_ACK_WAIT_MS;
        mac->state = mac->wants_ack ? MAC_WAIT_ACK : MAC_DONE;
    }
    return mac->state == MAC_BACKOFF || mac->state == MAC_WAIT_ACK ? mac->at : UINT64_MAX;
}

static bool is_for(const struct mac *mac, const struct frame *frame)
{
    if (frame->has_dst_pan && frame->dst_pan != MAC_PAN && frame->dst_pan != 0xffff)
        return false;
    return link_equal(&frame->dst, &mac->own) || link_is_broadcast(&frame->dst);
}

/* True for a retransmission (its acknowledgement was lost): same sender, same sequence number. */
static bool is_duplicate(struct mac *mac, const struct frame *frame, uint64_t now)
{
    bool repeated = link_equal(&frame->src, &mac->heard) && frame->seq == mac->heard_seq &&
                    now - mac->heard_at < MAC_REPETITION_MS;

    mac->heard = frame->src;
    mac->heard_seq = frame->seq;
    mac->heard_at = now;
    return repeated;
}

bool mac_receive(struct mac *mac, uint8_t *psdu, size_t len, struct frame *frame, uint64_t now)
{
    uint8_t ack[FRAME_ACK_SIZE];

    if (frame_parse(frame, psdu, len) != MOTE_OK)
        return false;
    if (frame->type == FRAME_ACK) {
        /* The node receives the acknowledgements for all neighbours; the sequence number identifies
         * its own. */
        if (mac->state == MAC_WAIT_ACK && frame->has_seq && frame->seq == mac->seq)
            mac->state = MAC_DONE;
        return false;
    }
    if (frame->type != FRAME_DATA || !is_for(mac, frame))
        return false;
    if (frame->ack_request && !link_is_broadcast(&frame->dst)) {
        frame_ack(frame->seq, ack);
        zep_send(mac->zep, ack, sizeof ack);
    }
    if (frame->src.size == LINK_NONE)
        return false;
    return frame->secured || !is_duplicate(mac, frame, now);
}
