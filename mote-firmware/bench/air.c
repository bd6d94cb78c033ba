#include "air.h"

#include <stdlib.h>
#include <string.h>

#include "duty.h"

enum {
    OCTET_US = 32,
    PHY_HEADER = 6,
    UNIT_US = 320, /* of a backoff */
    CCA_US = 128,
    TURN_US = 192,
    ACK_OCTETS = 5,
    ACK_WAIT_US = 864,
    ACK_US = TURN_US + (PHY_HEADER + ACK_OCTETS) * OCTET_US,
    EXPONENT_MIN = 3,
    EXPONENT_MAX = 8, /* macMaxBE and macMaxFrameRetries: the greatest values of the standard */
    BACKOFFS_MAX = 4,
    RETRIES_MAX = 7
};

static void back_off(struct air *air, struct air_mac *mac)
{
    uint64_t units = (air_roll(air) >> 16) & ((1U << mac->exponent) - 1);
    mac->state = AIR_BACKOFF;
    mac->at = air->now + units * UNIT_US;
    if (air->duty != AIR_ALWAYS_ON && mac->tries + mac->backoffs > 0)
        mac->at = air->now + duty_backoff(air, mac);
}

/* The range of backoffs doubles after each failure, as in the motes' own MAC. Otherwise two senders
 * that do not hear each other would collide in every attempt. */
static void begin_attempt(struct air *air, struct air_mac *mac)
{
    unsigned exponent = EXPONENT_MIN + mac->tries;
    mac->exponent = exponent < EXPONENT_MAX ? exponent : EXPONENT_MAX;
    mac->backoffs = 0;
    back_off(air, mac);
}

bool air_is_idle(const struct air *air, uint8_t node)
{
    return air->macs[node].state == AIR_IDLE;
}

void air_send(struct air *air, uint8_t node, const uint8_t *psdu, size_t len, bool more)
{
    struct air_mac *mac = &air->macs[node];
    struct frame frame;
    if (mac->state != AIR_IDLE || frame_parse(&frame, psdu, len) != MOTE_OK)
        abort();
    memcpy(mac->psdu, psdu, len);
    mac->len = len;
    mac->ack_request = frame.ack_request;
    mac->more = more;
    mac->seq = frame.seq;
    mac->tries = 0;
    mac->target = 0;
    for (uint8_t other = 1; other <= air->nodes; other++)
        if (frame.ack_request && link_equal(&frame.dst, &air->links[other]))
            mac->target = other;
    begin_attempt(air, mac);
}

static bool is_sending(const struct air *air, uint8_t node)
{
    for (size_t i = 0; i < AIR_FLYING; i++)
        if (air->flying[i].used && air->flying[i].from == node)
            return true;
    return false;
}

/* Spoils both frames at every receiver that both reach; a sender receives nothing. */
static void overlap(struct air *air, struct air_frame *one, struct air_frame *other)
{
    for (uint8_t node = 1; node <= air->nodes; node++) {
        bool first = air->hears[node][one->from], second = air->hears[node][other->from];
        bool spoils = first && second;
        if (spoils)
            air->collisions++;
        one->spoilt[node] = one->spoilt[node] || spoils || other->from == node;
        other->spoilt[node] = other->spoilt[node] || spoils || one->from == node;
    }
}

static void fly(struct air *air, const struct air_frame *frame)
{
    struct air_frame *place = NULL;
    for (size_t i = 0; i < AIR_FLYING && place == NULL; i++)
        if (!air->flying[i].used)
            place = &air->flying[i];
    if (place == NULL)
        abort();
    *place = *frame;
    place->used = true;
    place->begin = air->now;
    place->end = air->now + (PHY_HEADER + place->len + FRAME_FCS_SIZE) * OCTET_US;
    air->tx_us[place->from] += place->end - place->begin;
    duty_began(air, place);
    for (size_t i = 0; i < AIR_FLYING; i++)
        if (air->flying[i].used && &air->flying[i] != place)
            overlap(air, place, &air->flying[i]);
}

static void fly_ack(struct air *air, uint8_t node)
{
    struct air_mac *mac = &air->macs[node];
    struct air_frame frame = {
        .ack = true, .from = node, .seq = mac->ack_seq, .len = ACK_OCTETS - FRAME_FCS_SIZE};
    mac->ack_due = false;
    fly(air, &frame);
}

static void fly_data(struct air *air, uint8_t node)
{
    struct air_mac *mac = &air->macs[node];
    struct air_frame frame = {.from = node, .seq = mac->seq, .len = mac->len, .more = mac->more};
    memcpy(frame.psdu, mac->psdu, mac->len);
    mac->state = AIR_SENDING;
    mac->at = UINT64_MAX;
    if (mac->ack_request) {
        air->data_frames++;
        air->data_octets += (uint32_t)(PHY_HEADER + mac->len + FRAME_FCS_SIZE);
    }
    fly(air, &frame);
}

static void finish(struct air *air, uint8_t node, bool acknowledged)
{
    struct air_mac *mac = &air->macs[node];
    mac->state = AIR_IDLE;
    air->user.done(air->user.context, node, mac->tries + 1, acknowledged);
}

static void failed(struct air *air, uint8_t node)
{
    struct air_mac *mac = &air->macs[node];
    if (air->duty != AIR_ALWAYS_ON)
        duty_sent(air, node, false);
    if (mac->tries == RETRIES_MAX) {
        finish(air, node, false);
        return;
    }
    mac->tries++;
    begin_attempt(air, mac);
}

