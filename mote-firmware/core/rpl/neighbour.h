/* The neighbour table and the objective functions. */
#ifndef MOTE_CORE_RPL_NEIGHBOUR_H
#define MOTE_CORE_RPL_NEIGHBOUR_H

#include <stdint.h>

#include "mote/link_address.h"
#include "mote/rpl.h"

/* The entry's index, or -1. */
int rpl_neighbour_find(const struct rpl_node *node, const struct link_address *link);
/*
 * Returns the entry's index. A new neighbour (with infinite rank) replaces the worst entry except
 * the parent. Returns -1 if every entry offers a better rank than a new neighbour of rank `rank`.
 */
int rpl_neighbour_add(struct rpl_node *node, const struct link_address *link, uint16_t rank,
                      uint32_t now);

/* This node's rank with that neighbour as parent; infinite if it cannot be a parent. */
uint16_t rpl_rank_through(const struct rpl_node *node, const struct rpl_neighbour *neighbour);

/* This node's rank with the sender of a DIO as first parent, whose ETX is unknown. */
uint16_t rpl_rank_offered(const struct rpl_dio *dio);

/* The best parent: the present parent unless another is better by the hysteresis; -1 if none. */
int rpl_best_parent(const struct rpl_node *node);

#endif
