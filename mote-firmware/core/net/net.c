#include "mote/net.h"

int net_start(struct net *net, const struct random *random, uint32_t now)
{
    uint8_t start[3] = {0};
    if (net->security.level == 4 && !net->security.allow_level_4)
        return MOTE_E_UNSUPPORTED;
    net->link = link_extended(net->eui);
    net->sending = -1;
    net->delivered = -1;
    lowpan_elide(&net->lowpan, 0, 0); /* neighbours also compress the AH and ESP of other nodes */
    /*
     * Random first values: if the count restarted, receivers would take new frames for duplicates.
     */
    (void)random->fill(random->context, start, sizeof start);
    net->seq = start[0];
    net->tag = (uint16_t)(start[1] << 8 | start[2]);
    for (size_t i = 0; i < net->queue_size; i++)
        net->queue[i].used = false;
    rpl_start(&net->rpl, &net->link, random, now);
    return MOTE_OK;
}

struct ipv6_address net_address(const struct net *net)
{
    bool joined = net->routed && !ipv6_is_unspecified(&net->rpl.address);
    return joined ? net->rpl.address : ipv6_link_local(&net->link);
}

bool net_ready(const struct net *net)
{
    return !net->routed || net->rpl.state == RPL_REACHABLE;
}