/* The channel is sensed at the end of a backoff. */
static void sense(struct air *air, uint8_t node)
{
    struct air_mac *mac = &air->macs[node];
    bool free = !air_is_busy(air, node) && !mac->ack_due;
    if (air->duty != AIR_ALWAYS_ON && duty_waits(air, node, free, &mac->at))
        return;
    if (free) {
        mac->state = AIR_TURNING;
        mac->at = air->now + CCA_US + TURN_US;
        return;
    }
    if (++mac->backoffs > BACKOFFS_MAX) {
        failed(air, node);
        return;
    }
    if (mac->exponent < EXPONENT_MAX)
        mac->exponent++;
    back_off(air, mac);
}

static void take_ack(struct air *air, uint8_t node, const struct air_frame *ack)
{
    const struct air_mac *mac = &air->macs[node];
    if (mac->state != AIR_WAITING || mac->seq != ack->seq)
        return;
    if (air->duty != AIR_ALWAYS_ON)
        duty_sent(air, node, true);
    else
        air->rx_us[node] += ack->end - ack->begin;
    finish(air, node, true);
}

static void take_data(struct air *air, uint8_t node, const struct air_frame *flown)
{
    struct frame frame;
    if (frame_parse(&frame, flown->psdu, flown->len) != MOTE_OK)
        abort();
    bool own = link_equal(&frame.dst, &air->links[node]);
    bool wanted = own || !frame.ack_request; /* false if it is for another node */
    bool fresh = air->duty == AIR_ALWAYS_ON ||
                 duty_received(air, node, flown, wanted, own && frame.ack_request ? ACK_US : 0);
    if (!wanted)
        return;
    if (air->duty == AIR_ALWAYS_ON)
        air->rx_us[node] += flown->end - flown->begin;
    if (own && frame.ack_request) {
        air->macs[node].ack_due = true;
        air->macs[node].ack_at = air->now + TURN_US;
        air->macs[node].ack_seq = flown->seq;
    }
    if (fresh)
        air->user.heard(air->user.context, node, flown->psdu, flown->len);
}

void air_cut(struct air *air, uint8_t node)
{
    air->macs[node] = (struct air_mac){.state = AIR_IDLE};
    for (size_t i = 0; i < AIR_FLYING; i++)
        if (air->flying[i].from == node)
            air->flying[i].used = false;
}

static bool is_lost(struct air *air)
{
    return air->loss > 0 && (air_roll(air) >> 32) % 1000000 < air->loss;
}

static void land(struct air *air, struct air_frame *place)
{
    const struct air_frame frame = *place;
    place->used = false;
    struct air_mac *mac = &air->macs[frame.from];
    uint64_t pause = mac->ack_request ? air->now + ACK_WAIT_US : 0;
    if (!frame.ack && air->duty != AIR_ALWAYS_ON)
        pause = duty_pause(air, frame.from);
    if (!frame.ack && pause != 0) {
        mac->state = AIR_WAITING;
        mac->at = pause;
    }
    for (uint8_t node = 1; node <= air->nodes; node++) {
        if (node == frame.from || !air->hears[node][frame.from] || frame.spoilt[node] ||
            is_lost(air))
            continue;
        if (frame.ack)
            take_ack(air, node, &frame);
        else if (frame.caught[node])
            take_data(air, node, &frame);
    }
    if (!frame.ack && pause == 0)
        finish(air, frame.from, true);
}

uint64_t air_next(const struct air *air)
{
    uint64_t next = duty_next(air);
    for (uint8_t node = 1; node <= air->nodes; node++) {
        const struct air_mac *mac = &air->macs[node];
        if (mac->state != AIR_IDLE && mac->at < next)
            next = mac->at;
        if (mac->ack_due && mac->ack_at < next)
            next = mac->ack_at;
    }
    for (size_t i = 0; i < AIR_FLYING; i++)
        if (air->flying[i].used && air->flying[i].end < next)
            next = air->flying[i].end;
    return next;
}

/* Handles a missing acknowledgement, or the end of the pause before the next strobe. */
static void waited(struct air *air, uint8_t node)
{
    enum duty_after after = DUTY_GIVE_UP;
    if (air->duty != AIR_ALWAYS_ON)
        after = duty_paused(air, node);
    switch (after) {
    case DUTY_STROBE:
        fly_data(air, node);
        break;
    case DUTY_GIVE_UP:
        failed(air, node);
        break;
    case DUTY_LISTEN:
        break;
    }
}

/* Handles the end of a state of the MAC. */
static void expire(struct air *air, uint8_t node)
{
    switch (air->macs[node].state) {
    case AIR_BACKOFF:
        sense(air, node);
        break;
    case AIR_TURNING:
        if (is_sending(air, node) || air->macs[node].ack_due)
            back_off(air, &air->macs[node]); /* the node's acknowledgement is sent first */
        else
            fly_data(air, node);
        break;
    case AIR_WAITING:
        waited(air, node);
        break;
    case AIR_IDLE:
    case AIR_SENDING:
        break;
    }
}

void air_step(struct air *air)
{
    air->now = air_next(air);
    for (size_t i = 0; i < AIR_FLYING; i++)
        if (air->flying[i].used && air->flying[i].end == air->now) {
            land(air, &air->flying[i]);
            return;
        }
    if (duty_step(air))
        return;
    for (uint8_t node = 1; node <= air->nodes; node++) {
        const struct air_mac *mac = &air->macs[node];
        if (mac->ack_due && mac->ack_at == air->now) {
            fly_ack(air, node);
            return;
        }
        if (mac->state != AIR_IDLE && mac->at == air->now) {
            expire(air, node);
            return;
        }
    }
}
