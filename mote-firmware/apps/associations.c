#define _POSIX_C_SOURCE 200809L
#include "associations.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

int associations_open(struct associations *associations, const char *path, bool fresh,
                      struct counter_store *counters, const struct aes128 *aes,
                      const struct sha256 *hash, char *problem, size_t size)
{
    memset(associations, 0, sizeof *associations);
    associations->counters = counters;
    bearssl_sha1(&associations->sha1, &associations->sha1_state);
    associations->crypto = (struct ipsec_crypto){aes, &associations->sha1, hash};
    if (sa_file_load(&associations->file, "--sa", path, problem, size) != 0)
        return -1;
    for (size_t i = 0; i < associations->file.count; i++)
        sa_entry_name(&associations->file.entries[i], hash, associations->names[i]);
    counter_store_keep(counters, (const uint8_t(*)[COUNTER_NAME])associations->names,
                       associations->file.count);
    for (size_t i = 0; i < associations->file.count; i++) {
        struct sa_entry *entry = &associations->file.entries[i];
        int error = sa_entry_resume(entry, counters, associations->names[i], fresh);

        if (error == MOTE_E_STATE) {
            fprintf(stderr,
                    "vigil-mote: --sa %s: line %u: there is no record of its sequence numbers, so "
                    "it is not used: give both ends a new key and start once with --new-sa\n",
                    path, entry->line);
        } else if (error != MOTE_OK) {
            snprintf(problem, size,
                     "--sa %s: line %u: its counter cannot be stored in the state file", path,
                     entry->line);
            return -1;
        }
    }
    return 0;
}

static int save(void *context, struct ipsec_sa *sa)
{
    struct associations *associations = context;
    size_t i = 0;

    while (&associations->file.entries[i].sa != sa)
        i++;
    return sa_entry_save(&associations->file.entries[i], associations->counters,
                         associations->names[i]);
}

void associations_apply(struct associations *associations, struct net *net)
{
    net->peer_count =
        sa_entries_peers(associations->file.entries, associations->file.count, associations->peers);
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
               entry->inbound ? "in" : "out",
               sa->protocol == &ipsec_esp_udp          ? "esp-udp"
               : ipsec_protocol_number(sa) == NEXT_ESP ? "esp"
                                                       : "ah",
               (unsigned long)sa->spi, source, destination, (unsigned long)sa->packets,
               (unsigned long)sa->bad_icv, (unsigned long)sa->replays,
               (unsigned long)sa->malformed);
    }
}
