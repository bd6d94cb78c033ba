#include "clock.h"
#include "mote/base.h"
#include "mote/port/random.h"
#include "mote/rpl.h"

uint32_t rpl_random_below(const struct random *random, uint32_t limit)
{
    uint8_t octets[4] = {0};
    struct reader r;
    /* Without entropy, delays are constant. This causes more collisions, but no error. */
    if (random->fill(random->context, octets, sizeof octets) != 0)
        return limit / 2;
    reader_init(&r, octets, sizeof octets);
    return limit == 0 ? 0 : reader_u32(&r) % limit;
}

static void begin(struct trickle *trickle, uint32_t interval, const struct random *random,
                  uint32_t now)
{
    uint32_t half = interval / 2;
    trickle->interval = interval;
    trickle->begin = now;
    trickle->at = half + rpl_random_below(random, interval - half);
    trickle->consistent = 0;
    trickle->fired = false;
}

void trickle_start(struct trickle *trickle, uint32_t min, uint8_t doublings, uint8_t redundancy,
                   const struct random *random, uint32_t now)
{
    trickle->min = min;
    trickle->max = min;
    for (uint8_t i = 0; i < doublings && trickle->max < CLOCK_HORIZON / 2; i++)
        trickle->max *= 2;
    trickle->redundancy = redundancy;
    begin(trickle, min, random, now);
}

void trickle_reset(struct trickle *trickle, const struct random *random, uint32_t now)
{
    if (trickle->interval != trickle->min)
        begin(trickle, trickle->min, random, now);
}

void trickle_consistent(struct trickle *trickle)
{
    if (trickle->consistent < UINT8_MAX)
        trickle->consistent++;
}

bool trickle_poll(struct trickle *trickle, const struct random *random, uint32_t now)
{
    bool send = false;
    if (!trickle->fired && now - trickle->begin >= trickle->at) {
        trickle->fired = true;
        send = trickle->redundancy == 0 || trickle->consistent < trickle->redundancy;
    }
    if (now - trickle->begin >= trickle->interval) {
        uint32_t next = trickle->interval * 2;
        begin(trickle, next < trickle->max ? next : trickle->max, random, now);
    }
    return send;
}

uint32_t trickle_due(const struct trickle *trickle)
{
    return trickle->begin + (trickle->fired ? trickle->interval : trickle->at);
}
