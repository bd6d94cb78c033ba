/* Records of readings, and the block that they fill. */
#include <string.h>

#include "mote/block_store.h"
#include "mote/base.h"

enum { MANTISSA_MAX = 0x7fffff, EXPONENT_MIN = -8, EXPONENT_MAX = 7, MANTISSA_BITS = 24 };

int block_store_record_value(struct block_store_record *record, struct decimal value)
{
    int64_t mantissa = value.digits;
    int exponent = -(int)value.places;

    while (mantissa > MANTISSA_MAX || mantissa < -MANTISSA_MAX || exponent < EXPONENT_MIN) {
        int64_t half = mantissa < 0 ? -5 : 5;
        /* Divided first, so that the sum cannot overflow. */
        mantissa = mantissa / 10 + (mantissa % 10 + half) / 10;
        exponent++;
    }
    if (exponent > EXPONENT_MAX)
        return MOTE_E_SPACE;
    record->mantissa = (int32_t)mantissa;
    record->exponent = (int8_t)exponent;
    return MOTE_OK;
}

void block_store_record_write(const struct block_store_record *record,
                              uint8_t out[BLOCK_STORE_RECORD_SIZE])
{
    struct writer w;
    uint32_t mantissa = (uint32_t)record->mantissa & 0xffffff;
    uint32_t exponent = (uint32_t)record->exponent & 0xf;

    writer_init(&w, out, BLOCK_STORE_RECORD_SIZE);
    writer_u32(&w, (uint32_t)record->sensor << 28 | exponent << MANTISSA_BITS | mantissa);
    writer_u32(&w, record->time);
    writer_u16(&w, record->sequence);
}

/* The signed number whose lowest `bits` are the lowest bits of `value`; the highest is the sign. */
static int32_t signed_of(uint32_t value, unsigned bits)
{
    uint32_t sign = (uint32_t)1 << (bits - 1);

    value &= sign + (sign - 1);
    return (int32_t)(value & (sign - 1)) - (int32_t)(value & sign);
}

bool block_store_record_read(const uint8_t octets[BLOCK_STORE_RECORD_SIZE],
                             struct block_store_record *record)
{
    struct reader r;

    reader_init(&r, octets, BLOCK_STORE_RECORD_SIZE);
    uint32_t value = reader_u32(&r);
    record->sensor = (uint8_t)(value >> 28);
    record->exponent = (int8_t)signed_of(value >> MANTISSA_BITS, 4);
    record->mantissa = signed_of(value, MANTISSA_BITS);
    record->time = reader_u32(&r);
    record->sequence = reader_u16(&r);
    return record->sensor < BLOCK_STORE_SENSORS_MAX;
}

static unsigned places(const struct block_store *store)
{
    return store->config.payload_size / (unsigned)BLOCK_STORE_RECORD_SIZE;
}

int block_store_log_flush(struct block_store_log *log, struct block_store *store)
{
    uint32_t number;

    if (log->count == 0)
        return MOTE_OK;
    int error = block_store_append(store, log->payload, log->least, log->greatest, &number);
    if (!error)
        log->count = 0;
    return error;
}

int block_store_log_add(struct block_store_log *log, struct block_store *store,
                        const struct block_store_record *record)
{
    int error = MOTE_OK;

    if (places(store) == 0)
        return MOTE_E_UNSUPPORTED;
    if (log->count == places(store))
        error = block_store_log_flush(log, store);
    if (error)
        return error;
    if (log->count == 0) {
        memset(log->payload, 0xff, sizeof log->payload);
        log->least = log->greatest = record->time;
    }
    if (record->time < log->least)
        log->least = record->time;
    if (record->time > log->greatest)
        log->greatest = record->time;
    block_store_record_write(record, log->payload + log->count++ * BLOCK_STORE_RECORD_SIZE);
    return log->count == places(store) ? block_store_log_flush(log, store) : MOTE_OK;
}
