/**
 * Tables in memory of the embedded store: endpoints by number, names of slots, cleared slots, and
 * the followers of the feed.
 *
 * <p>Threads: each class says who may use it.
 */
@NullMarked
package dev.vigil.gateway.store.sqlite.memory;

import org.jspecify.annotations.NullMarked;
