/*
 * Echoes over networks of whole stacks in virtual time (mesh.h): a far host behind the root sends a
 * UDP datagram to a mote, and the mote returns it. Prints a line for each cell, separated by tabs:
 * "network, protection, node, hops, size, echoes, lost, mean response in us, frames and octets of
 * an echo on the air, collisions, microseconds that all nodes sent and received". Processor time is
 * not part of the response. Usage: network SEED ECHOES [strobes|locked]
 *
 * With a duty cycle (duty.h) the times sent and received are those of the motes without the root,
 * and "received" is the time that their receivers were on. Three fields follow: the motes' sending
 * and listening without echoes, in microseconds a second each, and the microseconds that the cell
 * took.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

enum {
    MOST = 512,
    ECHO_PORT = 7,
    HOST_PORT = 61616,
    LOST_AFTER_US = 5000000,
    LOST_ASLEEP_US = 30000000,
    PAUSE_US = 50000,
    IDLE_S = 60
};

static const char *const protection_names[MESH_PROTECTIONS] = {"none", "AH", "ESP"};

static struct {
    struct mesh mesh;
    uint8_t payload[MOST];
    size_t size;
    double idle_tx, idle_rx; /* us a second that all motes send and listen without echoes */
} world;

static void host_takes(struct mesh *mesh, uint8_t from, const struct udp *udp)
{
    (void)from;
    if (udp->payload_len == world.size && memcmp(udp->payload, world.payload, world.size) == 0)
        mesh->done = true;
}

static void mote_echoes(struct mesh *mesh, uint8_t id, const struct net_datagram *datagram)
{
    const struct udp *udp = &datagram->udp;
    const struct udp answer = {udp->dst_port, udp->src_port, udp->payload, udp->payload_len};

    mesh_mote_sends(mesh, id, &answer);
}

static const struct mesh_user ends = {.host = host_takes, .mote = mote_echoes};

/* Sends an echo from the host; true, with the response time, if the answer arrived. */
static bool echo(uint8_t id, uint64_t *response)
{
    const struct udp udp = {HOST_PORT, ECHO_PORT, world.payload, world.size};
    struct mesh *mesh = &world.mesh;
    uint64_t start = mesh->air.now;

    mesh->done = false;
    mesh_host_sends(mesh, id, &udp);
    mesh_live(mesh, start + (mesh->air.duty == AIR_ALWAYS_ON ? LOST_AFTER_US : LOST_ASLEEP_US));
    *response = mesh->air.now - start;
    return mesh->done;
}

/* Measures the cost of the duty cycle and of routing. */
static void measure_idle(void)
{
    struct mesh *mesh = &world.mesh;
    struct air *air = &mesh->air;

    mesh_clear_times(mesh);
    mesh->done = false;
    mesh_live(mesh, air->now + IDLE_S * (uint64_t)1000000);
    world.idle_tx = (double)mesh_sum(mesh, air->tx_us, MESH_ROOT + 1) / IDLE_S;
    world.idle_rx = (double)mesh_sum(mesh, air->rx_us, MESH_ROOT + 1) / IDLE_S;
}

static void measure(const char *network, uint8_t id, uint8_t hops, size_t size, unsigned echoes,
                    uint64_t seed)
{
    struct air *air = &world.mesh.air;
    uint64_t sum = 0, start = air->now;
    uint8_t first = air->duty == AIR_ALWAYS_ON ? MESH_ROOT : MESH_ROOT + 1;
    uint32_t frames = air->data_frames, octets = air->data_octets, collisions = air->collisions;
    unsigned lost = 0;

    world.size = size;
    mesh_clear_times(&world.mesh);
    for (unsigned i = 0; i < echoes; i++) {
        uint64_t response;
        world.mesh.done = false;
        mesh_live(&world.mesh, air->now + PAUSE_US);
        /* The same backoffs for each protection: only the number of octets makes a difference. */
        air->dice = seed + i + 1;
        for (size_t octet = 0; octet < size; octet++)
            world.payload[octet] = (uint8_t)(i * 7 + octet);
        if (echo(id, &response))
            sum += response;
        else
            lost++;
    }
    printf("%s\t%s\t%u\t%u\t%zu\t%u\t%u\t%.1f\t%.3f\t%.3f\t%u\t%llu\t%llu", network,
           protection_names[world.mesh.protection], id - 1U, hops, size, echoes, lost,
           echoes > lost ? (double)sum / (echoes - lost) : 0.0,
           (double)(air->data_frames - frames) / echoes,
           (double)(air->data_octets - octets) / echoes, air->collisions - collisions,
           (unsigned long long)mesh_sum(&world.mesh, air->tx_us, first),
           (unsigned long long)mesh_sum(&world.mesh, air->rx_us, first));
    if (air->duty != AIR_ALWAYS_ON)
        printf("\t%.1f\t%.1f\t%llu", world.idle_tx, world.idle_rx,
               (unsigned long long)(air->now - start));
    printf("\n");
}

static void run(const char *network, uint8_t nodes, const uint8_t *level, uint64_t seed,
                unsigned echoes, enum air_duty duty)
{
    static const size_t sizes[] = {8, 16, 32, 64, 512};

    for (int protection = MESH_PLAIN; protection < MESH_PROTECTIONS; protection++) {
        mesh_begin(&world.mesh, &ends, nodes, level, (enum mesh_protection)protection, seed, duty);
        mesh_form(&world.mesh, level);
        if (duty != AIR_ALWAYS_ON)
            measure_idle();
        for (uint8_t id = MESH_ROOT + 1; id <= nodes; id++)
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
                measure(network, id, level[id], sizes[i], echoes, seed);
    }
}

int main(int argc, char **argv)
{
    /* Root, then the motes: a line of six hops, and thirteen motes in six rings, the sixth
     * mote three hops and the last six hops away as in the thesis (figure 36). */
    static const uint8_t line[] = {0, 0, 1, 2, 3, 4, 5, 6};
    static const uint8_t rings[] = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5, 5, 5, 6};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned echoes = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100;

    enum air_duty duty = argc <= 3                         ? AIR_ALWAYS_ON
                         : strcmp(argv[3], "strobes") == 0 ? AIR_STROBES
                                                           : AIR_PHASE_LOCK;

    mesh_must(seed > 0 && echoes > 0 &&
                  (argc <= 3 || duty == AIR_STROBES || !strcmp(argv[3], "locked")),
              "usage: network SEED ECHOES [strobes|locked]");
    run("line", 7, line, seed, echoes, duty);
    run("thirteen", 14, rings, seed, echoes, duty);
    return EXIT_SUCCESS;
}
