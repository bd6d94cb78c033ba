/* Address and key of the radio, from the options. */
#ifndef MOTE_APPS_RADIO_VALUES_H
#define MOTE_APPS_RADIO_VALUES_H

#include "mote/crypto.h"
#include "mote/link_address.h"

/* Derives a locally administered unicast EUI-64 from the name. */
void radio_address(const struct sha256 *hash, const char *ep, uint8_t eui64[EUI64_SIZE]);

/* Reads a key from 32 hexadecimal digits, or from a file that begins with them. */
bool radio_key_read(const char *text, uint8_t key[AES_BLOCK]);

#endif
