/*
 * A UDP echo server (RFC 862) in the RPL mesh, as in the thesis' experiments; for a protected peer,
 * under IPsec.
 */
#include <stdio.h>

#include "contiki-port.h"
#include "net/ipv6/simple-udp.h"
#include "net/ipv6/uip-ds6.h"
#include "net/ipv6/uiplib.h"
#include "net/netstack.h"
#include "net/routing/routing.h"

enum { ECHO_PORT = 7, LOOK_AGAIN_MS = 500 };

static struct {
    struct simple_udp_connection udp;
    struct etimer timer;
    bool ready;
    unsigned long answered;
} node;

PROCESS(echo_node_process, "echo node");
AUTOSTART_PROCESSES(&echo_node_process);

static void received(struct simple_udp_connection *udp, const uip_ipaddr_t *from,
                     uint16_t from_port, const uip_ipaddr_t *to, uint16_t to_port,
                     const uint8_t *data, uint16_t len)
{
    (void)to;
    (void)to_port;
    /* Echoes from port 7 are not answered: two echo servers would answer each other endlessly. */
    if (from_port == ECHO_PORT)
        return;
    simple_udp_sendto_port(udp, data, len, from, from_port);
    node.answered++;
}

static void print_route(void)
{
    const uip_ds6_addr_t *address = uip_ds6_get_global(ADDR_PREFERRED);
    char text[UIPLIB_IPV6_MAX_STR_LEN];

    if (!node.ready || address == NULL) {
        printf("lost the route to the root after %lu echoes\n", node.answered);
        return;
    }
    uiplib_ipaddr_snprint(text, sizeof text, &address->ipaddr);
    printf("joined the mesh as %s\n", text);
}

PROCESS_THREAD(echo_node_process, event, data)
{
    PROCESS_BEGIN();
#if CONTIKI_TARGET_NATIVE
    native_start();
#endif
    if (!simple_udp_register(&node.udp, ECHO_PORT, NULL, 0, received)) {
        printf("cannot start: no UDP connection is free\n");
        PROCESS_EXIT();
    }
    for (;;) {
        if (NETSTACK_ROUTING.node_is_reachable() != node.ready) {
            node.ready = !node.ready;
            print_route();
        }
        etimer_set(&node.timer, port_ticks(0, LOOK_AGAIN_MS));
        PROCESS_WAIT_EVENT_UNTIL(etimer_expired(&node.timer));
    }
    PROCESS_END();
}
