#include "duty.h"

enum {
    INTERVAL_US = 125000,
    SENSE_US = 192,    /* the receiver starts and senses */
    APART_US = 500,    /* between the two sensings; longer than a pause */
    PAUSE_US = 400,    /* between strobes; an acknowledgement begins after 192 */
    ACK_END_US = 864,  /* from the strobe's end */
    LONGEST_US = 4256, /* of all frames */
    ON_US = LONGEST_US + PAUSE_US + 200,
    GUARD_US = SENSE_US + APART_US + LONGEST_US + PAUSE_US + 1000,
    FURTHER_US = INTERVAL_US / 4, /* for the next frame of a packet, as in Contiki */
    SPREAD_MOST = 3               /* of backoffs: 2^3 intervals */
};

static bool cycles(const struct air *air, uint8_t node)
{
    return air->duty != AIR_ALWAYS_ON && node != DUTY_MAINS;
}

void duty_start(struct air *air, enum air_duty duty)
{
    air->duty = duty;
    for (uint8_t node = 1; node <= air->nodes; node++)
        if (cycles(air, node))
            air->radios[node].wake_at = air->now + 1 + (air_roll(air) >> 16) % INTERVAL_US;
}

uint64_t duty_next(const struct air *air)
{
    uint64_t next = UINT64_MAX;

    for (uint8_t node = 1; node <= air->nodes && air->duty != AIR_ALWAYS_ON; node++) {
        const struct air_radio *radio = &air->radios[node];
        const uint64_t times[] = {radio->wake_at, radio->sense_at, radio->on_until};

        for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
            if (times[i] != 0 && times[i] < next)
                next = times[i];
    }
    return next;
}

/* Times of 0 mean that there is none. */
static bool is_due(const struct air *air, uint64_t time)
{
    return time != 0 && time == air->now;
}

/* Senses the channel. The receiver stays on if there is a frame. */
static void sense(struct air *air, uint8_t node)
{
    struct air_radio *radio = &air->radios[node];
    enum air_state state = air->macs[node].state;

    if (state == AIR_SENDING || state == AIR_WAITING || radio->on_until != 0)
        return;
    air->rx_us[node] += SENSE_US;
    if (!air_is_busy(air, node))
        return;
    radio->sense_at = 0;
    radio->on_since = air->now;
    radio->on_until = air->now + ON_US;
}

bool duty_step(struct air *air)
{
    for (uint8_t node = 1; node <= air->nodes && air->duty != AIR_ALWAYS_ON; node++) {
        struct air_radio *radio = &air->radios[node];

        if (is_due(air, radio->on_until)) {
            air->rx_us[node] += air->now - radio->on_since;
            radio->on_until = 0;
        } else if (is_due(air, radio->wake_at)) {
            radio->wake_at += INTERVAL_US;
            radio->sense_at = air->now + SENSE_US + APART_US;
            sense(air, node);
        } else if (is_due(air, radio->sense_at)) {
            radio->sense_at = 0;
            sense(air, node);
        } else {
            continue;
        }
        return true;
    }
    return false;
}

uint64_t duty_backoff(struct air *air, const struct air_mac *mac)
{
    unsigned failures = mac->tries + mac->backoffs;
    uint64_t range = (uint64_t)INTERVAL_US << (failures < SPREAD_MOST ? failures : SPREAD_MOST);

    return (air_roll(air) >> 16) % range;
}

static bool is_awaited(const struct air *air, uint8_t node)
{
    const struct air_radio *radio = &air->radios[node];
    uint8_t target = air->macs[node].target;

    return target > DUTY_MAINS && radio->awaiting == target &&
           air->now + GUARD_US < radio->awaited_until;
}

