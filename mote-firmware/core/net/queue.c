#include "queue.h"

#include <stdbool.h>
#include <stdint.h>

void net_queue_init(struct net *net, struct net_packet *queue, size_t count, uint8_t *octets,
                    size_t each)
{
    net->queue = queue;
    net->queue_size = count;
    for (size_t i = 0; i < count; i++)
        queue[i] = (struct net_packet){.octets = octets + i * each, .size = each};
}

int net_queue_take(struct net *net)
{
    for (size_t i = 0; i < net->queue_size; i++) {
        if (!net->queue[i].used) {
            net->queue[i].used = true;
            net->queue[i].ready = false;
            return (int)i;
        }
    }
    net->counts.queue_full++;
    return -1;
}

void net_queue_send(struct net *net, int at, size_t len, const struct link_address *to)
{
    struct net_packet *packet = &net->queue[at];
    packet->ready = true;
    packet->len = len;
    packet->to = *to;
    packet->order = net->order++;
}

void net_queue_free(struct net *net, int at)
{
    if (at >= 0) {
        net->queue[at].used = false;
        net->queue[at].ready = false;
    }
}

int net_queue_oldest(const struct net *net)
{
    int oldest = -1;
    for (size_t i = 0; i < net->queue_size; i++) {
        const struct net_packet *packet = &net->queue[i];
        if (packet->used && packet->ready &&
            (oldest < 0 || (int32_t)(packet->order - net->queue[oldest].order) < 0))
            oldest = (int)i;
    }
    return oldest;
}
