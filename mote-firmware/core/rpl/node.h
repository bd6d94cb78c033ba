/* The states of a node and what changes them, for what is received (receive.c) and what is sent
 * when (send.c). */
#ifndef MOTE_CORE_RPL_NODE_H
#define MOTE_CORE_RPL_NODE_H

#include "mote/rpl.h"

enum {
    MODE_MASK = 0x38,
    MODE_NO_DOWNWARD = 0x00,
    MODE_NON_STORING = 0x08,
    PROBE_MS = 60000 /* from one look at an unused neighbour to the next */
};

static inline bool rpl_has_routes_down(const struct rpl_node *node)
{
    return (node->dodag.mode & MODE_MASK) != MODE_NO_DOWNWARD;
}

/* Leaves everything and looks for a DODAG. */
void rpl_search(struct rpl_node *node, uint32_t now);

/* Becomes a member of this DODAG, yet without a parent. */
void rpl_join(struct rpl_node *node, const struct rpl_dio *dio, uint32_t now);

/* Tells the neighbours that there is no way through us any more, and then searches. */
void rpl_poison(struct rpl_node *node, uint32_t now);

/* Takes the best parent; without one the DODAG is left. */
void rpl_choose_parent(struct rpl_node *node, uint32_t now);

/* A route that the root does not confirm is no route: the DAO goes again until it is. */
void rpl_schedule_dao(struct rpl_node *node, uint32_t now);

#endif
