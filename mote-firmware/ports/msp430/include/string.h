/* The part of the C library that the core needs; clang has none for this processor. */
#ifndef MOTE_PORTS_MSP430_STRING_H
#define MOTE_PORTS_MSP430_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t len);
void *memmove(void *to, const void *from, size_t len);
void *memset(void *to, int value, size_t len);
int memcmp(const void *a, const void *b, size_t len);
size_t strlen(const char *text);

#endif
