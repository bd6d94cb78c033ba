/*
 * Reads the recordings in vectors/, one line at a time. Their heads describe the lines:
 *
 * - "t dir hex # note": a frame, of kind '*', '>' or '<'
 * - "## step": a step of the scenario, of kind '#'
 * - "# plain: hex", "# ip6: hex", "# key: hex": of kind 'p', 'i' or 'k'
 * - "l2 src=.. dst=..", "ipv6 hex", "frame hex": lines of the Linux file, of kind 'l', 'i' or 'f'
 */
#ifndef MOTE_TESTS_VECTORS_H
#define MOTE_TESTS_VECTORS_H

#include "harness.h"

struct vector_line {
    char kind;
    int number;
    unsigned long time; /* ms, of frames */
    uint8_t octets[2048];
    size_t len;
    char text[8192];
};

static const char *const contiki_files[] = {
    "air",          "coap",         "echo",         "forming",
    "llsec-level1", "llsec-level2", "llsec-level3", "llsec-level4",
    "llsec-level5", "llsec-level6", "llsec-level7", "llsec-level5-keyindex",
    "native-br",    "rejoin",       "udp",          "native-br-prefix",
};
enum { CONTIKI_FILES = sizeof contiki_files / sizeof contiki_files[0] };

static inline FILE *vector_open(const char *folder, const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "vectors/%s/%s.txt", folder, name);
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        printf("cannot open %s: run the tests in the folder mote-firmware\n", path);
        exit(EXIT_FAILURE);
    }
    return file;
}

static inline bool vector_label(struct vector_line *line, const char *label, char kind)
{
    size_t len = strlen(label);
    if (strncmp(line->text, label, len) != 0)
        return false;
    line->kind = kind;
    line->len = from_hex(line->text + len, line->octets, sizeof line->octets);
    return true;
}

/* Reads the next line with content; false at the end of the file. */
static inline bool vector_next(FILE *file, struct vector_line *line)
{
    while (fgets(line->text, sizeof line->text, file) != NULL) {
        char direction;
        int at = 0;
        line->number++;
        if (vector_label(line, "# plain:", 'p') || vector_label(line, "# ip6:", 'i') ||
            vector_label(line, "# key:", 'k') || vector_label(line, "ipv6 ", 'i') ||
            vector_label(line, "frame ", 'f') || vector_label(line, "l2 ", 'l'))
            return true;
        if (strncmp(line->text, "## ", 3) == 0) {
            line->kind = '#';
            return true;
        }
        if (sscanf(line->text, "%lu %c %n", &line->time, &direction, &at) == 2 &&
            strchr("*<>", direction) != NULL && at > 0) {
            line->kind = direction;
            line->len = from_hex(line->text + at, line->octets, sizeof line->octets);
            return true;
        }
    }
    return false;
}

/*
 * The PSDU without FCS of a frame line. NULL for a SLIP command, a report or text of the recorded
 * slip-radio. The PSDU is in the line.
 */
static inline uint8_t *vector_psdu(struct vector_line *line, size_t *len)
{
    uint8_t *at = line->octets;
    if (line->kind == '*' || line->kind == 'f') {
        *len = line->len - 2;
        return at;
    }
    if (line->kind == '>') {
        if (line->len < 4 || at[0] != '!' || at[1] != 'S' || line->len < 4U + 3U * at[3])
            return NULL;
        *len = line->len - 4 - 3U * at[3];
        return at + 4 + 3 * at[3];
    }
    bool text = line->len < 11 || at[0] == '!' || at[0] == '?' || at[0] == 'E' || at[0] == '[';
    if (line->kind != '<' || text)
        return NULL;
    *len = line->len;
    return at;
}

#endif
