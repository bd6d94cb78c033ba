/**
 * Tables in memory of the embedded store: endpoints by number, names of slots, and cleared slots.
 *
 * <p>Threads: each class says who may use it.
 */
@NullMarked
package dev.vigil.gateway.store.sqlite.memory;

import org.jspecify.annotations.NullMarked;
