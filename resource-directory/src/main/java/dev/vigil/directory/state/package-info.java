/**
 * State: one port and an ordered feed.
 *
 * <p>Every request that changes something becomes one {@link dev.vigil.directory.state.Batch} for
 * one endpoint, which lands whole or not at all; the store, not a caller's memory, decides the
 * sequence rule. Everything that reads is a projection of {@link
 * dev.vigil.directory.state.Store#changes(long, java.util.function.Consumer)}, so one gateway and
 * ten work the same way. The store knows nothing of what the facts mean: each slot's body is
 * written and read by the module that owns the slot.
 */
@NullMarked
package dev.vigil.directory.state;

import org.jspecify.annotations.NullMarked;
