#include "ram_blocks.h"

#include <stdlib.h>
#include <string.h>

static void check_range(const struct ram_blocks *ram, uint32_t segment, uint32_t at, size_t len)
{
    if (segment >= ram->port.segment_count || at > ram->port.segment_size ||
        len > ram->port.segment_size - at)
        abort();
}

static int ram_read(void *context, uint32_t segment, uint32_t at, uint8_t *out, size_t len)
{
    struct ram_blocks *ram = context;

    check_range(ram, segment, at, len);
    ram->reads++;
    if (ram->dark)
        return MOTE_E_IO;
    memcpy(out, ram->octets[segment] + at, len);
    return MOTE_OK;
}

/* The octets that the interrupted write did not reach. */
static void leave(uint8_t *octets, size_t len, enum fake_rest rest)
{
    for (size_t i = 0; i < len; i++)
        if (rest == FAKE_ERASED)
            octets[i] = 0xff;
        else if (rest == FAKE_ZEROS)
            octets[i] = 0;
        else if (rest == FAKE_ANYTHING)
            octets[i] = (uint8_t)(octets[i] * 181 + i * 109 + 7);
}

/* Counts a write; true if power fails in it, after `torn` octets. */
static bool cut(struct ram_blocks *ram, uint8_t *to, const uint8_t *data, size_t len)
{
    size_t reached = ram->torn < len ? ram->torn : len;

    if (ram->dark || ++ram->writes != ram->cut_at)
        return ram->dark;
    bool backwards = data == NULL && ram->backwards;
    leave(backwards ? to : to + reached, len - reached, ram->rest);
    if (data != NULL)
        memcpy(to, data, reached);
    else
        memset(backwards ? to + len - reached : to, 0xff, reached);
    ram->dark = true;
    return true;
}

static int ram_write(void *context, uint32_t segment, uint32_t at, const uint8_t *data, size_t len)
{
    struct ram_blocks *ram = context;
    uint8_t *to = ram->octets[segment] + at;

    check_range(ram, segment, at, len);
    if (cut(ram, to, data, len))
        return MOTE_E_IO;
    for (size_t i = 0; i < len; i++) {
        ram->overwritten = ram->overwritten || to[i] != 0xff;
        to[i] &= data[i];
    }
    return MOTE_OK;
}

static int ram_erase(void *context, uint32_t segment)
{
    struct ram_blocks *ram = context;

    check_range(ram, segment, 0, 0);
    ram->erases[segment]++;
    if (cut(ram, ram->octets[segment], NULL, ram->port.segment_size))
        return MOTE_E_IO;
    memset(ram->octets[segment], 0xff, ram->port.segment_size);
    return MOTE_OK;
}

void ram_blocks_init(struct ram_blocks *ram, uint32_t segment_size, uint32_t segment_count)
{
    if (segment_size > RAM_SEGMENT_MAX || segment_count > RAM_SEGMENTS_MAX)
        abort();
    memset(ram, 0, sizeof *ram);
    memset(ram->octets, 0xff, sizeof ram->octets);
    ram->port =
        (struct block_storage){ram_read, ram_write, ram_erase, segment_size, segment_count, ram};
}

void ram_blocks_power_on(struct ram_blocks *ram)
{
    ram->dark = false;
    ram->cut_at = 0;
    ram->writes = 0;
}
