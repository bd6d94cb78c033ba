/*
 * Storage of two slots for each area. Neither flash file systems nor Contiki-NG's POSIX files can
 * change a part of a file. Each slot is therefore a file, which is removed and rewritten, or
 * appended to: an interrupted write damages only its slot. Cooja has a single file, in which the
 * slots are consecutive and nothing is appended.
 *
 * Coffee determines the end of a file by its last non-zero octet. A record is therefore padded with
 * non-zero octets up to the next append, and appended octets end in a non-zero one. Each Coffee
 * file has a whole sector: files that share a sector, or reach into the next, can be lost when
 * power is cut while another file is written. Such a cut leaves files with incomplete names, which
 * are removed when space runs out. Coffee treats a sector whose erasure was interrupted as free, so
 * written octets are read back.
 */
#include <stdio.h>
#include <string.h>

#include "cfs/cfs.h"
#include "contiki-port.h"

#if CONTIKI_TARGET_NATIVE && !MOTE_COFFEE
#define ONE_FILE 0
#define RESERVES 0
#define SLOT_ROOM 4096
#elif CONTIKI_TARGET_COOJA
#define ONE_FILE 1
#define RESERVES 0
#define SLOT_ROOM 0
#else
#include "cfs-coffee-arch.h"
#include "cfs/cfs-coffee.h"
#define ONE_FILE 0
#define RESERVES 1
#define SLOT_ROOM COFFEE_DYN_SIZE
#endif

enum { NAME_SIZE = 128, END = 0x5a };

/* The context of an area is the address of its element. */
static struct {
    uint8_t areas[PORT_AREAS];
} files;

static unsigned area_of(const void *context)
{
    return (unsigned)((const uint8_t *)context - files.areas);
}

static void file_name(char out[NAME_SIZE], const void *context, unsigned slot)
{
#if CONTIKI_TARGET_NATIVE && !MOTE_COFFEE
    const char *name = native_options()->state;
#else
    const char *name = "vigil";
#endif

    snprintf(out, NAME_SIZE, "%s.%u", name, area_of(context) * STORAGE_SLOTS + slot);
}

static cfs_offset_t offset(const void *context, unsigned slot)
{
    return ONE_FILE ? (cfs_offset_t)(area_of(context) * STORAGE_SLOTS + slot) * STORAGE_SLOT_SIZE
                    : 0;
}

static bool has_content(const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (data[i] != 0)
            return true;
    return false;
}

static int slot_read(void *context, unsigned slot, size_t at, uint8_t *out, size_t len)
{
    const cfs_offset_t from = offset(context, slot) + (cfs_offset_t)at;
    char name[NAME_SIZE];
    int got = 0;
    int file;

    memset(out, 0xff, len);
    file_name(name, context, slot);
    file = cfs_open(name, CFS_READ);
    if (file < 0)
        return MOTE_OK; /* nothing written yet */
    if (cfs_seek(file, from, CFS_SEEK_SET) == from)
        got = cfs_read(file, out, (unsigned)len);
    cfs_close(file);
    if (got < 0)
        return MOTE_E_IO;
    /* Unwritten parts of Cooja's file are zeros. */
    if (!has_content(out, len))
        memset(out, 0xff, len);
    return MOTE_OK;
}

#if RESERVES
static bool reserve(const char *name)
{
    return cfs_coffee_reserve(name, COFFEE_DYN_SIZE) == 0;
}

/* Removes files whose name is a proper prefix of `name`. True if there were any. */
static bool sweep(const char *name)
{
    char torn[NAME_SIZE];
    bool any = false;

    for (size_t len = 0; len < strlen(name); len++) {
        memcpy(torn, name, len);
        torn[len] = '\0';
        any = cfs_remove(torn) == 0 || any;
    }
    return any;
}
#endif

/* True if the file has these octets at offset `from`. */
static bool holds(const char *name, cfs_offset_t from, const uint8_t *data, size_t len)
{
    uint8_t found[32];
    int file = cfs_open(name, CFS_READ);
    bool same;

    if (file < 0)
        return false;
    same = cfs_seek(file, from, CFS_SEEK_SET) == from;
    for (size_t at = 0; same && at < len; at += sizeof found) {
        size_t part = len - at < sizeof found ? len - at : sizeof found;

        same = cfs_read(file, found, (unsigned)part) == (int)part &&
               memcmp(found, data + at, part) == 0;
    }
    cfs_close(file);
    return same;
}

/* Appends only if the file ends at `at`: nothing is appended after an interrupted write. */
static int slot_append(const char *name, size_t at, const uint8_t *data, size_t len)
{
    int file = cfs_open(name, CFS_WRITE | CFS_APPEND);
    bool put;

    if (file < 0)
        return MOTE_E_IO;
    put = cfs_seek(file, 0, CFS_SEEK_END) == (cfs_offset_t)at &&
          cfs_write(file, data, (unsigned)len) == (int)len;
    cfs_close(file);
    return put && holds(name, (cfs_offset_t)at, data, len) ? MOTE_OK : MOTE_E_IO;
}

static int slot_write(void *context, unsigned slot, size_t at, const uint8_t *data, size_t len)
{
    static const uint8_t end[STORAGE_ALIGN] = {END, END, END, END, END, END, END, END};
    const int rest = STORAGE_ALIGN - (int)(len % STORAGE_ALIGN);
    char name[NAME_SIZE];
    bool put = false;
    int file;

    file_name(name, context, slot);
    if (at > 0)
        return slot_append(name, at, data, len);
#if RESERVES
    (void)cfs_remove(name);
    if (!reserve(name) && !(sweep(name) && reserve(name)))
        return MOTE_E_IO;
#endif
    file = cfs_open(name, CFS_WRITE);
    if (file < 0)
        return MOTE_E_IO;
    if (cfs_seek(file, offset(context, slot), CFS_SEEK_SET) == offset(context, slot))
        put = cfs_write(file, data, (unsigned)len) == (int)len &&
              cfs_write(file, end, (unsigned)rest) == rest;
    cfs_close(file);
    return put && holds(name, offset(context, slot), data, len) ? MOTE_OK : MOTE_E_IO;
}

struct storage port_storage(enum port_area area)
{
    return (struct storage){slot_read, slot_write, SLOT_ROOM, &files.areas[area]};
}
