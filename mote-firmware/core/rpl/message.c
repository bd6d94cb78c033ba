/*
 * Reads and writes DIO and its options (RFC 6550 sections 6.3 and 6.7); compares sequence counters.
 */
#include "mote/rpl.h"

#include <string.h>

enum {
    OPTION_PAD1 = 0,
    OPTION_CONFIG = 4,
    OPTION_PREFIX = 8,
    CONFIG_LEN = 14,
    PREFIX_LEN = 30,
    SEQUENCE_WINDOW = 16
};

static void read_config(struct reader r, struct rpl_dio *dio)
{
    struct rpl_config *config = &dio->config;
    config->flags = reader_u8(&r);
    config->doublings = reader_u8(&r);
    config->min_interval = reader_u8(&r);
    config->redundancy = reader_u8(&r);
    config->max_rank_increase = reader_u16(&r);
    config->min_hop_rank_increase = reader_u16(&r);
    config->objective = reader_u16(&r);
    reader_u8(&r);
    config->lifetime = reader_u8(&r);
    config->lifetime_unit = reader_u16(&r);
    dio->has_config = !r.failed;
}

static void read_prefix(struct reader r, struct rpl_dio *dio)
{
    struct rpl_prefix *prefix = &dio->prefix;
    prefix->len = reader_u8(&r);
    prefix->flags = reader_u8(&r);
    prefix->valid = reader_u32(&r);
    prefix->preferred = reader_u32(&r);
    reader_u32(&r);
    reader_copy(&r, prefix->prefix.octets, sizeof prefix->prefix.octets);
    dio->has_prefix = !r.failed;
}

/* Options we do not know are skipped (section 6.7.1). */
static int read_options(struct reader *r, struct rpl_dio *dio)
{
    while (r->left > 0) {
        struct reader option;
        uint8_t type = reader_u8(r);
        if (type == OPTION_PAD1)
            continue;
        uint8_t len = reader_u8(r);
        const uint8_t *data = reader_take(r, len);
        if (data == NULL)
            return MOTE_E_SHORT;
        reader_init(&option, data, len);
        if (type == OPTION_CONFIG)
            read_config(option, dio);
        else if (type == OPTION_PREFIX)
            read_prefix(option, dio);
    }
    return MOTE_OK;
}

int rpl_dio_parse(struct rpl_dio *dio, const uint8_t *body, size_t len)
{
    struct reader r;
    memset(dio, 0, sizeof *dio);
    reader_init(&r, body, len);
    dio->instance = reader_u8(&r);
    dio->version = reader_u8(&r);
    dio->rank = reader_u16(&r);
    dio->mode = reader_u8(&r);
    dio->dtsn = reader_u8(&r);
    reader_u16(&r);
    reader_copy(&r, dio->dodag.octets, sizeof dio->dodag.octets);
    return r.failed ? MOTE_E_SHORT : read_options(&r, dio);
}

static void write_config(const struct rpl_config *config, struct writer *w)
{
    writer_u8(w, OPTION_CONFIG);
    writer_u8(w, CONFIG_LEN);
    writer_u8(w, config->flags);
    writer_u8(w, config->doublings);
    writer_u8(w, config->min_interval);
    writer_u8(w, config->redundancy);
    writer_u16(w, config->max_rank_increase);
    writer_u16(w, config->min_hop_rank_increase);
    writer_u16(w, config->objective);
    writer_u8(w, 0);
    writer_u8(w, config->lifetime);
    writer_u16(w, config->lifetime_unit);
}

static void write_prefix(const struct rpl_prefix *prefix, struct writer *w)
{
    writer_u8(w, OPTION_PREFIX);
    writer_u8(w, PREFIX_LEN);
    writer_u8(w, prefix->len);
    writer_u8(w, prefix->flags);
    writer_u32(w, prefix->valid);
    writer_u32(w, prefix->preferred);
    writer_u32(w, 0);
    writer_bytes(w, prefix->prefix.octets, sizeof prefix->prefix.octets);
}

void rpl_dio_write(const struct rpl_dio *dio, struct writer *w)
{
    writer_u8(w, dio->instance);
    writer_u8(w, dio->version);
    writer_u16(w, dio->rank);
    writer_u8(w, dio->mode);
    writer_u8(w, dio->dtsn);
    writer_u16(w, 0);
    writer_bytes(w, dio->dodag.octets, sizeof dio->dodag.octets);
    if (dio->has_config)
        write_config(&dio->config, w);
    if (dio->has_prefix)
        write_prefix(&dio->prefix, w);
}

/* 128 to 255 is the linear part, used after a restart; 0 to 127 is the circular part. */
bool rpl_sequence_newer(uint8_t a, uint8_t b)
{
    if (a > 127 && b <= 127)
        return 256U + b - a > SEQUENCE_WINDOW;
    if (a <= 127 && b > 127)
        return 256U + a - b <= SEQUENCE_WINDOW;
    if (a <= 127) {
        unsigned ahead = (a - b) & 127U;
        return ahead > 0 && ahead <= SEQUENCE_WINDOW;
    }
    return a > b && a - b <= SEQUENCE_WINDOW;
}

uint8_t rpl_sequence_next(uint8_t value)
{
    return value == 127 || value == 255 ? 0 : (uint8_t)(value + 1);
}
