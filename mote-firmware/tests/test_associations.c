/* The associations of --sa: their file, their counters over restarts, and packets under them. */
#define _POSIX_C_SOURCE 200809L
#include "../apps/associations.h"
#include "mote/link_counters.h"
#include "port.h"
#include "support/rpl.h"
#include "support/station.h"

#include <arpa/inet.h>
#include <sys/stat.h>
#include <unistd.h>

static struct station a, b;

/* A mote's state file and file of associations. */
struct files {
    char folder[64];
    char sa[96];
    char state[96];
    struct state_file file;
    struct storage identity;
    struct storage storage;
    struct counter_store counters;
    struct associations associations;
    char problem[300];
};

static struct files own, other;

static void write_file(struct files *files, const char *text, mode_t mode)
{
    FILE *file = fopen(files->sa, "w");
    REQUIRE(file != NULL);
    fputs(text, file);
    fclose(file);
    REQUIRE(chmod(files->sa, mode) == 0);
}

static void begin(struct files *files)
{
    memset(files, 0, sizeof *files);
    snprintf(files->folder, sizeof files->folder, "/tmp/vigil-mote-XXXXXX");
    REQUIRE(mkdtemp(files->folder) != NULL);
    snprintf(files->sa, sizeof files->sa, "%s/sa", files->folder);
    snprintf(files->state, sizeof files->state, "%s/state", files->folder);
}

static void end(struct files *files)
{
    state_file_close(&files->file);
    unlink(files->sa);
    unlink(files->state);
    rmdir(files->folder);
}

/* Starts the mote's process. Returns the result of associations_open. */
static int start(struct files *files, struct station *station, bool fresh)
{
    static br_sha256_context state;
    static struct sha256 hash;
    bearssl_sha256(&hash, &state);
    if (state_file_open(&files->file, files->state, &files->identity, files->problem,
                        sizeof files->problem) != 0)
        abort();
    files->storage = state_file_counters(&files->file);
    CHECK_INT(counter_store_open(&files->counters, &files->storage), MOTE_OK);
    int result = associations_open(&files->associations, files->sa, fresh, &files->counters, &aes,
                                   &hash, files->problem, sizeof files->problem);
    if (result == 0)
        associations_apply(&files->associations, &station->net);
    return result;
}

/* Writes the files of both motes. `key` makes their keys different from other calls. */
static void write_both(const char *key)
{
    char from[INET6_ADDRSTRLEN], to[INET6_ADDRSTRLEN], text[700];
    struct link_address links[2] = {node_link(2), node_link(3)};
    struct ipv6_address at[2] = {ipv6_link_local(&links[0]), ipv6_link_local(&links[1])};
    inet_ntop(AF_INET6, at[0].octets, from, sizeof from);
    inet_ntop(AF_INET6, at[1].octets, to, sizeof to);
    for (int i = 0; i < 2; i++) {
        const char *way = i == 0 ? "out" : "in";
        snprintf(text, sizeof text,
                 "%s esp cbc-xcbc 0x11000001 %s %s %s00112233445566778899aabbccdd "
                 "0102030405060708090a0b0c0d0e%s # cipher and integrity\n"
                 "%s ah ah-sha1 0x11000002 %s %s %s02030405060708090a0b0c0d0e0f10111213\n",
                 way, from, to, key, key, way, from, to, key);
        write_file(i == 0 ? &own : &other, text, 0600);
    }
}

/* Sends one datagram from a to b. Returns b's result, or a's error. */
static int pass(struct net_datagram *datagram)
{
    struct link_address link = node_link(3);
    const struct ipv6_address dst = ipv6_link_local(&link);
    const struct udp udp = {1, 2, (const uint8_t *)"hello", 5};
    uint8_t psdu[FRAME_MAX];
    int error = net_send(&a.net, &dst, &udp);
    for (int n; (n = net_next_frame(&a.net, 0, psdu, sizeof psdu)) > 0;) {
        error = net_receive(&b.net, psdu, (size_t)n, 0, datagram);
        net_transmitted(&a.net, 1, true, 0);
    }
    return error;
}

/* Starts both motes' processes. */
static void start_both(bool fresh)
{
    state_file_close(&own.file);
    state_file_close(&other.file);
    set_up(&a, 2, 0, false, 0);
    set_up(&b, 3, 0, false, 0);
    CHECK_INT(start(&own, &a, fresh), 0);
    CHECK_INT(start(&other, &b, fresh), 0);
}

