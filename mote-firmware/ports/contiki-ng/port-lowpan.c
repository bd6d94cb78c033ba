/*
 * A network driver with two 6LoWPANs: the core compresses (NHC_AH, NHC_ESP), fragments and
 * reassembles packets with AH or ESP, and Contiki-NG all others. With link security it also drops
 * replayed frames and secures the first packets after a start, which Contiki-NG does not.
 */
#include "port-lowpan.h"

#include <string.h>

#include "contiki-port.h"
#include "net/ipv6/sicslowpan.h"
#include "net/ipv6/uip-ds6.h"
#include "net/ipv6/uip.h"
#include "net/ipv6/uipbuf.h"
#include "net/link-stats.h"
#include "net/mac/llsec802154.h"
#include "net/packetbuf.h"
#include "net/queuebuf.h"
#include "net/routing/routing.h"
#include "packets.h"
#include "port-ipsec.h"
#include "port-llsec.h"

enum {
    /* Contiki-NG's datagram tags start at 0; the core's must differ. */
    FIRST_TAG = 0x8000
};

/* Contiki-NG's context 0. */
static const struct lowpan_context CONTEXT = {
    64, {UIP_DS6_DEFAULT_PREFIX >> 8, UIP_DS6_DEFAULT_PREFIX & 0xff}, true};
static const struct lowpan LOWPAN = {&CONTEXT, 1, &lowpan_nhc_esp, &lowpan_nhc_ah};

static struct {
    uint16_t tag;
    struct lowpan_receiver receiver;
    struct lowpan_slot slots[MOTE_CONF_REASSEMBLIES];
    uint8_t octets[MOTE_CONF_REASSEMBLIES * MOTE_CONF_DATAGRAM];
    uint8_t single[LOWPAN_SINGLE_MAX];
} lowpan;

static struct link_address link_address(const linkaddr_t *address)
{
    return address == NULL || linkaddr_cmp(address, &linkaddr_null) ? link_short(0xffff)
                                                                    : link_extended(address->u8);
}

/* ---- link security ---- */

/* Secures a frame, because Contiki-NG would send its first packets after a start unsecured. */
static void secure(void)
{
#if LLSEC802154_ENABLED
    if (uipbuf_get_attr(UIPBUF_ATTR_LLSEC_LEVEL) == 0)
        uipbuf_set_attr(UIPBUF_ATTR_LLSEC_LEVEL, UIPBUF_ATTR_LLSEC_LEVEL_MAC_DEFAULT);
#endif
}

/* ---- receiving ---- */

static void hand_up(const struct lowpan_packet *packet)
{
    uipbuf_clear();
    memcpy(uip_buf, packet->data, packet->len);
    uip_len = (uint16_t)packet->len;
    uipbuf_set_attr(UIPBUF_ATTR_RSSI, packetbuf_attr(PACKETBUF_ATTR_RSSI));
    uipbuf_set_attr(UIPBUF_ATTR_LINK_QUALITY, packetbuf_attr(PACKETBUF_ATTR_LINK_QUALITY));
    tcpip_input();
}

/* Compressed UDP inside ESP is never agreed on here, so packets with it are dropped. */
static void receive(const struct link_address *src)
{
    const struct link_address dst = link_address(packetbuf_addr(PACKETBUF_ADDR_RECEIVER));
    struct lowpan_packet packet;

    link_stats_input_callback(packetbuf_addr(PACKETBUF_ADDR_SENDER));
    if (lowpan_receive(&lowpan.receiver, &LOWPAN, packetbuf_dataptr(), packetbuf_datalen(), src,
                       &dst, (uint32_t)port_now(), &packet) == MOTE_OK &&
        packet.data != NULL && packet.len <= UIP_BUFSIZE)
        hand_up(&packet);
}

