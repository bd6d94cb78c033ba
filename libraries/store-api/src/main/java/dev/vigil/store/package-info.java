/**
 * The store port: all state is written as batches and read as an ordered feed.
 *
 * <p>Each request that changes something submits one {@link dev.vigil.store.Batch} for one
 * endpoint, which is committed whole or not at all; the store itself enforces the sequence rule.
 * All readers are projections of {@link dev.vigil.store.Store#changes(long,
 * java.util.function.Consumer)}, so that one gateway and ten gateways work alike. The store does
 * not interpret facts: the module that owns a slot writes and reads its bodies.
 *
 * <p>Threads: every method may be called by any number of threads. An adapter has one feed thread,
 * which calls followers in the order of the feed and completes the futures of submitted batches.
 */
@NullMarked
package dev.vigil.store;

import org.jspecify.annotations.NullMarked;
