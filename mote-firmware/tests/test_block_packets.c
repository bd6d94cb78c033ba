/* Stored blocks as ESP packets, in modes A to D. */
#include "block_fixture.h"
#include "vectors.h"

static size_t field(FILE *file, const char *label, uint8_t *out, unsigned long *number)
{
    static char line[1024];
    size_t len = strlen(label);

    while (fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, label, len) == 0 && line[len] == ' ') {
            *number = strtoul(line + len + 1, NULL, 10);
            return from_hex(line + len + 1, out, 256);
        }
    return 0;
}

static void check_packet(FILE *file, const char *label, const struct block_store *store,
                         const struct stored_block *block, const struct ipv6_address *requester,
                         uint32_t sequence)
{
    uint8_t expected[256], packet[BLOCK_STORE_PACKET_MAX];
    unsigned long ignored;
    size_t len = field(file, label, expected, &ignored);

    store->config.sa->sent = sequence - 1;
    int got = block_store_packet(store, block, requester, packet, sizeof packet);
    CHECK_OCTETS(packet, got < 0 ? 0 : (size_t)got, expected, len);
}

/* Checks one case of the file; false at its end. */
static bool check_case(FILE *file)
{
    uint8_t octets[256], payload[256];
    unsigned long size, number, sequence, ignored;
    struct block_store store;
    struct stored_block block;
    uint32_t given;

    size = 0;
    field(file, "case", octets, &size);
    if (size == 0 || !harness_ok)
        return false;
    field(file, "number", octets, &number);
    field(file, "sequence", octets, &sequence);
    CHECK_INT(field(file, "payload", payload, &ignored), size);
    struct block_store_config config = fresh((uint8_t)size, true, 2);
    config.limit = (uint32_t)number - 1;
    CHECK_INT(block_store_open(&store, &config), MOTE_OK);
    CHECK_INT(block_store_append(&store, payload, T0, T0, &given), MOTE_OK);
    CHECK_INT(given, number);
    CHECK_INT(find_number(&store, given, &block), MOTE_OK);
    size_t len = field(file, "text", octets, &ignored);
    CHECK_OCTETS(block.text, size + BLOCK_STORE_OVERHEAD, octets, len);
    len = field(file, "icv", octets, &ignored);
    CHECK_OCTETS(block.icv, ipsec_icv_size(&sa), octets, len);
    long at = ftell(file);
    store.config.mode = BLOCK_STORE_NEW_ICV;
    check_packet(file, "b", &store, &block, &HOST, (uint32_t)sequence);
    check_packet(file, "c", &store, &block, &OTHER, (uint32_t)sequence);
    store.config.mode = BLOCK_STORE_STORED_ICV;
    check_packet(file, "d", &store, &block, &HOST, (uint32_t)sequence);
    store.config.mode = BLOCK_STORE_REENCRYPT;
    fseek(file, at, SEEK_SET);
    check_packet(file, "b", &store, &block, &HOST, (uint32_t)sequence);
    check_packet(file, "c", &store, &block, &OTHER, (uint32_t)sequence);
    return true;
}

TEST(blocks_and_packets_are_those_of_the_shared_vectors)
{
    FILE *file = vector_open("block-store", "blocks");
    int cases = 0;

    while (check_case(file))
        cases++;
    fclose(file);
    CHECK_INT(cases, 4);
}

TEST(each_mode_costs_the_promised_aes_blocks)
{
    struct block_store_config config = fresh(54, true, 2);
    struct block_store store;
    struct stored_block block;
    uint8_t packet[BLOCK_STORE_PACKET_MAX];
    unsigned cost[4];
    uint32_t number;

    REQUIRE(block_store_open(&store, &config) == MOTE_OK && append(&store, 1, &number) == MOTE_OK);
    CHECK_INT(find_number(&store, number, &block), MOTE_OK);
    for (int i = 0; i < 4; i++) {
        static const enum block_store_mode modes[] = {BLOCK_STORE_REENCRYPT, BLOCK_STORE_NEW_ICV,
                                                      BLOCK_STORE_NEW_ICV, BLOCK_STORE_STORED_ICV};
        store.config.mode = modes[i];
        aes_blocks = 0;
        CHECK(block_store_packet(&store, &block, i == 2 ? &OTHER : &HOST, packet, sizeof packet) >
              0);
        cost[i] = aes_blocks;
    }
    CHECK_INT(cost[0], cost[1] + 4 + 4); /* 64 octets decrypted and encrypted again */
    CHECK_INT(cost[2], cost[1] + 1);     /* the block with the checksum */
    CHECK_INT(cost[3], 0);
}

TEST(modes_a_to_c_take_new_sequence_numbers_and_d_the_block_number)
{
    struct block_store_config config = fresh(54, true, 2);
    struct block_store store;
    struct stored_block block;
    uint8_t packet[BLOCK_STORE_PACKET_MAX], again[BLOCK_STORE_PACKET_MAX];
    uint32_t number;

    sa.reserved = 3;
    REQUIRE(block_store_open(&store, &config) == MOTE_OK && append(&store, 1, &number) == MOTE_OK);
    CHECK_INT(find_number(&store, number, &block), MOTE_OK);
    int len = block_store_packet(&store, &block, &HOST, packet, sizeof packet);
    CHECK_INT(block_store_packet(&store, &block, &HOST, again, sizeof again), len);
    CHECK_OCTETS(again, (size_t)len, packet, (size_t)len);
    CHECK_INT(sa.sent, 0);
    CHECK(block_store_packet(&store, &block, &OTHER, packet, sizeof packet) > 0);
    CHECK_INT(sa.sent, 1);
    store.config.mode = BLOCK_STORE_NEW_ICV;
    CHECK(block_store_packet(&store, &block, &HOST, packet, sizeof packet) > 0);
    CHECK_INT(block_store_packet(&store, &block, &HOST, packet, sizeof packet), MOTE_E_STATE);
    CHECK_INT(sa.sent, 2);
}

TEST(mode_a_does_not_seal_what_another_key_stored)
{
    struct block_store_config config = fresh(54, false, 2);
    struct block_store store;
    struct stored_block block;
    uint8_t packet[BLOCK_STORE_PACKET_MAX];
    uint32_t number;

    sa.reserved = UINT32_MAX;
    config.mode = BLOCK_STORE_REENCRYPT;
    REQUIRE(block_store_open(&store, &config) == MOTE_OK && append(&store, 1, &number) == MOTE_OK);
    CHECK_INT(find_number(&store, number, &block), MOTE_OK);
    CHECK(block_store_packet(&store, &block, &HOST, packet, sizeof packet) > 0);
    for (size_t i = 0; i < 6; i++) { /* ports and length: as after decryption with another key */
        block.text[i] ^= 1;
        CHECK_INT(block_store_packet(&store, &block, &HOST, packet, sizeof packet),
                  MOTE_E_MALFORMED);
        block.text[i] ^= 1;
    }
}

int main(void)
{
    RUN(blocks_and_packets_are_those_of_the_shared_vectors);
    RUN(each_mode_costs_the_promised_aes_blocks);
    RUN(modes_a_to_c_take_new_sequence_numbers_and_d_the_block_number);
    RUN(mode_a_does_not_seal_what_another_key_stored);
    return harness_report();
}
