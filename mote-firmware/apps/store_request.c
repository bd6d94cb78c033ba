#include "store_request.h"

#include "mote/base.h"
#include "mote/cbor.h"

enum { BURST = 32 };

int store_request_read(struct store_request *request, const uint8_t *octets, size_t len)
{
    struct reader in;
    uint64_t count;
    uint64_t label;
    uint64_t value;
    unsigned seen = 0;

    *request = (struct store_request){
        .to = UINT32_MAX, .first = 1, .last = UINT32_MAX, .blocks = UINT32_MAX};
    uint32_t *fields[] = {&request->from, &request->to, &request->first, &request->last,
                          &request->blocks};
    reader_init(&in, octets, len);
    if (!cbor_take(&in, CBOR_MAP, &count) || count > sizeof fields / sizeof fields[0])
        return MOTE_E_MALFORMED;
    for (uint64_t i = 0; i < count; i++) {
        if (!cbor_take(&in, CBOR_UNSIGNED, &label) || label > STORE_BLOCKS ||
            (seen >> label & 1) != 0 || !cbor_take(&in, CBOR_UNSIGNED, &value) ||
            value > UINT32_MAX)
            return MOTE_E_MALFORMED;
        *fields[label] = (uint32_t)value;
        seen |= 1U << label;
    }
    bool counted = (seen >> STORE_BLOCKS & 1) == 0 || (seen >> STORE_FIRST & 1) != 0;
    bool ordered = request->from <= request->to && request->first <= request->last;
    return in.left == 0 && counted && ordered ? MOTE_OK : MOTE_E_MALFORMED;
}

int store_burst_find(struct store_burst *burst, const struct block_store *store,
                     const struct store_request *request)
{
    struct stored_block block;
    uint32_t from = request->first;

    *burst = (struct store_burst){.first = 0};
    for (;;) {
        int error = block_store_find(store, from, request->from, request->to, &block);

        if (error == MOTE_E_STATE || (error != MOTE_E_IO && block.number > request->last))
            return MOTE_OK;
        if (error != MOTE_OK && error != MOTE_E_MALFORMED)
            return error;
        if (burst->first == 0)
            burst->first = request->blocks == UINT32_MAX ? block.number : request->first;
        uint32_t place = block.number - burst->first;
        if (place >= BURST) {
            burst->next = block.number;
            return MOTE_OK;
        }
        uint32_t bit = (uint32_t)1 << place;
        if (error == MOTE_E_MALFORMED)
            burst->damaged |= bit & request->blocks;
        else
            burst->blocks |= bit & request->blocks;
        from = block.number + 1;
    }
}

static void pair_write(struct writer *out, unsigned label, uint32_t value)
{
    if (value == 0)
        return;
    cbor_head_write(out, CBOR_UNSIGNED, label);
    cbor_head_write(out, CBOR_UNSIGNED, value);
}

void store_burst_write(const struct store_burst *burst, struct writer *out)
{
    unsigned pairs = (unsigned)(burst->first != 0) + (burst->blocks != 0) + (burst->damaged != 0) +
                     (burst->next != 0);

    cbor_head_write(out, CBOR_MAP, pairs);
    pair_write(out, STORE_FIRST, burst->first);
    pair_write(out, STORE_BLOCKS, burst->blocks);
    pair_write(out, STORE_DAMAGED, burst->damaged);
    pair_write(out, STORE_NEXT, burst->next);
}

int store_rekey_read(const uint8_t *octets, size_t len)
{
    struct reader in;
    uint64_t count = 0;

    reader_init(&in, octets, len);
    return len == 0 || (cbor_take(&in, CBOR_MAP, &count) && count == 0 && in.left == 0)
               ? MOTE_OK
               : MOTE_E_MALFORMED;
}

void store_rekey_write(const struct block_store_rekeyed *rekeyed, struct writer *out)
{
    cbor_head_write(out, CBOR_MAP, (unsigned)(rekeyed->blocks != 0) + (rekeyed->segments != 0));
    pair_write(out, STORE_REKEYED, rekeyed->blocks);
    pair_write(out, STORE_SEGMENTS, rekeyed->segments);
}
