#include "neighbour.h"

#include <stdbool.h>

enum {
    ETX_ASSUMED = 2 * RPL_ETX_ONE,
    /* The ETX of an unacknowledged transmission. Two in a row make even a perfect link unusable;
     * one does not. */
    ETX_LOST = 10,
    /* Weights of the previous average in 16ths: the first samples count more. */
    WEIGHT_FIRST = 8,
    WEIGHT_LATER = 13,
    STALE_MS = 10 * 60 * 1000
};

int rpl_neighbour_find(const struct rpl_node *node, const struct link_address *link)
{
    for (int i = 0; i < RPL_NEIGHBOURS; i++)
        if (node->neighbours[i].used && link_equal(&node->neighbours[i].link, link))
            return i;
    return -1;
}

/* A free entry, else the one with the worst rank through it, except the parent. */
static int find_replaceable(const struct rpl_node *node)
{
    int worst = -1;
    for (int i = 0; i < RPL_NEIGHBOURS; i++) {
        if (!node->neighbours[i].used)
            return i;
        if (i != node->parent &&
            (worst < 0 || rpl_rank_through(node, &node->neighbours[i]) >=
                              rpl_rank_through(node, &node->neighbours[worst])))
            worst = i;
    }
    return worst;
}

int rpl_neighbour_add(struct rpl_node *node, const struct link_address *link, uint16_t rank,
                      uint32_t now)
{
    int at = rpl_neighbour_find(node, link);
    if (at >= 0)
        return at;
    struct rpl_neighbour candidate = {
        .used = true, .link = *link, .rank = rank, .etx = ETX_ASSUMED, .tried = now};
    at = find_replaceable(node);
    uint16_t lost = rpl_rank_through(node, &node->neighbours[at]);
    if (lost != RPL_RANK_INFINITE && rpl_rank_through(node, &candidate) >= lost)
        return -1;
    candidate.rank = RPL_RANK_INFINITE;
    node->neighbours[at] = candidate;
    return at;
}

void rpl_transmitted(struct rpl_node *node, const struct link_address *to, unsigned sent,
                     bool acknowledged, uint32_t now)
{
    int at = rpl_neighbour_find(node, to);
    if (at < 0)
        return;
    struct rpl_neighbour *neighbour = &node->neighbours[at];
    bool recent = neighbour->measured && now - neighbour->tried < STALE_MS;
    unsigned weight = recent ? WEIGHT_LATER : WEIGHT_FIRST;
    unsigned count = acknowledged ? sent : ETX_LOST;
    count = count < ETX_LOST ? count : ETX_LOST;
    unsigned etx = (neighbour->etx * weight + count * RPL_ETX_ONE * (16 - weight)) / 16;
    neighbour->etx = (uint16_t)(etx < RPL_ETX_ONE ? RPL_ETX_ONE : etx);
    neighbour->measured = true;
    neighbour->tried = now;
}

/* OF0, RFC 6552 section 4.1, with the step of rank of Contiki-NG and RIOT: 3 ETX - 2, 1 to 9. */
static uint32_t of0_rank_increase(const struct rpl_config *config, uint16_t etx)
{
    uint32_t step = 3U * etx / RPL_ETX_ONE;
    step = step > 2 ? step - 2 : 1;
    step = step > 9 ? 9 : step;
    return step * config->min_hop_rank_increase;
}

/* `lowest` is the node's lowest rank so far, the base of MaxRankIncrease. */
static uint16_t rank_through(const struct rpl_config *config, uint16_t lowest,
                             const struct rpl_neighbour *neighbour)
{
    if (!neighbour->used || neighbour->rank == RPL_RANK_INFINITE ||
        neighbour->rank < config->min_hop_rank_increase || neighbour->etx > RPL_LINK_MAX)
        return RPL_RANK_INFINITE;
    uint32_t increase =
        config->objective == 0 ? of0_rank_increase(config, neighbour->etx) : neighbour->etx;
    if (increase < config->min_hop_rank_increase)
        increase = config->min_hop_rank_increase;
    uint32_t rank = neighbour->rank + increase;
    uint32_t limit = RPL_PATH_MAX;
    if (config->max_rank_increase > 0 && lowest != RPL_RANK_INFINITE) {
        uint32_t deepest = (uint32_t)lowest + config->max_rank_increase;
        limit = deepest < limit ? deepest : limit;
    }
    return rank > limit ? RPL_RANK_INFINITE : (uint16_t)rank;
}

uint16_t rpl_rank_through(const struct rpl_node *node, const struct rpl_neighbour *neighbour)
{
    return rank_through(&node->dodag.config, node->lowest_rank, neighbour);
}

uint16_t rpl_rank_offered(const struct rpl_dio *dio)
{
    const struct rpl_neighbour candidate = {.used = true, .rank = dio->rank, .etx = ETX_ASSUMED};
    return rank_through(&dio->config, RPL_RANK_INFINITE, &candidate);
}

/* A neighbour of the same or a higher rank may be in this node's sub-DODAG: a loop
 * (section 8.2.2.4). */
static bool may_replace(const struct rpl_node *node, int at)
{
    return at == node->parent || node->dodag.rank == RPL_RANK_INFINITE ||
           node->neighbours[at].rank < node->dodag.rank;
}

int rpl_best_parent(const struct rpl_node *node)
{
    int best = -1;
    uint32_t best_rank = RPL_RANK_INFINITE;
    for (int i = 0; i < RPL_NEIGHBOURS; i++) {
        uint32_t rank = rpl_rank_through(node, &node->neighbours[i]);
        if (rank < best_rank && may_replace(node, i)) {
            best = i;
            best_rank = rank;
        }
    }
    if (node->parent >= 0 && best >= 0) {
        uint32_t present = rpl_rank_through(node, &node->neighbours[node->parent]);
        if (present < best_rank + RPL_HYSTERESIS)
            return node->parent;
    }
    return best;
}
