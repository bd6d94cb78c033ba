/* The text of a file of associations. Accepted associations are usable and share no key. */
#include "mote/crypto_bearssl.h"
#include "../apps/sa_file.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sa_file file;
    struct net_peer peers[SA_FILE_ENTRIES];
    struct aes128 aes = {0};
    struct sha1 sha1 = {0};
    struct sha256 sha256 = {0};
    const struct ipsec_crypto crypto = {&aes, &sha1, &sha256};
    char problem[300] = "";
    char *text = malloc(size > 0 ? size : 1);

    if (size > 0)
        memcpy(text, data, size);
    if (sa_file_parse(&file, text, size, problem, sizeof problem) != 0) {
        if (problem[0] == '\0' || file.count != 0)
            abort();
    } else {
        for (size_t i = 0; i < file.count; i++)
            if (ipsec_check(&file.entries[i].sa, &crypto) != MOTE_OK)
                abort();
        if (sa_entries_peers(file.entries, file.count, peers) > file.count)
            abort();
    }
    free(text);
    return 0;
}
