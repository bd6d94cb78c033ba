#include "peer.h"

const struct net_peer *net_peer_find(const struct net *net, const struct ipv6_address *address)
{
    for (size_t i = 0; i < net->peer_count; i++)
        if (ipv6_equal(&net->peers[i].address, address))
            return &net->peers[i];
    return NULL;
}
