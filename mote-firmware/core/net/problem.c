#include "problem.h"

#include <stdbool.h>

#include "mote/base.h"
#include "mote/link_address.h"
#include "mote/rpl.h"
#include "output.h"
#include "queue.h"

enum { UNRECOGNIZED_NEXT_HEADER = 1 };

/* Takes one of the errors that may be sent now. */
static bool may_report(struct net *net, uint32_t now)
{
    uint32_t earned = (now - net->errors_at) / NET_ERROR_MS;
    net->errors_at = earned < net->errors ? net->errors_at + earned * NET_ERROR_MS : now;
    net->errors = (uint8_t)(earned < net->errors ? net->errors - earned : 0);
    if (net->errors >= NET_ERRORS)
        return false;
    net->errors++;
    return true;
}

void net_unrecognized(struct net *net, int at, size_t len, const struct lowpan_packet *received,
                      size_t pointer, uint32_t now)
{
    struct ipv6_header header;
    const uint8_t *packet = net->queue[at].octets;
    if (ipv6_parse(&header, packet, len) != MOTE_OK || ipv6_is_multicast(&header.dst) ||
        link_is_broadcast(&received->dst) || ipv6_is_multicast(&header.src) ||
        ipv6_is_unspecified(&header.src) || !may_report(net, now))
        return;
    int report = net_queue_take(net);
    if (report < 0)
        return;
    struct net_packet *entry = &net->queue[report];
    size_t room = entry->size < IPV6_MTU ? entry->size : IPV6_MTU;
    int written =
        icmpv6_error(&header.dst, &header.src, ICMPV6_PARAMETER_PROBLEM, UNRECOGNIZED_NEXT_HEADER,
                     (uint32_t)pointer, packet, len, entry->octets, room - RPL_HOP_BY_HOP_SIZE);
    if (written < 0)
        net_queue_free(net, report);
    else
        (void)net_originate(net, report, (size_t)written, &header.src); /* lost if it cannot be */
}
