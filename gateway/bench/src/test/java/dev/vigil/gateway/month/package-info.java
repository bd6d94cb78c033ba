/**
 * The simulated month (docs/testing.md): motes as C stacks in virtual time against the modules of
 * the gateway, with seeded faults and invariants.
 *
 * <p>One thread moves the time. It hands each packet to the gateway and waits until its answer is
 * there and the store is idle, so that the gateway's own threads never change the order of events.
 */
@NullMarked
package dev.vigil.gateway.month;

import org.jspecify.annotations.NullMarked;
