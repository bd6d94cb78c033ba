/**
 * State of the embedded store in memory: endpoints by number, names of slots, cleared slots, the
 * followers of the feed, and the pace of groups.
 *
 * <p>Threads: each class says who may use it.
 */
@NullMarked
package dev.vigil.gateway.store.sqlite.memory;

import org.jspecify.annotations.NullMarked;
