/* State transitions, for received messages (receive.c) and timers (send.c). */
#ifndef MOTE_CORE_RPL_NODE_H
#define MOTE_CORE_RPL_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "mote/rpl.h"

enum {
    MODE_MASK = 0x38,
    MODE_NO_DOWNWARD = 0x00,
    MODE_NON_STORING = 0x08,
    PROBE_MS = 60000 /* between probes of neighbours */
};

static inline bool rpl_has_routes_down(const struct rpl_node *node)
{
    return (node->dodag.mode & MODE_MASK) != MODE_NO_DOWNWARD;
}

/* Enters SEARCHING; forgets DODAG and neighbours. */
void rpl_search(struct rpl_node *node, uint32_t now);

/* Enters JOINED, without a parent yet. */
void rpl_join(struct rpl_node *node, const struct rpl_dio *dio, uint32_t now);

/* Enters POISONING. */
void rpl_poison(struct rpl_node *node, uint32_t now);

/* Chooses the best parent; enters POISONING without one. */
void rpl_choose_parent(struct rpl_node *node, uint32_t now);

/* Schedules a new DAO, which is repeated until the root acknowledges it. */
void rpl_schedule_dao(struct rpl_node *node, uint32_t now);

#endif
