#include "counters.h"

enum { CHECK_SIZE = 8, VALUES_SIZE = 4 + 4 * COUNTERS, RECORD_SIZE = VALUES_SIZE + CHECK_SIZE };

static void check_of(const struct sha256 *hash, const uint8_t *values, uint8_t digest[SHA256_SIZE])
{
    const struct piece pieces[] = {{values, VALUES_SIZE}};

    sha256_pieces(hash, pieces, 1, digest);
}

static bool is_empty(const uint8_t record[RECORD_SIZE])
{
    for (size_t i = 0; i < RECORD_SIZE; i++)
        if (record[i] != 0xff)
            return false;
    return true;
}

/* A whole record, or why it is none: MOTE_E_STATE when nothing was ever written. */
static int read_slot(const struct counters *counters, unsigned slot, struct counters *found)
{
    const struct storage *storage = counters->storage;
    uint8_t record[RECORD_SIZE];
    uint8_t digest[SHA256_SIZE];
    struct reader in;
    int error = storage->read(storage->context, slot, 0, record, sizeof record);

    if (error != MOTE_OK)
        return error;
    if (is_empty(record))
        return MOTE_E_STATE;
    check_of(counters->hash, record, digest);
    if (!equal_ct(record + VALUES_SIZE, digest, CHECK_SIZE))
        return MOTE_E_MALFORMED;
    *found = *counters;
    reader_init(&in, record, sizeof record);
    found->generation = reader_u32(&in);
    for (size_t i = 0; i < COUNTERS; i++)
        found->saved[i] = reader_u32(&in);
    return MOTE_OK;
}

int counters_open(struct counters *counters, const struct storage *storage,
                  const struct sha256 *hash)
{
    struct counters found;
    int errors[STORAGE_SLOTS];
    bool whole = false;

    *counters = (struct counters){.storage = storage, .hash = hash};
    for (unsigned slot = 0; slot < STORAGE_SLOTS; slot++) {
        errors[slot] = read_slot(counters, slot, &found);
        if (errors[slot] == MOTE_E_IO)
            return MOTE_E_IO;
        if (errors[slot] == MOTE_OK && (!whole || found.generation > counters->generation)) {
            *counters = found;
            whole = true;
        }
    }
    /* The first record of all goes to slot 1: if it is torn, nothing was saved before. */
    return whole || (errors[0] == MOTE_E_STATE && errors[1] != MOTE_E_IO) ? MOTE_OK
                                                                          : MOTE_E_MALFORMED;
}

int counters_save(struct counters *counters, enum counter counter, uint32_t value)
{
    const struct storage *storage = counters->storage;
    struct counters next = *counters;
    uint8_t record[RECORD_SIZE];
    uint8_t digest[SHA256_SIZE];
    struct writer out;
    int error;

    next.generation++;
    next.saved[counter] = value;
    writer_init(&out, record, sizeof record);
    writer_u32(&out, next.generation);
    for (size_t i = 0; i < COUNTERS; i++)
        writer_u32(&out, next.saved[i]);
    check_of(counters->hash, record, digest);
    writer_bytes(&out, digest, CHECK_SIZE);
    error =
        storage->write(storage->context, next.generation % STORAGE_SLOTS, 0, record, sizeof record);
    if (error == MOTE_OK)
        *counters = next;
    return error;
}
