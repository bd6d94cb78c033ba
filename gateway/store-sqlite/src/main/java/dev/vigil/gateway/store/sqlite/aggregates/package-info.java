/**
 * The tables of aggregates in the store's file.
 *
 * <p>Threads: the thread {@code store} runs every operation that writes, one at a time. Reading
 * happens on the caller's thread.
 */
@NullMarked
package dev.vigil.gateway.store.sqlite.aggregates;

import org.jspecify.annotations.NullMarked;