TEST(continues_above_all_numbers_after_a_restart)
{
    struct net_datagram datagram;
    begin(&own);
    begin(&other);
    own.file.fd = other.file.fd = -1;
    write_both("a0b1");
    start_both(true);
    for (int i = 0; i < 300; i++) /* more than are reserved at once */
        REQUIRE(pass(&datagram) == MOTE_OK && datagram.udp.payload_len == 5);
    CHECK_INT(own.associations.file.entries[0].sa.sent, 300);
    CHECK_INT(other.associations.file.entries[1].sa.top, 300); /* AH around ESP */
    start_both(false);
    CHECK(own.associations.file.entries[0].sa.sent >= 300);
    CHECK(other.associations.file.entries[0].sa.top >= 300);
    CHECK_INT(pass(&datagram), MOTE_OK);
    CHECK_INT(datagram.udp.payload_len, 5);
    end(&own);
    end(&other);
}

TEST(sends_and_accepts_nothing_once_its_record_is_lost)
{
    struct net_datagram datagram;
    begin(&own);
    begin(&other);
    own.file.fd = other.file.fd = -1;
    write_both("a0b1");
    start_both(true);
    CHECK_INT(pass(&datagram), MOTE_OK);
    unlink(own.state);
    start_both(false);
    CHECK_INT(pass(&datagram), MOTE_E_STATE);
    write_both("c2d3"); /* new keys, whose records are created */
    start_both(false);
    CHECK_INT(pass(&datagram), MOTE_E_STATE);
    start_both(true);
    CHECK_INT(pass(&datagram), MOTE_OK);
    unlink(other.state);
    start_both(false);
    CHECK_INT(pass(&datagram), MOTE_E_REPLAY);
    CHECK_INT(b.net.counts.delivered, 0);
    end(&own);
    end(&other);
}

TEST(makes_room_for_new_keys_by_forgetting_former_ones)
{
    struct net_datagram datagram;
    char key[5];
    begin(&own);
    begin(&other);
    own.file.fd = other.file.fd = -1;
    for (unsigned i = 0; i <= COUNTERS_MAX; i++) { /* each time two associations */
        snprintf(key, sizeof key, "%04x", i);
        write_both(key);
        start_both(true);
        REQUIRE(pass(&datagram) == MOTE_OK);
    }
    start_both(false);
    CHECK_INT(pass(&datagram), MOTE_OK);
    write_both("0000"); /* forgotten: its numbers may have been used */
    start_both(false);
    CHECK_INT(pass(&datagram), MOTE_E_STATE);
    end(&own);
    end(&other);
}

TEST(former_associations_leave_room_for_neighbours_and_blocks)
{
    struct net_datagram datagram;
    uint8_t blocks[COUNTER_NAME], eui[EUI64_SIZE] = {2};
    char key[5];
    begin(&own);
    begin(&other);
    own.file.fd = other.file.fd = -1;
    for (unsigned i = 0; i < COUNTERS_MAX / 2; i++) {
        snprintf(key, sizeof key, "%04x", i);
        write_both(key);
        start_both(true);
    }
    memcpy(blocks, own.associations.names[0], sizeof blocks);
    blocks[0] = COUNTER_BLOCKS;
    CHECK_INT(counter_store_reserve(&own.counters, blocks, 7, 1), MOTE_OK);
    for (eui[7] = 3; eui[7] < COUNTERS_MAX; eui[7]++)
        CHECK_INT(link_counters_save(&own.counters, eui, 1), MOTE_OK);
    CHECK_INT(link_counters_save(&own.counters, eui, 1), MOTE_E_SPACE);
    start_both(false);
    CHECK_INT(counter_store_limit(&own.counters, blocks), 8);
    CHECK_INT(pass(&datagram), MOTE_OK);
    end(&own);
    end(&other);
}

TEST(reads_only_files_that_only_the_owner_may_open)
{
    set_up(&a, 2, 0, false, 0);
    begin(&own);
    write_file(&own, "# nothing\n", 0640);
    CHECK_INT(start(&own, &a, false), -1);
    CHECK(strstr(own.problem, "chmod 600") != NULL);
    state_file_close(&own.file);
    write_file(&own, "nonsense\n", 0600);
    CHECK_INT(start(&own, &a, false), -1);
    CHECK(strstr(own.problem, "line 1: give") != NULL);
    end(&own);
}

int main(void)
{
    stations_init();
    RUN(continues_above_all_numbers_after_a_restart);
    RUN(sends_and_accepts_nothing_once_its_record_is_lost);
    RUN(makes_room_for_new_keys_by_forgetting_former_ones);
    RUN(former_associations_leave_room_for_neighbours_and_blocks);
    RUN(reads_only_files_that_only_the_owner_may_open);
    return harness_report();
}