static void input(void)
{
    const struct link_address src = link_address(packetbuf_addr(PACKETBUF_ADDR_SENDER));

    if (!port_llsec_is_new())
        return;
    if (payload_peek(&lowpan.receiver, packetbuf_dataptr(), packetbuf_datalen(), &src) ==
        PAYLOAD_CORE)
        receive(&src);
    else
        sicslowpan_driver.input();
    port_ipsec_settle();
}

/* ---- sending ---- */

/* Reports the transmission to link statistics and RPL, as sicslowpan does. */
static void sent(void *context, int status, int transmissions)
{
    const linkaddr_t *to = packetbuf_addr(PACKETBUF_ADDR_RECEIVER);

    (void)context;
    if (linkaddr_cmp(to, &linkaddr_null))
        return;
    link_stats_packet_sent(to, status, transmissions);
    NETSTACK_ROUTING.link_callback(to, status, transmissions);
    uip_ds6_link_callback(status, transmissions);
}

static void begin_frame(const linkaddr_t *to)
{
    packetbuf_clear();
    packetbuf_set_addr(PACKETBUF_ADDR_RECEIVER, to != NULL ? to : &linkaddr_null);
    packetbuf_set_attr(PACKETBUF_ATTR_MAX_MAC_TRANSMISSIONS,
                       uipbuf_get_attr(UIPBUF_ATTR_MAX_MAC_TRANSMISSIONS));
#if LLSEC802154_USES_AUX_HEADER
    packetbuf_set_attr(PACKETBUF_ATTR_SECURITY_LEVEL, uipbuf_get_attr(UIPBUF_ATTR_LLSEC_LEVEL));
#if LLSEC802154_USES_EXPLICIT_KEYS
    packetbuf_set_attr(PACKETBUF_ATTR_KEY_INDEX, uipbuf_get_attr(UIPBUF_ATTR_LLSEC_KEY_ID));
#endif
#endif
}

/* CSMA copies each frame to its queue. One buffer is left free. */
static bool send_frames(struct lowpan_sender *sender, const linkaddr_t *to)
{
    int len;

    if (lowpan_send_frames(sender) + 1 > queuebuf_numfree())
        return false;
    for (;;) {
        begin_frame(to);
        len = lowpan_send_next(sender, packetbuf_dataptr(), PACKETBUF_SIZE);
        if (len <= 0)
            return len == 0;
        packetbuf_set_datalen((uint16_t)len);
        NETSTACK_MAC.send(sent, NULL);
    }
}

static bool send(const linkaddr_t *to)
{
    const struct link_address src = link_extended(linkaddr_node_addr.u8);
    const struct link_address dst = link_address(to);
    struct lowpan_sender sender;
    int room;

    begin_frame(to);
    room = NETSTACK_MAC.max_payload();
    return room > 0 &&
           lowpan_send_start(&sender, &LOWPAN, uip_buf, uip_len, &src, &dst, true, (size_t)room,
                             lowpan.tag++) == MOTE_OK &&
           send_frames(&sender, to);
}

static uint8_t output(const linkaddr_t *to)
{
    secure();
    if (MOTE_CONF_NHC && packet_is_protected(uip_buf, uip_len))
        return send(to);
    return sicslowpan_driver.output(to);
}

static void init(void)
{
    sicslowpan_driver.init();
    lowpan.tag = FIRST_TAG;
    lowpan_receiver_init(&lowpan.receiver, lowpan.slots, MOTE_CONF_REASSEMBLIES, lowpan.octets,
                         MOTE_CONF_DATAGRAM, lowpan.single, sizeof lowpan.single);
#if LLSEC802154_ENABLED && defined MOTE_ASSOCIATIONS
    port_llsec_start(); /* associations may need the entries that a new link key frees */
#endif
    port_ipsec_start();
    port_llsec_start(); /* if there was no free entry: in that of a former association */
}

const struct network_driver mote_lowpan_driver = {"6LoWPAN with NHC_AH, NHC_ESP", init, input,
                                                  output};