bool duty_waits(struct air *air, uint8_t node, bool free, uint64_t *at)
{
    struct air_radio *radio = &air->radios[node];
    uint8_t target = air->macs[node].target;

    if (is_awaited(air, node))
        radio->aligned = true;
    if (air->duty == AIR_PHASE_LOCK && target > DUTY_MAINS && radio->locked[target] &&
        !radio->aligned) {
        uint64_t begin = radio->phase[target] - GUARD_US;

        radio->aligned = true;
        *at = begin + ((air->now - begin) / INTERVAL_US + 1) * INTERVAL_US;
        return true;
    }
    air->rx_us[node] += SENSE_US;
    if (!free || radio->sensed) {
        radio->aligned = radio->aligned && free;
        radio->sensed = false;
        return false;
    }
    radio->sensed = true;
    *at = air->now + APART_US;
    return true;
}

void duty_began(struct air *air, struct air_frame *frame)
{
    struct air_radio *sender = &air->radios[frame->from];
    uint64_t each = frame->end - frame->begin + PAUSE_US;

    for (uint8_t node = 1; node <= air->nodes; node++) {
        struct air_radio *radio = &air->radios[node];

        frame->caught[node] = !cycles(air, node) || radio->on_until > air->now;
        if (cycles(air, node) && frame->caught[node] && air->hears[node][frame->from] &&
            radio->on_until <= frame->end)
            radio->on_until = frame->end + 1;
    }
    if (frame->ack) {
        sender->on_since += frame->end - frame->begin; /* it is sending */
        return;
    }
    sender->began = air->now;
    if (sender->series_end == 0)
        sender->series_end = air->now + SENSE_US + APART_US + 2 * each +
                             (sender->aligned ? (uint64_t)GUARD_US : (uint64_t)INTERVAL_US);
}

uint64_t duty_pause(struct air *air, uint8_t node)
{
    struct air_radio *radio = &air->radios[node];
    uint64_t each = air->now - radio->began + PAUSE_US;

    radio->ended = air->now;
    if (air->macs[node].target == 0 && air->now + each > radio->series_end) {
        radio->series_end = 0;
        return 0;
    }
    return air->now + PAUSE_US;
}

/* True if an acknowledgement to the node is on the air. */
static bool acknowledgement_comes(const struct air *air, uint8_t node)
{
    for (size_t i = 0; i < AIR_FLYING; i++)
        if (air->flying[i].used && air->flying[i].ack && air->hears[node][air->flying[i].from])
            return true;
    return false;
}

enum duty_after duty_paused(struct air *air, uint8_t node)
{
    struct air_radio *radio = &air->radios[node];
    uint64_t strobe = radio->ended - radio->began;

    if (air->macs[node].target != 0 && acknowledgement_comes(air, node) &&
        air->now < radio->ended + ACK_END_US) {
        air->macs[node].at = radio->ended + ACK_END_US;
        return DUTY_LISTEN;
    }
    air->rx_us[node] += air->now - radio->ended;
    return air->now + strobe <= radio->series_end ? DUTY_STROBE : DUTY_GIVE_UP;
}

void duty_sent(struct air *air, uint8_t node, bool acknowledged)
{
    struct air_radio *radio = &air->radios[node];
    uint8_t target = air->macs[node].target;

    if (acknowledged) {
        air->rx_us[node] += air->now - radio->ended;
        if (radio->awaiting != target) {
            radio->locked[target] = true;
            radio->phase[target] = radio->began;
        }
        radio->awaiting = air->macs[node].more ? target : 0;
        radio->awaited_until = air->now + FURTHER_US;
    } else {
        if (radio->series_end != 0 && radio->awaiting != target)
            radio->locked[target] = false;
        radio->awaiting = 0;
    }
    radio->series_end = 0;
    radio->aligned = radio->sensed = false;
}

bool duty_received(struct air *air, uint8_t node, const struct air_frame *frame, bool wanted,
                   uint64_t ack_us)
{
    struct air_radio *radio = &air->radios[node];
    bool again = wanted && radio->heard_at[frame->from] != 0 &&
                 radio->heard_seq[frame->from] == frame->seq &&
                 air->now - radio->heard_at[frame->from] < 2 * INTERVAL_US;

    if (cycles(air, node))
        radio->on_until = air->now + ack_us + (frame->more && ack_us > 0 ? FURTHER_US : 0) + 1;
    if (wanted) {
        radio->heard_at[frame->from] = air->now;
        radio->heard_seq[frame->from] = frame->seq;
    }
    return !again;
}
