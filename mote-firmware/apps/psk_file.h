/* The pre-shared key of --psk: a line IDENTITY=KEY, as in the gateway's file of keys. */
#ifndef MOTE_APPS_PSK_FILE_H
#define MOTE_APPS_PSK_FILE_H

#include <stddef.h>
#include <stdint.h>

enum { PSK_IDENTITY_MAX = 128, PSK_KEY_MIN = 8, PSK_KEY_MAX = 128, PSK_FILE_SIZE = 1024 };

struct psk {
    char identity[PSK_IDENTITY_MAX + 1];
    uint8_t key[PSK_KEY_MAX];
    size_t key_len;
};

/*
 * Reads the only line of `text` that is not empty and does not begin with #. The key is text, or
 * `hex:` and pairs of hexadecimal digits. Returns 0, or -1 with a sentence in `problem` that shows
 * no key.
 */
int psk_file_parse(struct psk *psk, const char *text, size_t len, char *problem, size_t size);

/* The same for a file that only its owner may open. */
int psk_file_load(struct psk *psk, const char *path, char *problem, size_t size);

#endif
