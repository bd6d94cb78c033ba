/*
 * Two slots for each area. Flash file systems and Contiki-NG's POSIX one cannot change a part of a
 * file, so each slot is a file of its own, taken away and written as a whole: what power loss cuts
 * is that slot alone. Cooja has one file for everything, in which slots lie behind one another.
 */
#include <stdio.h>
#include <string.h>

#include "cfs/cfs.h"
#include "contiki-port.h"

#if CONTIKI_TARGET_NATIVE && !COFFEE
#define ONE_FILE 0
#define RESERVES 0
#elif CONTIKI_TARGET_COOJA
#define ONE_FILE 1
#define RESERVES 0
#else
#include "cfs/cfs-coffee.h"
#define ONE_FILE 0
#define RESERVES 1
#endif

enum { NAME_SIZE = 128 };

/* An area's context is its place here. */
static struct {
    uint8_t areas[PORT_AREAS];
} files;

static unsigned area_of(const void *context)
{
    return (unsigned)((const uint8_t *)context - files.areas);
}

static void file_name(char out[NAME_SIZE], const void *context, unsigned slot)
{
#if CONTIKI_TARGET_NATIVE
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

static bool any(const uint8_t *data, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (data[i] != 0)
            return true;
    return false;
}

static int slot_read(void *context, unsigned slot, uint8_t *out, size_t len)
{
    char name[NAME_SIZE];
    int got = 0;
    int file;

    memset(out, 0xff, len);
    file_name(name, context, slot);
    file = cfs_open(name, CFS_READ);
    if (file < 0)
        return MOTE_OK; /* never written */
    if (cfs_seek(file, offset(context, slot), CFS_SEEK_SET) == offset(context, slot))
        got = cfs_read(file, out, (unsigned)len);
    cfs_close(file);
    if (got < 0)
        return MOTE_E_IO;
    /* Cooja's file is zeros where nothing was written. */
    if (!any(out, len))
        memset(out, 0xff, len);
    return MOTE_OK;
}

static int slot_write(void *context, unsigned slot, const uint8_t *data, size_t len)
{
    char name[NAME_SIZE];
    int put = -1;
    int file;

    file_name(name, context, slot);
#if RESERVES
    (void)cfs_remove(name);
    if (cfs_coffee_reserve(name, STORAGE_SLOT_SIZE) < 0)
        return MOTE_E_IO;
#endif
    file = cfs_open(name, CFS_WRITE);
    if (file < 0)
        return MOTE_E_IO;
    if (cfs_seek(file, offset(context, slot), CFS_SEEK_SET) == offset(context, slot))
        put = cfs_write(file, data, (unsigned)len);
    cfs_close(file);
    return put == (int)len ? MOTE_OK : MOTE_E_IO;
}

struct storage port_storage(enum port_area area)
{
    return (struct storage){.read = slot_read, .write = slot_write, .context = &files.areas[area]};
}
