/**
 * What is registered now, folded from the store's feed, and the indexes that lookups go through.
 *
 * <p>Threads: one writer at a time (the store's feed thread, or whoever lets lifetimes pass), any
 * number of readers; a read-write lock guards the indexes, entries are replaced as a whole.
 */
@NullMarked
package dev.vigil.directory.catalogue;

import org.jspecify.annotations.NullMarked;
