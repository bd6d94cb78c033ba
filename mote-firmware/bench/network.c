/*
 * Echoes over networks of whole stacks in virtual time (air.h): a far host behind the root sends a
 * UDP datagram to a mote, the mote returns it. Prints a line for each cell of
 * "network, protection, node, hops, size, echoes, lost, mean response in us, frames and octets of
 * an echo on the air, collisions, microseconds that all nodes sent and received", with tabs.
 * Processor time is not part of the response. Usage: network SEED ECHOES [strobes|locked]
 *
 * With a duty cycle (duty.h) there is the line alone; sent and received are the motes' without the
 * root, received being the time that their receivers were on, and three fields follow: the motes'
 * sending and listening without echoes, in microseconds a second each, and the microseconds that
 * the cell took.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "air.h"
#include "duty.h"
#include "mote/crypto_bearssl.h"
#include "mote/net.h"
#include "support/rpl.h"

enum {
    ROOT = 1,
    QUEUE = 8,
    PAN = 0xabcd,
    OUTBOX = 64,
    MOST = 512,
    ECHO_PORT = 7,
    HOST_PORT = 61616,
    LOST_AFTER_US = 5000000,
    LOST_ASLEEP_US = 30000000,
    PAUSE_US = 50000,
    FORMING_S = 1800,
    IDLE_S = 60,
    DIO_US = 8000000
};

/* The ways in which packets between host and motes are protected. */
enum protection { PLAIN, AH, ESP, PROTECTIONS };
static const char *const protection_names[PROTECTIONS] = {"none", "AH", "ESP"};

struct mote {
    struct net net;
    struct net_packet queue[QUEUE];
    uint8_t packets[QUEUE][IPV6_MTU];
    struct lowpan_slot slots[2];
    uint8_t datagrams_in[2][IPV6_MTU];
    uint8_t single[LOWPAN_SINGLE_MAX];
    struct frame_counter heard[AIR_NODES];
    struct ipsec_sa out, in;           /* the mote's */
    struct ipsec_sa host_out, host_in; /* the host's for this mote */
    struct net_peer peer;
    uint8_t parent; /* as the root knows it; 0: unknown */
};

static struct world {
    struct air air;
    struct mote motes[AIR_NODES];
    enum protection protection;
    struct lowpan_receiver receiver;
    struct lowpan_slot slots[4];
    uint8_t datagrams_in[4][IPV6_MTU];
    uint8_t single[LOWPAN_SINGLE_MAX];
    uint16_t tag;
    uint8_t seq;
    uint8_t outbox[OUTBOX][FRAME_MAX];
    size_t outbox_len[OUTBOX];
    size_t first, count;
    uint64_t next_dio;
    uint8_t payload[MOST];
    size_t size;
    bool answered;
    double idle_tx, idle_rx; /* microseconds a second that all motes send and listen unasked */
} world;

static struct bearssl_aes128 aes_state;
static struct aes128 aes;
static const struct ipsec_crypto crypto = {&aes, NULL, NULL};
static const struct lowpan_context mesh = {64, {0xfd}, true};

static void must(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "network: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

static uint32_t now_ms(void)
{
    return (uint32_t)(world.air.now / 1000);
}

static int roll(void *context, uint8_t *out, size_t len)
{
    (void)context;
    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)(air_roll(&world.air) >> 32);
    return 0;
}

static const struct random chance = {roll, NULL};

/* ---- the root: the codecs of a mote, with the routes of RPL ---- */

static void pump(uint8_t node)
{
    uint8_t psdu[FRAME_MAX];
    int len;

    if (!air_is_idle(&world.air, node))
        return;
    if (node == ROOT) {
        if (world.count > 0)
            air_send(&world.air, ROOT, world.outbox[world.first], world.outbox_len[world.first]);
        return;
    }
    len = net_next_frame(&world.motes[node].net, now_ms(), psdu, sizeof psdu);
    must(len >= 0, "a mote could not send a packet");
    if (len > 0)
        air_send(&world.air, node, psdu, (size_t)len);
}

