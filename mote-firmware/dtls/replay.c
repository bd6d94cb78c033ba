#include "replay.h"

#include <stdio.h>
#include <string.h>

#include "mote/base.h"

const size_t replay_sizes[REPLAY_SIZES] = {16, 32, 64, 128, 256};

static const uint8_t identity[] = {'m', 'o', 't', 'e', '-', '7'};
static const uint8_t key[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

bool replay_load(struct replay *replay, const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL)
        return false;
    replay->len = fread(replay->octets, 1, sizeof replay->octets, file);
    (void)fclose(file);
    return replay->len > 0 && replay->len < sizeof replay->octets;
}

/* A linear congruential generator (Knuth's MMIX): repeatable, and unsuitable for secrets. */
static int roll(void *context, uint8_t *out, size_t len)
{
    struct replay *replay = context;

    for (size_t i = 0; i < len; i++) {
        replay->dice = replay->dice * 6364136223846793005U + 1442695040888963407U;
        out[i] = (uint8_t)(replay->dice >> 56);
    }
    return MOTE_OK;
}

void replay_start(struct replay *replay)
{
    replay->at = 0;
    replay->dice = 1;
    replay->random = (struct random){roll, replay};
    for (size_t i = 0; i < sizeof replay->message; i++)
        replay->message[i] = (uint8_t)i;
}

size_t replay_next(struct replay *replay, const uint8_t **datagram)
{
    size_t left = replay->len - replay->at;
    size_t len;

    if (left < 2)
        return 0;
    len = (size_t)replay->octets[replay->at] << 8 | replay->octets[replay->at + 1];
    if (len > left - 2)
        return 0;
    *datagram = replay->octets + replay->at + 2;
    replay->at += 2 + len;
    return len;
}

struct dtls_config replay_config(struct replay *replay, bool connection_id)
{
    return (struct dtls_config){.random = &replay->random,
                                .identity = identity,
                                .identity_len = sizeof identity,
                                .key = key,
                                .key_len = sizeof key,
                                .connection_id = connection_id};
}
