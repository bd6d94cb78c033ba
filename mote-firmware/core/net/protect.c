#include "protect.h"

#include <stdint.h>

#include "mote/base.h"
#include "mote/ipsec.h"
#include "peer.h"
#include "queue.h"

typedef int (*layer_work)(struct ipsec_sa *sa, const struct ipsec_crypto *crypto,
                          const uint8_t *packet, size_t len, uint8_t *out, size_t size);

/* Seals or opens one layer into another queue entry. */
static int process(struct net *net, struct ipsec_sa *sa, int *at, size_t len, layer_work work)
{
    int to = net_queue_take(net);
    if (to < 0)
        return MOTE_E_SPACE;
    struct net_packet *entry = &net->queue[to];
    int result = work(sa, net->crypto, net->queue[*at].octets, len, entry->octets, entry->size);
    net_queue_free(net, *at);
    *at = to;
    return result;
}

static int save_number(const struct net *net, struct ipsec_sa *sa)
{
    return net->save_number == NULL ? MOTE_OK : net->save_number(net->save_number_context, sa);
}

static int seal(struct net *net, struct ipsec_sa *sa, int *at, size_t len)
{
    int error = save_number(net, sa);
    return error ? error : process(net, sa, at, len, ipsec_seal);
}

int net_protect(struct net *net, int *at, size_t len, const struct ipv6_address *dst)
{
    const struct net_peer *peer = net_peer_find(net, dst);
    int result = (int)len;
    if (peer != NULL && peer->out != NULL)
        result = seal(net, peer->out, at, len);
    if (result >= 0 && peer != NULL && peer->ah_out != NULL)
        result = seal(net, peer->ah_out, at, (size_t)result);
    return result;
}

/* Opens the outermost layer if it belongs to the association. */
static int open_layer(struct net *net, struct ipsec_sa *sa, int *at, size_t len)
{
    uint8_t protocol;
    uint32_t spi;
    int error = ipsec_peek(net->queue[*at].octets, len, &protocol, &spi);
    if (error)
        return error;
    if (protocol != ipsec_protocol_number(sa) || spi != sa->spi)
        return MOTE_E_STATE;
    int result = process(net, sa, at, len, ipsec_open);
    error = result < 0 ? result : save_number(net, sa);
    return error ? error : result;
}

/* Opens the AH around the ESP, if that was agreed, and the layer inside. */
static int open_layers(struct net *net, const struct net_peer *peer, int *at, size_t len)
{
    int result = (int)len;
    if (peer->ah_in != NULL)
        result = open_layer(net, peer->ah_in, at, len);
    return result < 0 ? result : open_layer(net, peer->in, at, (size_t)result);
}

int net_unprotect(struct net *net, int *at, size_t len, bool *was_protected)
{
    const uint8_t *packet = net->queue[*at].octets;
    struct ipv6_header header;
    uint8_t protocol;
    uint32_t spi;
    *was_protected = false;
    if (net->peer_count == 0)
        return (int)len;
    int result = ipv6_parse(&header, packet, len);
    if (!result)
        result = ipsec_peek(packet, len, &protocol, &spi);
    if (result == MOTE_E_STATE) /* neither AH nor ESP */
        return (int)len;
    const struct net_peer *peer = result < 0 ? NULL : net_peer_find(net, &header.src);
    if (result >= 0)
        result = peer == NULL || peer->in == NULL ? MOTE_E_STATE : open_layers(net, peer, at, len);
    *was_protected = result >= 0;
    net->counts.bad_ipsec += result < 0;
    return result;
}
