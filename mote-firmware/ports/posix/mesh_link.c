/* Carries frames between MAC and core/net, and the mirror's datagrams between core/net and
 * endpoint. */
#include "mesh_link.h"

#include <string.h>

#include "mote/coap.h"

const struct lowpan_context MESH_CONTEXT = {64, {0xfd}, true};

/* ---- link security ---- */

/* Reserves frame counters before the next frame. If that fails, core/net sends nothing. */
static void reserve_own(struct mesh_link *mesh)
{
    struct net_security *security = &mesh->net.security;

    if (mesh->counters == NULL || security->counter < security->reserved)
        return;
    if (link_counters_reserve(mesh->counters, mesh->net.eui, security->counter) == MOTE_OK)
        security->reserved = link_counters_own(mesh->counters, mesh->net.eui);
}

static void secure(struct mesh_link *mesh, const struct mesh_security *security)
{
    mesh->counters = security->counters;
    mesh->net.security =
        (struct net_security){.level = security->level,
                              .aes = security->aes,
                              .counter = link_counters_own(security->counters, mesh->net.eui),
                              .replay = {mesh->heard, MESH_NEIGHBOURS},
                              .save = link_counters_save,
                              .save_context = security->counters};
    mesh->net.security.reserved = mesh->net.security.counter;
    link_counters_restore(security->counters, &mesh->net.security.replay);
    memcpy(mesh->net.security.key, security->key, AES_BLOCK);
}

/* ---- sending ---- */

/* Reports the result of the last frame to core/net, if the MAC has finished with it. */
static void report_result(struct mesh_link *mesh, uint64_t now)
{
    enum mac_state state = mesh->mac.state;

    if (state != MAC_DONE && state != MAC_FAILED)
        return;
    net_transmitted(&mesh->net, mesh->mac.transmissions, state == MAC_DONE, (uint32_t)now);
    mac_idle(&mesh->mac);
}

/* Writes the next frame. Returns 0 if there is none. Frames that cannot be written are dropped from
 * the queue. */
static int next_frame(struct mesh_link *mesh, uint8_t *psdu, uint64_t now)
{
    int len;

    do
        len = net_next_frame(&mesh->net, (uint32_t)now, psdu, FRAME_MAX - FRAME_FCS_SIZE);
    while (len < 0);
    return len;
}

/* Queues the next packet of the source; false if there is none. */
static bool take_from_source(struct mesh_link *mesh)
{
    uint8_t packet[IPV6_MTU];
    size_t len = 0;

    if (mesh->source != NULL && net_ready(&mesh->net))
        len = mesh->source(mesh->source_context, packet, sizeof packet);
    return len > 0 && net_send_packet(&mesh->net, packet, len) == MOTE_OK;
}

/* Passes the next frame to the idle MAC; false if there is none. */
static bool send_next(struct mesh_link *mesh, uint64_t now)
{
    uint8_t psdu[FRAME_MAX];
    int len;

    reserve_own(mesh);
    len = next_frame(mesh, psdu, now);
    if (len == 0 && take_from_source(mesh))
        len = next_frame(mesh, psdu, now);
    if (len == 0)
        return false;
    if (mac_send_psdu(&mesh->mac, psdu, (size_t)len, now) != MOTE_OK)
        net_transmitted(&mesh->net, 0, false, (uint32_t)now);
    return true;
}

/* The time of core/net's next frame: at the earliest the next millisecond, because no frame is due
 * now. */
static uint64_t net_deadline(const struct mesh_link *mesh, uint64_t now)
{
    int32_t left = (int32_t)(net_due(&mesh->net, (uint32_t)now) - (uint32_t)now);

    return now + (left > 1 ? (uint64_t)left : 1);
}

static uint64_t mesh_tick(void *context, uint64_t now)
{
    struct mesh_link *mesh = context;
    uint64_t hello_at = zep_tick(&mesh->zep, now);
    uint64_t at = mac_tick(&mesh->mac, now);

    report_result(mesh, now);
    while (mesh->mac.state == MAC_IDLE && send_next(mesh, now)) {
        at = mac_tick(&mesh->mac, now);
        report_result(mesh, now);
    }
    if (mesh->mac.state == MAC_IDLE)
        at = net_deadline(mesh, now);
    return at < hello_at ? at : hello_at;
}

static bool mesh_busy(const void *context)
{
    const struct mesh_link *mesh = context;

    if (mesh->mac.state != MAC_IDLE)
        return true;
    for (size_t i = 0; i < MESH_QUEUE; i++)
        if (mesh->queue[i].used && mesh->queue[i].ready)
            return true;
    return false;
}

static bool mesh_ready(const void *context)
{
    const struct mesh_link *mesh = context;

    return net_ready(&mesh->net);
}

static int mesh_send(void *context, const uint8_t *datagram, size_t len)
{
    struct mesh_link *mesh = context;
    const struct udp udp = {.src_port = MESH_UDP_PORT,
                            .dst_port = mesh->mirror_port,
                            .payload = datagram,
                            .payload_len = len};

    return net_send(&mesh->net, &mesh->mirror, &udp) == MOTE_OK ? MOTE_OK : MOTE_E_IO;
}

/* ---- receiving ---- */

