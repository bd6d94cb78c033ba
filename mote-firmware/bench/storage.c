/*
 * Appends blocks to a block store in a file and finds them there. Prints for each payload size,
 * without and with ICV, a line "payload, ICV, octets of ciphertext and ICV in the file, octets from
 * one block to the next", separated by tabs.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "block_file.h"
#include "mote/block_store.h"
#include "mote/crypto_bearssl.h"

enum { FILE_SIZE = BLOCK_FILE_SEGMENT };

static void must(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "storage: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

static int reserve(void *context, uint32_t last)
{
    (void)context;
    (void)last;
    return MOTE_OK;
}

/* The offset of some octets in the file. */
static size_t find(const uint8_t *file, const uint8_t *octets, size_t len)
{
    for (size_t at = 0; at + len <= FILE_SIZE; at++)
        if (memcmp(file + at, octets, len) == 0)
            return at;
    must(false, "a stored block is not in the file");
    return 0;
}

static void read_file(const char *path, uint8_t file[FILE_SIZE])
{
    int fd = open(path, O_RDONLY);

    must(fd >= 0 && read(fd, file, FILE_SIZE) == FILE_SIZE, "reading the file");
    close(fd);
}

static void measure(const char *path, uint8_t payload_size, bool with_icv)
{
    struct block_file file;
    struct block_storage storage;
    struct bearssl_aes128 state;
    struct aes128 aes;
    const struct ipsec_crypto crypto = {&aes, NULL, NULL};
    struct ipsec_sa sa = {.protocol = &ipsec_esp,
                          .cipher = &ipsec_aes_ctr,
                          .integrity = &ipsec_xcbc_96,
                          .spi = 1,
                          .reserved = UINT32_MAX};
    struct block_store_config config = {.storage = &storage,
                                        .sa = &sa,
                                        .crypto = &crypto,
                                        .payload_size = payload_size,
                                        .with_icv = with_icv,
                                        .mode =
                                            with_icv ? BLOCK_STORE_STORED_ICV : BLOCK_STORE_NEW_ICV,
                                        .reserve = reserve};
    struct block_store store;
    struct stored_block blocks[2];
    uint8_t octets[FILE_SIZE], payload[BLOCK_STORE_PAYLOAD_MAX] = {0};
    char problem[128];
    uint32_t number;
    size_t text = payload_size + BLOCK_STORE_OVERHEAD, places[2], icv = 0;

    bearssl_aes128(&aes, &state);
    unlink(path);
    must(block_file_open(&file, path, 1, &storage, problem, sizeof problem) == 0, "the file");
    must(block_store_open(&store, &config) == MOTE_OK, "opening");
    for (uint32_t i = 0; i < 2; i++)
        must(block_store_append(&store, payload, 1, 1, &number) == MOTE_OK &&
                 block_store_find(&store, number, 0, UINT32_MAX, &blocks[i]) == MOTE_OK,
             "appending");
    block_file_close(&file);
    read_file(path, octets);
    for (unsigned i = 0; i < 2; i++)
        places[i] = find(octets, blocks[i].text, text);
    if (with_icv)
        icv = find(octets, blocks[0].icv, ipsec_icv_size(&sa)) + ipsec_icv_size(&sa) - places[0] -
              text;
    printf("%u\t%d\t%zu\t%zu\n", payload_size, with_icv, text + icv, places[1] - places[0]);
}

int main(void)
{
    char folder[] = "/tmp/vigil-storage-XXXXXX", path[64];

    must(mkdtemp(folder) != NULL, "a folder for the file");
    snprintf(path, sizeof path, "%s/blocks", folder);
    for (uint8_t payload = 6; payload <= BLOCK_STORE_PAYLOAD_MAX; payload += 16) {
        measure(path, payload, false);
        measure(path, payload, true);
    }
    unlink(path);
    rmdir(folder);
    return EXIT_SUCCESS;
}