static void root_sends(const uint8_t *packet, size_t len, const struct link_address *to)
{
    const struct lowpan lowpan = {&mesh, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
    struct link_address own = node_link(ROOT);
    struct lowpan_sender sender;
    uint8_t payload[FRAME_MAX];
    int n;

    must(lowpan_send_start(&sender, &lowpan, packet, len, &own, to, true,
                           FRAME_MAX - FRAME_FCS_SIZE - 21, world.tag++) == MOTE_OK,
         "the root could not compress a packet");
    while ((n = lowpan_send_next(&sender, payload, sizeof payload)) > 0) {
        struct frame frame;
        size_t place = (world.first + world.count) % OUTBOX;
        must(world.count < OUTBOX, "the root's queue is full");
        frame_data(&frame, PAN, to, &own, world.seq++);
        frame.payload = payload;
        frame.payload_len = (size_t)n;
        int size = frame_write(&frame, world.outbox[place], FRAME_MAX);
        must(size > 0, "the root could not write a frame");
        world.outbox_len[place] = (size_t)size;
        world.count++;
    }
    pump(ROOT);
}

/* Sends along the parents of a mote, with a source route if there are routers in between. */
static void root_routes(const uint8_t *packet, size_t len, uint8_t id)
{
    uint8_t path[AIR_NODES], out[IPV6_MTU];
    size_t hops = 0;
    struct writer w;

    for (uint8_t at = id; at != ROOT; at = world.motes[at].parent) {
        must(at != 0 && hops < AIR_NODES, "there is no route");
        path[hops++] = at;
    }
    struct link_address first = node_link(path[hops - 1]);
    if (hops == 1) {
        root_sends(packet, len, &first);
        return;
    }
    writer_init(&w, out, sizeof out);
    writer_bytes(&w, packet, IPV6_HEADER_SIZE);
    writer_u8(&w, packet[6]);
    writer_u8(&w, (uint8_t)(hops - 1));
    writer_u16(&w, (uint16_t)(0x0300 | (hops - 1)));
    writer_u32(&w, 0x88000000);
    for (size_t i = hops - 1; i > 0; i--)
        writer_bytes(&w, node_address(path[i - 1]).octets + 8, 8);
    writer_bytes(&w, packet + IPV6_HEADER_SIZE, len - IPV6_HEADER_SIZE);
    must(!w.failed, "a packet is too long for its source route");
    out[6] = NEXT_ROUTING;
    out[4] = (uint8_t)((w.len - IPV6_HEADER_SIZE) >> 8);
    out[5] = (uint8_t)(w.len - IPV6_HEADER_SIZE);
    memcpy(out + 24, node_address(path[hops - 1]).octets, 16);
    root_sends(out, w.len, &first);
}

static void root_acknowledges(uint8_t target, uint8_t sequence)
{
    const uint8_t body[4] = {0, 0, sequence, 0};
    struct icmpv6 icmp = {ICMPV6_RPL, RPL_DAO_ACK, body, sizeof body};
    struct ipv6_address src = node_address(ROOT), dst = node_address(target);
    struct ipv6_header header = {.payload_len = ICMPV6_HEADER_SIZE + sizeof body,
                                 .next_header = NEXT_ICMPV6,
                                 .hop_limit = 64,
                                 .src = src,
                                 .dst = dst};
    uint8_t packet[128];
    struct writer w;

    writer_init(&w, packet, sizeof packet);
    ipv6_write(&header, &w);
    icmpv6_write(&icmp, &src, &dst, &w);
    root_routes(packet, w.len, target);
}

static void root_offers(void)
{
    struct rpl_dio dio = root_offer(node_address(ROOT));
    struct link_address everybody = link_short(0xffff);
    uint8_t packet[256];
    size_t len = make_dio(packet, &dio, ROOT);

    root_sends(packet, len, &everybody);
}

/* The number of the node with this address. */
static uint8_t number_of(const struct ipv6_address *address)
{
    for (uint8_t id = ROOT; id <= world.air.nodes; id++) {
        struct ipv6_address known = node_address(id);
        if (ipv6_equal(&known, address))
            return id;
    }
    return 0;
}

static void root_takes(const uint8_t *packet, size_t len)
{
    struct ipv6_upper upper;
    struct icmpv6 icmp;
    struct udp udp;
    uint8_t opened[IPV6_MTU], protocol;
    uint32_t spi;
    struct ipv6_address src;

    memcpy(src.octets, packet + 8, sizeof src.octets);
    if (ipsec_peek(packet, len, &protocol, &spi) == MOTE_OK) {
        struct mote *mote = &world.motes[number_of(&src)];
        int n = ipsec_open(&mote->host_in, &crypto, packet, len, opened, sizeof opened);
        must(n > 0 || n == MOTE_E_REPLAY, "the host could not open a packet");
        if (n < 0)
            return; /* sent again, because its acknowledgement was lost */
        packet = opened;
        len = (size_t)n;
    }
    must(ipv6_find_upper(&upper, packet, len) == MOTE_OK, "the host got no packet");
    if (icmpv6_parse(&icmp, &upper, packet) == MOTE_OK && icmp.type == ICMPV6_RPL &&
        icmp.code == RPL_DAO) {
        uint8_t target = icmp.body[23];
        world.motes[target].parent = icmp.body[45];
        root_acknowledges(target, icmp.body[3]);
    } else if (udp_parse(&udp, &upper, packet) == MOTE_OK && udp.payload_len == world.size &&
               memcmp(udp.payload, world.payload, world.size) == 0) {
        world.answered = true;
    }
}

static void root_hears(const uint8_t *psdu, size_t len)
{
    const struct lowpan lowpan = {&mesh, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
    struct frame frame;
    struct lowpan_packet packet;
    uint8_t copy[FRAME_MAX], whole[IPV6_MTU];

    memcpy(copy, psdu, len);
    must(frame_parse(&frame, copy, len) == MOTE_OK, "the root got no frame");
    if (!frame.ack_request)
        return; /* motes' broadcasts */
    if (lowpan_receive(&world.receiver, &lowpan, frame.payload, frame.payload_len, &frame.src,
                       &frame.dst, now_ms(), &packet) == MOTE_OK &&
        packet.data != NULL) {
        memcpy(whole, packet.data, packet.len);
        root_takes(whole, packet.len);
    }
}

/* ---- the air's user ---- */

static void heard(void *context, uint8_t node, const uint8_t *psdu, size_t len)
{
    struct net *net = &world.motes[node].net;
    struct net_datagram datagram;

    (void)context;
    if (node == ROOT) {
        root_hears(psdu, len);
        return;
    }
    net_receive(net, psdu, len, now_ms(), &datagram);
    if (datagram.udp.payload != NULL) {
        struct udp answer = {datagram.udp.dst_port, datagram.udp.src_port, datagram.udp.payload,
                             datagram.udp.payload_len};
        must(net_send(net, &datagram.src, &answer) == MOTE_OK, "a mote could not answer");
    }
    pump(node);
}

static void done(void *context, uint8_t node, unsigned transmissions, bool acknowledged)
{
    (void)context;
    if (node == ROOT) {
        world.first = (world.first + 1) % OUTBOX;
        world.count--;
    } else {
        net_transmitted(&world.motes[node].net, transmissions, acknowledged, now_ms());
    }
    pump(node);
}

/* ---- time ---- */

/* The next time at which a stack wants to send of its own accord. */
static uint64_t next_due(void)
{
    uint64_t next = world.next_dio;
    uint32_t now = now_ms();

    for (uint8_t id = ROOT + 1; id <= world.air.nodes; id++) {
        int32_t wait = (int32_t)(net_due(&world.motes[id].net, now) - now);
        uint64_t due = (uint64_t)(now + (uint32_t)(wait > 0 ? wait : 1)) * 1000;
        if (air_is_idle(&world.air, id) && due < next)
            next = due;
    }
    return next;
}

static void live_until(uint64_t end)
{
    while (world.air.now < end && !world.answered) {
        uint64_t event = air_next(&world.air), due = next_due();
        uint64_t next = event < due ? event : due;
        if (next > end) {
            world.air.now = end;
            return;
        }
        if (event <= due) {
            air_step(&world.air);
            continue;
        }
        world.air.now = due;
        if (due == world.next_dio) {
            world.next_dio += DIO_US;
            root_offers();
        }
        for (uint8_t id = ROOT + 1; id <= world.air.nodes; id++)
            pump(id);
    }
}

/* ---- networks ---- */

static struct ipsec_sa make_sa(uint8_t id, uint8_t way)
{
    struct ipsec_sa sa = {.protocol = world.protection == AH ? &ipsec_ah : &ipsec_esp,
                          .cipher = world.protection == AH ? NULL : &ipsec_aes_ctr,
                          .integrity = &ipsec_xcbc_96,
                          .spi = 1,
                          .key = {id, way},
                          .integrity_key = {id, way, 1},
                          .reserved = UINT32_MAX};
    return sa;
}

static void set_up(uint8_t id)
{
    struct mote *mote = &world.motes[id];
    struct net *net = &mote->net;
    struct link_address link = node_link(id);

    memcpy(net->eui, link.octets, sizeof net->eui);
    net->pan = PAN;
    net->routed = true;
    net->lowpan = (struct lowpan){.contexts = &mesh, .context_count = 1};
    lowpan_receiver_init(&net->receiver, mote->slots, 2, mote->datagrams_in[0], IPV6_MTU,
                         mote->single, sizeof mote->single);
    net_queue_init(net, mote->queue, QUEUE, mote->packets[0], IPV6_MTU);
    net->ipsec_compressed = true;
    net->security = (struct net_security){
        .aes = &aes, .reserved = UINT32_MAX, .replay = {mote->heard, AIR_NODES}};
    if (world.protection != PLAIN) {
        mote->out = mote->host_in = make_sa(id, 1);
        mote->in = mote->host_out = make_sa(id, 2);
        mote->peer =
            (struct net_peer){.address = node_address(ROOT), .out = &mote->out, .in = &mote->in};
        net->crypto = &crypto;
        net->peers = &mote->peer;
        net->peer_count = 1;
    }
    must(net_start(net, &chance, now_ms()) == MOTE_OK, "a mote does not start");
}

/* `level` of a node: nodes of one level and of the next ones hear each other. */
static void begin(uint8_t nodes, const uint8_t *level, enum protection protection, uint64_t seed,
                  enum air_duty duty)
{
    memset(&world, 0, sizeof world);
    world.protection = protection;
    world.air.user = (struct air_user){heard, done, NULL};
    world.air.nodes = nodes;
    world.air.dice = seed;
    lowpan_receiver_init(&world.receiver, world.slots, 4, world.datagrams_in[0], IPV6_MTU,
                         world.single, sizeof world.single);
    for (uint8_t a = ROOT; a <= nodes; a++) {
        world.air.links[a] = node_link(a);
        for (uint8_t b = ROOT; b <= nodes; b++)
            world.air.hears[a][b] = a != b && abs(level[a] - level[b]) <= 1;
    }
    for (uint8_t id = ROOT + 1; id <= nodes; id++)
        set_up(id);
    if (duty != AIR_ALWAYS_ON)
        duty_start(&world.air, duty);
}

static bool formed(const uint8_t *level)
{
    for (uint8_t id = ROOT + 1; id <= world.air.nodes; id++) {
        uint8_t parent = world.motes[id].parent;
        if (!net_ready(&world.motes[id].net) || parent == 0 || level[parent] + 1 != level[id])
            return false;
    }
    return true;
}

/* Sends from the host; true with the response time if the answer came. */
static bool echo(uint8_t id, uint64_t *response)
{
    struct ipv6_address host = node_address(ROOT), mote = node_address(id);
    struct udp udp = {HOST_PORT, ECHO_PORT, world.payload, world.size};
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU];
    int len = ipv6_udp_packet(&udp, &host, &mote, packet, sizeof packet);
    uint64_t start = world.air.now;

    if (world.protection != PLAIN) {
        len = ipsec_seal(&world.motes[id].host_out, &crypto, packet, (size_t)len, sealed,
                         sizeof sealed);
        must(len > 0, "the host could not seal a packet");
        memcpy(packet, sealed, (size_t)len);
    }
    world.answered = false;
    root_routes(packet, (size_t)len, id);
    live_until(start + (world.air.duty == AIR_ALWAYS_ON ? LOST_AFTER_US : LOST_ASLEEP_US));
    *response = world.air.now - start;
    return world.answered;
}

static void clear_times(struct air *air)
{
    for (uint8_t node = ROOT; node <= air->nodes; node++)
        air->tx_us[node] = air->rx_us[node] = 0;
}

static uint64_t sum_of(const uint64_t *times, uint8_t first)
{
    uint64_t sum = 0;

    for (uint8_t node = first; node <= world.air.nodes; node++)
        sum += times[node];
    return sum;
}

/* Cost of the duty cycle and of routing. */
static void measure_idle(void)
{
    struct air *air = &world.air;

    clear_times(air);
    world.answered = false;
    live_until(air->now + IDLE_S * (uint64_t)1000000);
    world.idle_tx = (double)sum_of(air->tx_us, ROOT + 1) / IDLE_S;
    world.idle_rx = (double)sum_of(air->rx_us, ROOT + 1) / IDLE_S;
}

static void measure(const char *network, uint8_t id, uint8_t hops, size_t size, unsigned echoes,
                    uint64_t seed)
{
    struct air *air = &world.air;
    uint64_t sum = 0, start = air->now;
    uint8_t first = air->duty == AIR_ALWAYS_ON ? ROOT : ROOT + 1;
    uint32_t frames = air->data_frames, octets = air->data_octets, collisions = air->collisions;
    unsigned lost = 0;

    world.size = size;
    clear_times(air);
    for (unsigned i = 0; i < echoes; i++) {
        uint64_t response;
        world.answered = false;
        live_until(air->now + PAUSE_US);
        /* The same backoffs whatever the protection: their differences are those of the octets. */
        air->dice = seed + i + 1;
        for (size_t octet = 0; octet < size; octet++)
            world.payload[octet] = (uint8_t)(i * 7 + octet);
        if (echo(id, &response))
            sum += response;
        else
            lost++;
    }
    printf("%s\t%s\t%u\t%u\t%zu\t%u\t%u\t%.1f\t%.3f\t%.3f\t%u\t%llu\t%llu", network,
           protection_names[world.protection], id - 1U, hops, size, echoes, lost,
           echoes > lost ? (double)sum / (echoes - lost) : 0.0,
           (double)(air->data_frames - frames) / echoes,
           (double)(air->data_octets - octets) / echoes, air->collisions - collisions,
           (unsigned long long)sum_of(air->tx_us, first),
           (unsigned long long)sum_of(air->rx_us, first));
    if (air->duty != AIR_ALWAYS_ON)
        printf("\t%.1f\t%.1f\t%llu", world.idle_tx, world.idle_rx,
               (unsigned long long)(air->now - start));
    printf("\n");
}

static void run(const char *network, uint8_t nodes, const uint8_t *level, uint64_t seed,
                unsigned echoes, enum air_duty duty)
{
    static const size_t sizes[] = {8, 16, 32, 64, 512};

    for (int protection = PLAIN; protection < PROTECTIONS; protection++) {
        begin(nodes, level, (enum protection)protection, seed, duty);
        for (unsigned s = 0; s < FORMING_S && !formed(level); s++) {
            world.answered = false;
            live_until(world.air.now + 1000000);
        }
        must(formed(level), "the network does not form");
        if (duty != AIR_ALWAYS_ON)
            measure_idle();
        for (uint8_t id = ROOT + 1; id <= nodes; id++)
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
                measure(network, id, level[id], sizes[i], echoes, seed);
    }
}

int main(int argc, char **argv)
{
    /* Root, then the motes: a line of six hops, and thirteen motes in five rings. */
    static const uint8_t line[] = {0, 0, 1, 2, 3, 4, 5, 6};
    static const uint8_t rings[] = {0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5};
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned echoes = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100;

    enum air_duty duty = argc <= 3                         ? AIR_ALWAYS_ON
                         : strcmp(argv[3], "strobes") == 0 ? AIR_STROBES
                                                           : AIR_PHASE_LOCK;

    must(seed > 0 && echoes > 0 && (argc <= 3 || duty == AIR_STROBES || !strcmp(argv[3], "locked")),
         "usage: network SEED ECHOES [strobes|locked]");
    bearssl_aes128(&aes, &aes_state);
    run("line", 7, line, seed, echoes, duty);
    if (duty == AIR_ALWAYS_ON)
        run("thirteen", 14, rings, seed, echoes, duty);
    return EXIT_SUCCESS;
}
