/*
 * The storage of a block store on Coffee: one file for each segment. Each file reserves a whole
 * sector (of a cc2538), because files that share a sector can be lost together when power is cut.
 * An erasure removes the file; Coffee erases its sector when it needs it.
 *
 * Coffee reads unwritten octets as zeros, and finds the end of a file by its last non-zero octet.
 * Octets are stored inverted, so unwritten octets are 0xFF and the end does not matter. A block
 * store writes each octet once, as flash requires. Coffee is configured for this and keeps no log
 * of changes.
 */
#include <stdio.h>
#include <string.h>

#include "cfs-coffee-arch.h"
#include "cfs/cfs-coffee.h"
#include "cfs/cfs.h"
#include "contiki-port.h"

enum { NAME_SIZE = 16, PART = 32 };

static void file_name(char out[NAME_SIZE], uint32_t segment)
{
    snprintf(out, NAME_SIZE, "blocks.%u", (unsigned)segment);
}

static void invert(uint8_t *out, const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)~data[i];
}

static int blocks_read(void *context, uint32_t segment, uint32_t at, uint8_t *out, size_t len)
{
    char name[NAME_SIZE];
    int got = 0;
    int file;

    (void)context;
    memset(out, 0, len);
    file_name(name, segment);
    file = cfs_open(name, CFS_READ);
    if (file >= 0) {
        /* Coffee reads nothing after the last written octet. */
        if (cfs_seek(file, (cfs_offset_t)at, CFS_SEEK_SET) == (cfs_offset_t)at)
            got = cfs_read(file, out, (unsigned)len);
        cfs_close(file);
    }
    invert(out, out, len);
    return got < 0 ? MOTE_E_IO : MOTE_OK;
}

/* Written octets are read back, because Coffee treats a sector whose erasure was interrupted as
 * free. */
static bool holds(uint32_t segment, uint32_t at, const uint8_t *data, size_t len)
{
    uint8_t found[PART];
    bool same = true;

    for (size_t done = 0; done < len && same; done += sizeof found) {
        size_t part = len - done < sizeof found ? len - done : sizeof found;

        same = blocks_read(NULL, segment, at + (uint32_t)done, found, part) == MOTE_OK &&
               memcmp(found, data + done, part) == 0;
    }
    return same;
}

static int blocks_write(void *context, uint32_t segment, uint32_t at, const uint8_t *data,
                        size_t len)
{
    char name[NAME_SIZE];
    uint8_t inverted[PART];
    bool put;
    int file;

    (void)context;
    file_name(name, segment);
    file = cfs_open(name, CFS_READ | CFS_WRITE);
    if (file < 0)
        return MOTE_E_IO;
    put = cfs_coffee_set_io_semantics(file, CFS_COFFEE_IO_FLASH_AWARE | CFS_COFFEE_IO_FIRM_SIZE) ==
              0 &&
          cfs_seek(file, (cfs_offset_t)at, CFS_SEEK_SET) == (cfs_offset_t)at;
    for (size_t done = 0; done < len && put; done += sizeof inverted) {
        size_t part = len - done < sizeof inverted ? len - done : sizeof inverted;

        invert(inverted, data + done, part);
        put = cfs_write(file, inverted, (unsigned)part) == (int)part;
    }
    cfs_close(file);
    return put && holds(segment, at, data, len) ? MOTE_OK : MOTE_E_IO;
}

static int blocks_erase(void *context, uint32_t segment)
{
    char name[NAME_SIZE];

    (void)context;
    file_name(name, segment);
    (void)cfs_remove(name); /* fails if there is no file */
    return cfs_coffee_reserve(name, COFFEE_DYN_SIZE) == 0 ? MOTE_OK : MOTE_E_IO;
}

struct block_storage port_blocks(uint32_t segments)
{
    return (struct block_storage){.read = blocks_read,
                                  .write = blocks_write,
                                  .erase = blocks_erase,
                                  .segment_size = COFFEE_DYN_SIZE,
                                  .segment_count = segments};
}
