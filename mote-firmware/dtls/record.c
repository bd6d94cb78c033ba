/*
 * Records a session (replay.h): performs a handshake with CoAPS on this machine and sends messages.
 * The peer answers each with a message of REPLAY_ANSWER octets. Prints for the handshake "octets
 * sent, octets received, datagrams sent", separated by tabs. With `cid` it offers a Connection ID.
 * Usage: dtls-record PORT FILE [cid]
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mote/base.h"
#include "port.h"
#include "replay.h"

enum { PATIENCE_MS = 10000 };

static struct {
    struct udp_link udp;
    struct link link;
    struct replay replay;
    struct dtls dtls;
    FILE *file;
    size_t sent_octets, sent, heard_octets;
    struct wire wire;
    _Alignas(8) uint8_t memory[DTLS_MEMORY];
} run;

static void must(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "dtls-record: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

static int send(void *context, const uint8_t *datagram, size_t len)
{
    (void)context;
    run.sent_octets += len;
    run.sent++;
    return run.link.wire.send(run.link.wire.context, datagram, len);
}

/* Waits for the peer's next datagram, and records it. */
static size_t hear(uint8_t *message, size_t size)
{
    struct pollfd poller = {.fd = run.link.fd, .events = POLLIN};
    uint8_t datagram[LINK_DATAGRAM_MAX], head[2];
    size_t len;

    must(poll(&poller, 1, PATIENCE_MS) == 1, "the peer does not answer");
    len = run.link.receive(run.link.context, datagram, sizeof datagram, 0);
    must(len > 0, "the peer refuses");
    head[0] = (uint8_t)(len >> 8);
    head[1] = (uint8_t)len;
    must(fwrite(head, 1, 2, run.file) == 2 && fwrite(datagram, 1, len, run.file) == len,
         "the file cannot be written");
    run.heard_octets += len;
    return dtls_receive(&run.dtls, datagram, len, 0, message, size);
}

static void record(bool connection_id)
{
    struct dtls_config config = replay_config(&run.replay, connection_id);
    uint8_t message[REPLAY_MOST];

    run.wire = (struct wire){send, NULL};
    config.wire = &run.wire;
    config.memory = run.memory;
    config.memory_size = sizeof run.memory;
    replay_start(&run.replay);
    must(dtls_init(&run.dtls, &config) == MOTE_OK, "the memory for DTLS is too small");
    dtls_connect(&run.dtls, 0);
    while (run.dtls.state == DTLS_CONNECTING)
        hear(message, sizeof message);
    must(run.dtls.state == DTLS_OPEN && run.dtls.with_id == connection_id,
         "the handshake did not succeed");
    printf("%zu\t%zu\t%zu\n", run.sent_octets, run.heard_octets, run.sent);
    for (size_t i = 0; i < REPLAY_SIZES; i++)
        for (unsigned each = 0; each < REPLAY_EACH; each++) {
            must(dtls_send(&run.dtls, run.replay.message, replay_sizes[i]) == MOTE_OK,
                 "a message cannot be sent");
            must(hear(message, sizeof message) == REPLAY_ANSWER, "the answer has another length");
        }
}

int main(int argc, char **argv)
{
    char problem[200] = "";

    must(argc == 3 || (argc == 4 && strcmp(argv[3], "cid") == 0),
         "usage: dtls-record PORT FILE [cid]");
    must(udp_link_open(&run.udp, "127.0.0.1", argv[1], &run.link, problem, sizeof problem) == 0,
         problem);
    run.file = fopen(argv[2], "wb");
    must(run.file != NULL, "the file cannot be written");
    record(argc == 4);
    must(fclose(run.file) == 0, "the file cannot be written");
    return EXIT_SUCCESS;
}
