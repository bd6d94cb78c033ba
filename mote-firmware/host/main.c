/*
 * vigil-esp-host: the end of associations with motes beside an unmodified Linux, for ESP whose UDP
 * header is compressed (docs/protocol.md section 10.2). Plain packets come from a TUN device, ESP
 * from a raw socket. One thread, one ppoll.
 */
#define _GNU_SOURCE /* ppoll: POSIX has it since 2024 only */
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "associations.h"
#include "esp_host.h"
#include "linux_net.h"
#include "mote/crypto_bearssl.h"
#include "port.h"
#include "stop.h"

enum { EXIT_OK = 0, EXIT_USAGE = 2, EXIT_FAILED = 3, PROBLEM_SIZE = 512 };

static const char HELP[] =
    "usage: vigil-esp-host --sa FILE --interface NAME [options]\n"
    "Holds this host's ESP associations with motes, and restores UDP headers that they compress\n"
    "inside ESP (docs/protocol.md section 10.2). Applications use plain UDP. Needs root, or\n"
    "CAP_NET_ADMIN and CAP_NET_RAW.\n"
    "  --sa FILE         the associations of this host (mode 0600): in and out, esp or esp-udp\n"
    "  --interface NAME  the interface towards the motes\n"
    "  --state FILE      the numbers of the associations (default: esp-host.state)\n"
    "  --new-sa          creates missing records of associations that were never used\n"
    "  --tun NAME        the device for plain packets (default: vigil-esp)\n"
    "  --help            this text\n";

struct settings {
    const char *sa;
    const char *interface;
    const char *state;
    const char *tun;
    bool new_sa;
};

/* All state of the process; owned by main. */
struct process {
    struct settings settings;
    struct state_file file;
    struct storage identity; /* not used: this process has no key of its own */
    struct storage counter_storage;
    struct counter_store counters;
    struct associations associations;
    struct bearssl_aes128 aes_state;
    struct aes128 aes;
    br_sha256_context hash_state;
    struct sha256 hash;
    struct esp_host host;
    int tun;
    int esp;
};

static int read_options(struct settings *settings, int argc, char **argv)
{
    static const struct option names[] = {{"sa", required_argument, NULL, 's'},
                                          {"interface", required_argument, NULL, 'i'},
                                          {"state", required_argument, NULL, 'f'},
                                          {"tun", required_argument, NULL, 't'},
                                          {"new-sa", no_argument, NULL, 'n'},
                                          {"help", no_argument, NULL, 'h'},
                                          {NULL, 0, NULL, 0}};
    int option;

    *settings = (struct settings){.state = "esp-host.state", .tun = "vigil-esp"};
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        switch (option) {
        case 's':
            settings->sa = optarg;
            break;
        case 'i':
            settings->interface = optarg;
            break;
        case 'f':
            settings->state = optarg;
            break;
        case 't':
            settings->tun = optarg;
            break;
        case 'n':
            settings->new_sa = true;
            break;
        case 'h':
            fputs(HELP, stdout);
            return EXIT_OK;
        default:
            return EXIT_USAGE;
        }
    }
    if (optind == argc && settings->sa != NULL && settings->interface != NULL)
        return -1;
    fputs("vigil-esp-host: give --sa FILE and --interface NAME; --help lists the options\n",
          stderr);
    return EXIT_USAGE;
}

static int open_associations(struct process *process, char *problem, size_t size)
{
    const struct settings *settings = &process->settings;

    bearssl_aes128(&process->aes, &process->aes_state);
    bearssl_sha256(&process->hash, &process->hash_state);
    if (state_file_open(&process->file, settings->state, &process->identity, problem, size) != 0)
        return -1;
    process->counter_storage = state_file_counters(&process->file);
    if (counter_store_open(&process->counters, &process->counter_storage) != MOTE_OK) {
        snprintf(problem, size, "the counters in %s cannot be read; do not restore a copy",
                 settings->state);
        return -1;
    }
    if (associations_open(&process->associations, settings->sa, settings->new_sa,
                          &process->counters, &process->aes, &process->hash, problem, size) != 0)
        return -1;
    return esp_host_open(&process->host, &process->associations, problem, size);
}

static int route_peers(const struct process *process, char *problem, size_t size)
{
    const struct sa_file *file = &process->associations.file;

    for (size_t i = 0; i < file->count; i++) {
        const struct sa_entry *entry = &file->entries[i];

        if (!entry->inbound && tun_route(process->settings.tun, &entry->source, &entry->destination,
                                         problem, size) != 0)
            return -1;
    }
    return 0;
}

static int prepare(struct process *process, char *problem, size_t size)
{
    process->file.fd = process->tun = process->esp = -1;
    if (open_associations(process, problem, size) != 0)
        return -1;
    process->esp = esp_socket_open(process->settings.interface, problem, size);
    if (process->esp < 0)
        return -1;
    process->tun = tun_open(process->settings.tun, problem, size);
    return process->tun < 0 ? -1 : route_peers(process, problem, size);
}

static void receive_all(struct process *process)
{
    uint8_t packet[ESP_HOST_PACKET_MAX];
    uint8_t plain[ESP_HOST_PACKET_MAX];
    size_t len;

    while ((len = esp_socket_receive(process->esp, packet, sizeof packet)) > 0) {
        int opened = esp_host_receive(&process->host, packet, len, plain);

        if (opened > 0 && write(process->tun, plain, (size_t)opened) < 0)
            process->host.counts.refused++;
    }
}

static void send_all(struct process *process)
{
    uint8_t packet[ESP_HOST_PACKET_MAX];
    uint8_t sealed[ESP_HOST_PACKET_MAX];
    ssize_t len;

    while ((len = read(process->tun, packet, ESP_HOST_PLAIN_MAX)) > 0) {
        int n = esp_host_send(&process->host, packet, (size_t)len, sealed);

        if (n > 0 && !esp_socket_send(process->esp, sealed, (size_t)n))
            process->host.counts.unsendable++;
    }
}

static void run(struct process *process, const sigset_t *mask)
{
    struct pollfd polled[] = {{.fd = process->esp, .events = POLLIN},
                              {.fd = process->tun, .events = POLLIN}};

    printf("ready: plain packets through %s, ESP through %s\n", process->settings.tun,
           process->settings.interface);
    while (!stop_is_requested()) {
        (void)ppoll(polled, 2, NULL, mask);
        receive_all(process);
        send_all(process);
    }
}

static void report(const struct process *process)
{
    const struct esp_host_counts *counts = &process->host.counts;

    associations_report(&process->associations);
    printf("packets: %lu opened, %lu sealed, %lu of no association, %lu not authentic, "
           "%lu refused, %lu unsendable\n",
           (unsigned long)counts->opened, (unsigned long)counts->sealed,
           (unsigned long)counts->unknown, (unsigned long)counts->bad_esp,
           (unsigned long)counts->refused, (unsigned long)counts->unsendable);
}

int main(int argc, char **argv)
{
    static struct process process;
    char problem[PROBLEM_SIZE];
    sigset_t unblocked;
    int code = read_options(&process.settings, argc, argv);

    if (code >= 0)
        return code;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    stop_catch(&unblocked);
    if (prepare(&process, problem, sizeof problem) == 0) {
        run(&process, &unblocked);
        report(&process);
        code = EXIT_OK;
    } else {
        fprintf(stderr, "vigil-esp-host: %s\n", problem);
        code = EXIT_FAILED;
    }
    wipe(&process.associations, sizeof process.associations);
    if (process.tun >= 0)
        close(process.tun);
    if (process.esp >= 0)
        close(process.esp);
    state_file_close(&process.file);
    return code;
}
