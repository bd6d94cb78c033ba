/* Entry to each state of mote/rpl.h. */
#include "node.h"

#include <string.h>

#include "clock.h"
#include "mote/ipv6.h"
#include "mote/link_address.h"
#include "mote/port/random.h"
#include "neighbour.h"

enum {
    SEQUENCE_START = 240,
    DIS_FIRST_MS = 1000,
    DIS_MIN_MS = 2000,
    DAO_DELAY_MS = 2000,
    POISON_COUNT = 3,
    INTERVAL_FLOOR = 8 /* 2^8 ms */
};

void rpl_search(struct rpl_node *node, uint32_t now)
{
    node->state = RPL_SEARCHING;
    node->parent = -1;
    node->dodag.rank = RPL_RANK_INFINITE;
    node->lowest_rank = RPL_RANK_INFINITE;
    node->dao_pending = false;
    node->answer_to = -1;
    memset(node->address.octets, 0, sizeof node->address.octets);
    memset(node->neighbours, 0, sizeof node->neighbours);
    node->dis_interval = DIS_MIN_MS;
    node->dis_at = now + rpl_random_below(node->random, DIS_FIRST_MS);
}

void rpl_start(struct rpl_node *node, const struct link_address *link, const struct random *random,
               uint32_t now)
{
    bool leaf = node->leaf;
    *node = (struct rpl_node){.link = *link, .random = random, .leaf = leaf};
    node->dao_sequence = SEQUENCE_START;
    node->dodag.dtsn = SEQUENCE_START;
    rpl_search(node, now);
}

void rpl_schedule_dao(struct rpl_node *node, uint32_t now)
{
    if (!rpl_has_routes_down(node)) {
        node->state = RPL_REACHABLE; /* no downward routes, so no DAO */
        return;
    }
    if (node->dao_pending && node->dao_tries == 0)
        return; /* frequent triggers must not postpone an unsent DAO */
    node->dao_sequence = rpl_sequence_next(node->dao_sequence);
    node->dao_pending = true;
    node->dao_tries = 0;
    node->dao_at = now + DAO_DELAY_MS / 2 + rpl_random_below(node->random, DAO_DELAY_MS);
}

void rpl_join(struct rpl_node *node, const struct rpl_dio *dio, uint32_t now)
{
    uint8_t dtsn = node->dodag.dtsn;
    rpl_search(node, now);
    node->dodag = *dio;
    node->dodag.dtsn = dtsn;
    node->dodag.rank = RPL_RANK_INFINITE;
    node->state = RPL_JOINED;
    node->address = ipv6_under_prefix(dio->prefix.prefix.octets, &node->link);
    node->probe_at = now + PROBE_MS + rpl_random_below(node->random, PROBE_MS);
    /* At most one DIO in a quarter of a second, whatever the root configures. */
    uint8_t interval =
        dio->config.min_interval > INTERVAL_FLOOR ? dio->config.min_interval : INTERVAL_FLOOR;
    trickle_start(&node->trickle, 1U << interval, dio->config.doublings, dio->config.redundancy,
                  node->random, now);
}

void rpl_poison(struct rpl_node *node, uint32_t now)
{
    node->state = RPL_POISONING;
    node->dodag.rank = RPL_RANK_INFINITE;
    node->parent = -1;
    node->dao_pending = false;
    node->answer_to = -1;
    node->poison_left = node->leaf ? 0 : POISON_COUNT;
    node->poison_at = now;
}

void rpl_choose_parent(struct rpl_node *node, uint32_t now)
{
    int best = rpl_best_parent(node);
    if (best < 0) {
        rpl_poison(node, now);
        return;
    }
    uint16_t before = node->dodag.rank;
    bool changed = best != node->parent;
    node->parent = best;
    node->dodag.rank = rpl_rank_through(node, &node->neighbours[best]);
    if (node->dodag.rank < node->lowest_rank)
        node->lowest_rank = node->dodag.rank;
    uint16_t hop = node->dodag.config.min_hop_rank_increase;
    int moved = (int)before - (int)node->dodag.rank;
    if (changed || moved > hop || -moved > hop)
        trickle_reset(&node->trickle, node->random, now);
    if (changed)
        rpl_schedule_dao(node, now);
}
