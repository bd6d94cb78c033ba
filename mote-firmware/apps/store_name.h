/* Names of block stores (docs/protocol.md section 12). */
#ifndef MOTE_APPS_STORE_NAME_H
#define MOTE_APPS_STORE_NAME_H

#include <stdbool.h>
#include <stddef.h>

enum { STORE_NAME_MAX = 15 };

/* Reads a name: 1 to STORE_NAME_MAX of a to z, 0 to 9 and -. False, with an empty `name`, for other
 * text. */
bool store_name_read(const char *text, size_t len, char name[STORE_NAME_MAX + 1]);

#endif
