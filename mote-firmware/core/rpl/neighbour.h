/* The neighbour table and the objective functions, for the node alone. */
#ifndef MOTE_CORE_RPL_NEIGHBOUR_H
#define MOTE_CORE_RPL_NEIGHBOUR_H

#include "mote/rpl.h"

/* The entry's index, or -1. */
int rpl_neighbour_find(const struct rpl_node *node, const struct link_address *link);
/* The entry, new if need be (its rank still infinite) in place of the worst, but not of the parent;
 * -1 when no way up is worse than one through a stranger of this rank. */
int rpl_neighbour_add(struct rpl_node *node, const struct link_address *link, uint16_t rank,
                      uint32_t now);

/* Our rank with this neighbour as parent; infinite if it cannot be one. */
uint16_t rpl_rank_through(const struct rpl_node *node, const struct rpl_neighbour *neighbour);

/* Our rank with the sender of a DIO, of whom nothing else is known, as first parent. */
uint16_t rpl_rank_offered(const struct rpl_dio *dio);

/* The best parent, the present one unless another is clearly better; -1 if there is none. */
int rpl_best_parent(const struct rpl_node *node);

#endif
