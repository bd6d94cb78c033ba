#include "mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAN = 0xabcd, FORMING_S = 1800, DIO_US = 8000000, ROUTE_UNIT_S = 60 };

static const struct lowpan_context prefix = {64, {0xfd}, true};

void mesh_must(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "mesh: %s\n", what);
        exit(EXIT_FAILURE);
    }
}

/* The motes' EUI-64s are consecutive numbers of one manufacturer. */
static struct link_address mesh_link(uint8_t id)
{
    const uint8_t eui[8] = {0x02, 0x56, 0x49, 0x47, 0x49, 0x4c, 0, id};

    return id == MESH_ROOT ? node_link(id) : link_extended(eui);
}

static struct ipv6_address mesh_address(uint8_t id)
{
    struct link_address link = mesh_link(id);

    return ipv6_under_prefix(prefix.prefix, &link);
}

static uint32_t now_ms(const struct mesh *mesh)
{
    return (uint32_t)(mesh->air.now / 1000);
}

static int roll(void *context, uint8_t *out, size_t len)
{
    struct mesh *mesh = context;

    for (size_t i = 0; i < len; i++)
        out[i] = (uint8_t)(air_roll(&mesh->air) >> 32);
    return 0;
}

/* ---- the root: the codecs of a mote, with the routes of RPL ---- */

void mesh_pump(struct mesh *mesh, uint8_t node)
{
    uint8_t psdu[FRAME_MAX];
    int len;

    if (!air_is_idle(&mesh->air, node) || mesh->motes[node].off)
        return;
    if (node == MESH_ROOT) {
        if (mesh->count > 0)
            air_send(&mesh->air, MESH_ROOT, mesh->outbox[mesh->first],
                     mesh->outbox_len[mesh->first], mesh->count > 1);
        return;
    }
    do { /* a packet without a sequence number is dropped */
        len = net_next_frame(&mesh->motes[node].net, now_ms(mesh), psdu, sizeof psdu);
        mesh_must(len >= 0 || mesh->user.packet != NULL, "a mote could not send a packet");
    } while (len < 0);
    if (len > 0)
        air_send(&mesh->air, node, psdu, (size_t)len,
                 mesh->motes[node].net.sender.sent < mesh->motes[node].net.sender.len);
}

