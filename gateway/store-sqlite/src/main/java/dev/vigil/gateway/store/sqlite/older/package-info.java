/**
 * Superseded facts that stay in the histories of their slots, in the store's file.
 *
 * <p>When the store deletes superseded rows of slots that keep older facts, it writes the rows into
 * compressed groups in the same transaction. No part of a group is in memory.
 *
 * <p>Threads: the thread {@code store} runs every operation that writes, one at a time. Reading
 * happens on the caller's thread.
 */
@NullMarked
package dev.vigil.gateway.store.sqlite.older;

import org.jspecify.annotations.NullMarked;
