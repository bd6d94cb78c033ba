/*
 * Link-layer addresses of IEEE 802.15.4: none, short (2 octets) or extended (an EUI-64). They are
 * kept most significant octet first, as an EUI-64 is written; on the air they are little-endian.
 */
#ifndef MOTE_LINK_ADDRESS_H
#define MOTE_LINK_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { EUI64_SIZE = 8 };

/* The value is the length in octets. */
enum link_address_size { LINK_NONE = 0, LINK_SHORT = 2, LINK_EXTENDED = 8 };

struct link_address {
    uint8_t size; /* enum link_address_size */
    uint8_t octets[EUI64_SIZE];
};

/* True for the short address 0xffff. */
bool link_is_broadcast(const struct link_address *address);
bool link_equal(const struct link_address *a, const struct link_address *b);
struct link_address link_extended(const uint8_t eui[EUI64_SIZE]);
struct link_address link_short(uint16_t address);

#endif