static void root_sends(struct mesh *mesh, const uint8_t *packet, size_t len,
                       const struct link_address *to)
{
    const struct lowpan lowpan = {&prefix, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
    struct link_address own = mesh_link(MESH_ROOT);
    struct lowpan_sender sender;
    uint8_t payload[FRAME_MAX];
    int n;

    mesh_must(lowpan_send_start(&sender, &lowpan, packet, len, &own, to, true,
                                FRAME_MAX - FRAME_FCS_SIZE - 21, mesh->tag++) == MOTE_OK,
              "the root could not compress a packet");
    while ((n = lowpan_send_next(&sender, payload, sizeof payload)) > 0) {
        struct frame frame;
        size_t place = (mesh->first + mesh->count) % MESH_OUTBOX;
        if (mesh->count == MESH_OUTBOX && mesh->user.packet != NULL)
            break;
        mesh_must(mesh->count < MESH_OUTBOX, "the root's queue is full");
        frame_data(&frame, PAN, to, &own, mesh->seq++);
        frame.payload = payload;
        frame.payload_len = (size_t)n;
        int size = frame_write(&frame, mesh->outbox[place], FRAME_MAX);
        mesh_must(size > 0, "the root could not write a frame");
        mesh->outbox_len[place] = (size_t)size;
        mesh->count++;
    }
    mesh_pump(mesh, MESH_ROOT);
}

/* Sends a packet down to a mote, with a source route if there are routers in between. */
static void root_routes(struct mesh *mesh, const uint8_t *packet, size_t len, uint8_t id)
{
    struct ipv6_address path[AIR_NODES], *start = path + AIR_NODES;
    uint8_t out[IPV6_MTU], nearest = id;
    struct writer w;

    for (uint8_t at = id; at != MESH_ROOT; at = mesh->motes[at].parent) {
        if ((at == 0 || start == path) && mesh->user.packet != NULL)
            return;
        mesh_must(at != 0 && start > path, "there is no route");
        *--start = mesh_address(at);
        nearest = at;
    }
    size_t hops = (size_t)(path + AIR_NODES - start);
    struct link_address first = mesh_link(nearest);
    if (hops == 1) {
        root_sends(mesh, packet, len, &first);
        return;
    }
    writer_init(&w, out, sizeof out);
    writer_bytes(&w, packet, IPV6_HEADER_SIZE);
    write_source_route(&w, packet[6], start, hops);
    writer_bytes(&w, packet + IPV6_HEADER_SIZE, len - IPV6_HEADER_SIZE);
    mesh_must(!w.failed, "a packet is too long for its source route");
    out[6] = NEXT_ROUTING;
    out[4] = (uint8_t)((w.len - IPV6_HEADER_SIZE) >> 8);
    out[5] = (uint8_t)(w.len - IPV6_HEADER_SIZE);
    memcpy(out + 24, start->octets, 16);
    root_sends(mesh, out, w.len, &first);
}

static void root_acknowledges(struct mesh *mesh, uint8_t target, uint8_t sequence)
{
    const uint8_t body[4] = {0, 0, sequence, 0};
    struct icmpv6 icmp = {ICMPV6_RPL, RPL_DAO_ACK, body, sizeof body};
    struct ipv6_address src = mesh_address(MESH_ROOT), dst = mesh_address(target);
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
    root_routes(mesh, packet, w.len, target);
}

static void root_offers(struct mesh *mesh)
{
    struct rpl_dio dio = root_offer(mesh_address(MESH_ROOT));
    struct link_address everybody = link_short(0xffff);
    uint8_t packet[256];

    dio.config.lifetime_unit = mesh->route_unit_s;
    size_t len = make_dio(packet, &dio, MESH_ROOT);

    root_sends(mesh, packet, len, &everybody);
}

/* The number of the node with this address. */
static uint8_t number_of(const struct mesh *mesh, const struct ipv6_address *address)
{
    for (uint8_t id = MESH_ROOT; id <= mesh->air.nodes; id++) {
        struct ipv6_address known = mesh_address(id);
        if (ipv6_equal(&known, address))
            return id;
    }
    return 0;
}

static bool is_icmp(const uint8_t *packet, size_t len)
{
    struct ipv6_upper upper;

    return ipv6_find_upper(&upper, packet, len) == MOTE_OK && upper.protocol == NEXT_ICMPV6;
}

static void root_takes(struct mesh *mesh, const uint8_t *packet, size_t len)
{
    struct ipv6_upper upper;
    struct icmpv6 icmp;
    struct udp udp;
    uint8_t opened[IPV6_MTU], protocol;
    uint32_t spi;
    struct ipv6_address src;

    memcpy(src.octets, packet + 8, sizeof src.octets);
    if (mesh->user.packet != NULL && !is_icmp(packet, len)) {
        mesh->user.packet(mesh, packet, len);
        return;
    }
    if (ipsec_peek(packet, len, &protocol, &spi) == MOTE_OK) {
        struct mesh_mote *mote = &mesh->motes[number_of(mesh, &src)];
        int n = ipsec_open(&mote->host_in, &mesh->crypto, packet, len, opened, sizeof opened);
        mesh_must(n > 0 || n == MOTE_E_REPLAY, "the host could not open a packet");
        if (n < 0)
            return; /* a retransmission, because the acknowledgement was lost */
        packet = opened;
        len = (size_t)n;
    }
    mesh_must(ipv6_find_upper(&upper, packet, len) == MOTE_OK, "the host got no packet");
    if (icmpv6_parse(&icmp, &upper, packet) == MOTE_OK && icmp.type == ICMPV6_RPL &&
        icmp.code == RPL_DAO) {
        uint8_t target = icmp.body[23];
        mesh->motes[target].parent = icmp.body[45];
        root_acknowledges(mesh, target, icmp.body[3]);
    } else if (udp_parse(&udp, &upper, packet) == MOTE_OK) {
        mesh->user.host(mesh, number_of(mesh, &src), &udp);
    }
}

static void root_hears(struct mesh *mesh, const uint8_t *psdu, size_t len)
{
    const struct lowpan lowpan = {&prefix, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};
    struct frame frame;
    struct lowpan_packet packet;
    uint8_t copy[FRAME_MAX], whole[IPV6_MTU];

    memcpy(copy, psdu, len);
    mesh_must(frame_parse(&frame, copy, len) == MOTE_OK, "the root got no frame");
    if (!frame.ack_request)
        return; /* motes' broadcasts */
    if (lowpan_receive(&mesh->receiver, &lowpan, frame.payload, frame.payload_len, &frame.src,
                       &frame.dst, now_ms(mesh), &packet) == MOTE_OK &&
        packet.data != NULL) {
        memcpy(whole, packet.data, packet.len);
        root_takes(mesh, whole, packet.len);
    }
}

/* ---- the air's user ---- */

static void heard(void *context, uint8_t node, const uint8_t *psdu, size_t len)
{
    struct mesh *mesh = context;
    struct net *net = &mesh->motes[node].net;
    struct net_datagram datagram;

    if (mesh->motes[node].off)
        return;
    if (node == MESH_ROOT) {
        root_hears(mesh, psdu, len);
        return;
    }
    net_receive(net, psdu, len, now_ms(mesh), &datagram);
    if (datagram.udp.payload != NULL)
        mesh->user.mote(mesh, node, &datagram);
    mesh_pump(mesh, node);
}

static void done(void *context, uint8_t node, unsigned transmissions, bool acknowledged)
{
    struct mesh *mesh = context;

    if (node == MESH_ROOT) {
        mesh->first = (mesh->first + 1) % MESH_OUTBOX;
        mesh->count--;
    } else {
        net_transmitted(&mesh->motes[node].net, transmissions, acknowledged, now_ms(mesh));
    }
    mesh_pump(mesh, node);
}

/* ---- time ---- */

/* The next time at which a stack sends by itself. */
static uint64_t next_due(const struct mesh *mesh)
{
    uint64_t next = mesh->next_dio;
    uint32_t now = now_ms(mesh);

    for (uint8_t id = MESH_ROOT + 1; id <= mesh->air.nodes; id++) {
        int32_t wait = (int32_t)(net_due(&mesh->motes[id].net, now) - now);
        uint64_t due = (uint64_t)(now + (uint32_t)(wait > 0 ? wait : 1)) * 1000;
        if (!mesh->motes[id].off && air_is_idle(&mesh->air, id) && due < next)
            next = due;
    }
    return next;
}

void mesh_live(struct mesh *mesh, uint64_t end)
{
    while (mesh->air.now < end && !mesh->done) {
        uint64_t event = air_next(&mesh->air), due = next_due(mesh);
        uint64_t next = event < due ? event : due;
        if (next > end) {
            mesh->air.now = end;
            return;
        }
        if (event <= due) {
            air_step(&mesh->air);
            continue;
        }
        mesh->air.now = due;
        if (due == mesh->next_dio) {
            mesh->next_dio += mesh->dio_us;
            root_offers(mesh);
        }
        for (uint8_t id = MESH_ROOT + 1; id <= mesh->air.nodes; id++)
            mesh_pump(mesh, id);
    }
}

/* ---- networks ---- */

static struct ipsec_sa make_sa(const struct mesh *mesh, uint8_t id, uint8_t way)
{
    struct ipsec_sa sa = {.protocol = mesh->protection == MESH_AH ? &ipsec_ah : &ipsec_esp,
                          .cipher = mesh->protection == MESH_AH ? NULL : &ipsec_aes_ctr,
                          .integrity = &ipsec_xcbc_96,
                          .spi = 1,
                          .key = {id, way},
                          .integrity_key = {id, way, 1},
                          .reserved = UINT32_MAX};
    return sa;
}

static void set_up(struct mesh *mesh, uint8_t id)
{
    struct mesh_mote *mote = &mesh->motes[id];
    struct net *net = &mote->net;
    struct link_address link = mesh_link(id);

    memcpy(net->eui, link.octets, sizeof net->eui);
    net->pan = PAN;
    net->routed = true;
    net->lowpan = (struct lowpan){.contexts = &prefix, .context_count = 1};
    lowpan_receiver_init(&net->receiver, mote->slots, 2, mote->datagrams_in[0], IPV6_MTU,
                         mote->single, sizeof mote->single);
    net_queue_init(net, mote->queue, MESH_MOTE_QUEUE, mote->packets[0], IPV6_MTU);
    net->ipsec_compressed = true;
    net->security = (struct net_security){
        .aes = &mesh->aes, .reserved = UINT32_MAX, .replay = {mote->heard, AIR_NODES}};
    if (mesh->protection != MESH_PLAIN) {
        mote->out = mote->host_in = make_sa(mesh, id, 1);
        mote->in = mote->host_out = make_sa(mesh, id, 2);
        mote->peer = (struct net_peer){
            .address = mesh_address(MESH_ROOT), .out = &mote->out, .in = &mote->in};
        net->crypto = &mesh->crypto;
        net->peers = &mote->peer;
        net->peer_count = 1;
    }
    mesh_must(net_start(net, &mesh->chance, now_ms(mesh)) == MOTE_OK, "a mote does not start");
}

void mesh_begin(struct mesh *mesh, const struct mesh_user *user, uint8_t nodes,
                const uint8_t *level, enum mesh_protection protection, uint64_t seed,
                enum air_duty duty)
{
    memset(mesh, 0, sizeof *mesh);
    mesh->user = *user;
    bearssl_aes128(&mesh->aes, &mesh->aes_state);
    mesh->crypto = (struct ipsec_crypto){&mesh->aes, NULL, NULL};
    mesh->chance = (struct random){roll, mesh};
    mesh->protection = protection;
    mesh->dio_us = DIO_US;
    mesh->route_unit_s = ROUTE_UNIT_S;
    mesh->air.user = (struct air_user){heard, done, mesh};
    mesh->air.nodes = nodes;
    mesh->air.dice = seed;
    lowpan_receiver_init(&mesh->receiver, mesh->slots, 4, mesh->datagrams_in[0], IPV6_MTU,
                         mesh->single, sizeof mesh->single);
    for (uint8_t a = MESH_ROOT; a <= nodes; a++) {
        mesh->air.links[a] = mesh_link(a);
        for (uint8_t b = MESH_ROOT; b <= nodes; b++)
            mesh->air.hears[a][b] = a != b && abs(level[a] - level[b]) <= 1;
    }
    for (uint8_t id = MESH_ROOT + 1; id <= nodes; id++)
        set_up(mesh, id);
    if (duty != AIR_ALWAYS_ON)
        duty_start(&mesh->air, duty);
}

static bool formed(const struct mesh *mesh, const uint8_t *level)
{
    for (uint8_t id = MESH_ROOT + 1; id <= mesh->air.nodes; id++) {
        uint8_t parent = mesh->motes[id].parent;
        if (!net_ready(&mesh->motes[id].net) || parent == 0 || level[parent] + 1 != level[id])
            return false;
    }
    return true;
}

void mesh_form(struct mesh *mesh, const uint8_t *level)
{
    for (unsigned s = 0; s < FORMING_S && !formed(mesh, level); s++) {
        mesh->done = false;
        mesh_live(mesh, mesh->air.now + 1000000);
    }
    mesh_must(formed(mesh, level), "the network does not form");
}

/* ---- datagrams ---- */

void mesh_host_sends(struct mesh *mesh, uint8_t id, const struct udp *udp)
{
    struct ipv6_address host = mesh_address(MESH_ROOT), mote = mesh_address(id);
    uint8_t packet[IPV6_MTU], sealed[IPV6_MTU];
    int len = ipv6_udp_packet(udp, &host, &mote, packet, sizeof packet);

    if (len > 0 && mesh->protection != MESH_PLAIN) {
        len = ipsec_seal(&mesh->motes[id].host_out, &mesh->crypto, packet, (size_t)len, sealed,
                         sizeof sealed);
        if (len > 0)
            memcpy(packet, sealed, (size_t)len);
    }
    mesh_must(len > 0, "the host could not make a packet");
    root_routes(mesh, packet, (size_t)len, id);
}

void mesh_mote_sends(struct mesh *mesh, uint8_t id, const struct udp *udp)
{
    struct ipv6_address host = mesh_address(MESH_ROOT);

    mesh_must(net_send(&mesh->motes[id].net, &host, udp) == MOTE_OK, "a mote could not send");
    mesh_pump(mesh, id);
}

void mesh_host_packet(struct mesh *mesh, const uint8_t *packet, size_t len)
{
    struct ipv6_address to;

    memcpy(to.octets, packet + 24, sizeof to.octets);
    root_routes(mesh, packet, len, number_of(mesh, &to));
}

void mesh_power(struct mesh *mesh, uint8_t id, bool on)
{
    struct mesh_mote *mote = &mesh->motes[id];
    uint8_t parent = mote->parent;

    air_cut(&mesh->air, id);
    memset(mote, 0, sizeof *mote);
    mote->parent = parent; /* the root still knows the last route */
    mote->off = !on;
    if (on)
        set_up(mesh, id);
}

void mesh_clear_times(struct mesh *mesh)
{
    memset(mesh->air.tx_us, 0, sizeof mesh->air.tx_us);
    memset(mesh->air.rx_us, 0, sizeof mesh->air.rx_us);
}

uint64_t mesh_sum(const struct mesh *mesh, const uint64_t *times, uint8_t first)
{
    uint64_t sum = 0;

    for (uint8_t node = first; node <= mesh->air.nodes; node++)
        sum += times[node];
    return sum;
}