/* Copies the payload of a datagram from the mirror; 0 for other datagrams. */
static size_t payload_of(const struct mesh_link *mesh, const struct net_datagram *datagram,
                         uint8_t *out, size_t size)
{
    struct writer copy;

    if (datagram->udp.payload == NULL || !ipv6_equal(&datagram->src, &mesh->mirror) ||
        datagram->udp.src_port != mesh->mirror_port || datagram->udp.dst_port != MESH_UDP_PORT)
        return 0;
    writer_init(&copy, out, size);
    writer_bytes(&copy, datagram->udp.payload, datagram->udp.payload_len);
    return writer_len(&copy);
}

/*
 * Answers a CoAP request from any sender, if there is a server. True if the datagram was a request.
 */
static bool serve(struct mesh_link *mesh, const struct net_datagram *datagram)
{
    const struct udp *udp = &datagram->udp;
    uint8_t answer[MESH_ANSWER_MAX];
    struct coap_message message;
    struct udp back = {MESH_UDP_PORT, udp->src_port, answer, 0};

    if (mesh->server == NULL || udp->payload == NULL || udp->dst_port != MESH_UDP_PORT ||
        coap_parse(&message, udp->payload, udp->payload_len) != MOTE_OK ||
        message.type > COAP_NON || message.code >> 5 != 0)
        return false;
    mesh->requester = datagram->src;
    back.payload_len = coap_serve(mesh->server, udp->payload, udp->payload_len, mesh->server_id++,
                                  answer, sizeof answer);
    if (back.payload_len > 0)
        (void)net_send(&mesh->net, &datagram->src,
                       &back); /* if it is lost, the client retransmits */
    return true;
}

/* Returns a datagram for the echo port to its sender, unless the sender is an echo port, which
 * would cause an endless loop. True if the datagram was for the echo port. */
static bool echo(struct mesh_link *mesh, const struct net_datagram *datagram)
{
    const struct udp *udp = &datagram->udp;
    uint8_t copy[IPV6_MTU];
    const struct udp back = {MESH_ECHO_PORT, udp->src_port, copy, udp->payload_len};

    if (!mesh->echo || udp->payload == NULL || udp->dst_port != MESH_ECHO_PORT ||
        udp->payload_len > sizeof copy)
        return false;
    memcpy(copy, udp->payload, udp->payload_len);
    if (udp->src_port != MESH_ECHO_PORT)
        (void)net_send(&mesh->net, &datagram->src, &back);
    return true;
}

static size_t mesh_receive(void *context, uint8_t *out, size_t size, uint64_t now)
{
    struct mesh_link *mesh = context;
    uint8_t psdu[FRAME_MAX];
    size_t len;

    while ((len = zep_receive(&mesh->zep, psdu)) > 0) {
        struct net_datagram datagram;
        struct frame frame;

        if (!mac_receive(&mesh->mac, psdu, len, &frame, now) ||
            net_receive(&mesh->net, psdu, len, (uint32_t)now, &datagram) != MOTE_OK ||
            serve(mesh, &datagram) || echo(mesh, &datagram))
            continue;
        len = payload_of(mesh, &datagram, out, size);
        if (len > 0)
            return len;
    }
    return 0;
}

int mesh_link_open(struct mesh_link *mesh, const char *ether_host, const char *ether_port,
                   const uint8_t eui64[EUI64_SIZE], const struct ipv6_address *mirror,
                   uint16_t mirror_port, const struct mesh_security *security,
                   const struct random *random, uint64_t now, struct link *link, char *problem,
                   size_t problem_size)
{
    memset(mesh, 0, sizeof *mesh);
    if (zep_open(&mesh->zep, ether_host, ether_port, eui64, problem, problem_size) != 0)
        return -1;
    mac_init(&mesh->mac, &mesh->zep, random);
    mesh->mirror = *mirror;
    mesh->mirror_port = mirror_port;
    memcpy(mesh->net.eui, eui64, EUI64_SIZE);
    mesh->net.pan = MAC_PAN;
    mesh->net.routed = true;
    mesh->net.lowpan = (struct lowpan){.contexts = &MESH_CONTEXT, .context_count = 1};
    lowpan_receiver_init(&mesh->net.receiver, mesh->slots, MESH_SLOTS, mesh->datagrams[0],
                         sizeof mesh->datagrams[0], mesh->single, sizeof mesh->single);
    net_queue_init(&mesh->net, mesh->queue, MESH_QUEUE, mesh->packets[0], sizeof mesh->packets[0]);
    ipv6_reassembler_init(&mesh->reassembler, mesh->fragmented, MESH_FRAGMENTED,
                          mesh->fragments[0]);
    mesh->net.reassembler = &mesh->reassembler;
    if (security != NULL)
        secure(mesh, security);
    if (net_start(&mesh->net, random, (uint32_t)now) != MOTE_OK) {
        snprintf(problem, problem_size,
                 "security level 4 authenticates nothing: give --link-level 5, 6 or 7");
        return -1;
    }
    *link = (struct link){.wire = {.send = mesh_send, .context = mesh},
                          .fd = mesh->zep.fd,
                          .receive = mesh_receive,
                          .tick = mesh_tick,
                          .busy = mesh_busy,
                          .ready = mesh_ready,
                          .awake = true,
                          .context = mesh};
    return 0;
}
