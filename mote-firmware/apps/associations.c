#define _POSIX_C_SOURCE 200809L
#include "associations.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mote/base.h"

enum { SENT_STEP = 256, TEXT_SIZE = SA_FILE_SIZE + 1 };

/* Reads the whole file into `text`; its length, or -1. */
static int read_file(const char *path, char *text, char *problem, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    struct stat status;
    ssize_t len = -1;

    if (fd < 0 || fstat(fd, &status) != 0)
        snprintf(problem, size, "--sa %s: %s", path, strerror(errno));
    else if (!S_ISREG(status.st_mode) || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        snprintf(problem, size, "--sa %s holds keys and others may open it: chmod 600 %s", path,
                 path);
    else if ((len = read(fd, text, TEXT_SIZE)) < 0 || len > SA_FILE_SIZE) {
        snprintf(problem, size, "--sa %s: give a file of at most %d octets", path, SA_FILE_SIZE);
        len = -1;
    }
    if (fd >= 0)
        close(fd);
    return (int)len;
}

/* Names the counter of an association after all that it is, so that a new key begins a new one. */
static void name_counter(const struct sa_entry *entry, const struct sha256 *hash,
                         uint8_t name[COUNTER_NAME])
{
    static const char purpose[] = "vigil-mote association ";
    const struct ipsec_sa *sa = &entry->sa;
    uint8_t digest[SHA256_SIZE];
    uint8_t head[6];
    struct writer w;

    writer_init(&w, head, sizeof head);
    writer_u8(&w, entry->inbound);
    writer_u8(&w, ipsec_protocol_number(sa));
    writer_u32(&w, sa->spi);
    const struct piece pieces[] = {{(const uint8_t *)purpose, sizeof purpose - 1},
                                   {head, sizeof head},
                                   {entry->destination.octets, sizeof entry->destination.octets},
                                   {sa->key, sizeof sa->key},
                                   {sa->salt, sizeof sa->salt},
                                   {sa->integrity_key, sizeof sa->integrity_key}};
    sha256_pieces(hash, pieces, sizeof pieces / sizeof pieces[0], digest);
    name[0] = 'A';
    memcpy(name + 1, digest, COUNTER_NAME - 1);
}

/* Sets the numbers of an association; MOTE_E_STATE without a record. */
static int resume(struct associations *associations, size_t i, bool fresh)
{
    struct sa_entry *entry = &associations->file.entries[i];
    struct ipsec_sa *sa = &entry->sa;
    const uint8_t *name = associations->names[i];
    uint32_t limit = counter_store_limit(associations->counters, name);
    int error = MOTE_OK;

    if (limit == 0 && fresh) {
        error = counter_store_reserve(associations->counters, name, 0,
                                      entry->inbound ? COUNTERS_RECEIVED_STEP : SENT_STEP);
        sa->reserved = counter_store_limit(associations->counters, name);
        return error;
    }
    /* All lower numbers count as used; without a record all there are. */
    sa->sent = sa->reserved = limit;
    sa->top = limit > 0 ? limit : UINT32_MAX;
    sa->window = UINT64_MAX;
    return limit > 0 ? MOTE_OK : MOTE_E_STATE;
}

int associations_open(struct associations *associations, const char *path, bool fresh,
                      struct counter_store *counters, const struct aes128 *aes,
                      const struct sha256 *hash, char *problem, size_t size)
{
    char text[TEXT_SIZE];
    char wrong[256];
    int len = read_file(path, text, problem, size);
    int error;

    memset(associations, 0, sizeof *associations);
    associations->counters = counters;
    bearssl_sha1(&associations->sha1, &associations->sha1_state);
    associations->crypto = (struct ipsec_crypto){aes, &associations->sha1, hash};
    if (len < 0)
        return -1;
    error = sa_file_parse(&associations->file, text, (size_t)len, wrong, sizeof wrong);
    wipe(text, sizeof text);
    if (error != 0) {
        snprintf(problem, size, "--sa %s: %s", path, wrong);
        return -1;
    }
    for (size_t i = 0; i < associations->file.count; i++) {
        unsigned line = associations->file.entries[i].line;

        name_counter(&associations->file.entries[i], hash, associations->names[i]);
        error = resume(associations, i, fresh);
        if (error == MOTE_E_STATE) {
            fprintf(stderr,
                    "vigil-mote: --sa %s: line %u: there is no record of its sequence numbers, so "
                    "it is not used: give both ends a new key and start once with --new-sa\n",
                    path, line);
        } else if (error != MOTE_OK) {
            snprintf(problem, size,
                     "--sa %s: line %u: its counter cannot be stored in the state file", path,
                     line);
            return -1;
        }
    }
    return 0;
}

/* Reserves the next number to send, or stores the highest one received. */
static int save(void *context, struct ipsec_sa *sa)
{
    struct associations *associations = context;
    struct counter_store *counters = associations->counters;
    size_t i = 0;
    const uint8_t *name;
    int error;

    while (&associations->file.entries[i].sa != sa)
        i++;
    name = associations->names[i];
    if (counter_store_limit(counters, name) == 0)
        return MOTE_E_STATE;
    if (associations->file.entries[i].inbound)
        return counter_store_reserve(counters, name, sa->top, COUNTERS_RECEIVED_STEP);
    error = counter_store_reserve(counters, name, sa->sent + 1, SENT_STEP);
    if (error == MOTE_OK)
        sa->reserved = counter_store_limit(counters, name);
    return error;
}

void associations_apply(struct associations *associations, struct net *net)
{
    net->peer_count = sa_file_peers(&associations->file, associations->peers);
    net->peers = associations->peers;
    net->crypto = &associations->crypto;
    net->save_number = save;
    net->save_number_context = associations;
}

void associations_report(const struct associations *associations)
{
    for (size_t i = 0; i < associations->file.count; i++) {
        const struct sa_entry *entry = &associations->file.entries[i];
        const struct ipsec_sa *sa = &entry->sa;
        char source[INET6_ADDRSTRLEN];
        char destination[INET6_ADDRSTRLEN];

        inet_ntop(AF_INET6, entry->source.octets, source, sizeof source);
        inet_ntop(AF_INET6, entry->destination.octets, destination, sizeof destination);
        printf("association %s %s 0x%08lx %s %s: %lu packets, %lu wrong ICV, %lu replayed, "
               "%lu malformed\n",
               entry->inbound ? "in" : "out", ipsec_protocol_number(sa) == NEXT_ESP ? "esp" : "ah",
               (unsigned long)sa->spi, source, destination, (unsigned long)sa->packets,
               (unsigned long)sa->bad_icv, (unsigned long)sa->replays,
               (unsigned long)sa->malformed);
    }
}
