/**
 * The lock of a data folder, which one process at a time holds.
 *
 * <p>Threads: the thread that opens a store takes the lock; any thread may release it.
 */
@NullMarked
package dev.vigil.gateway.store.sqlite.folder;

import org.jspecify.annotations.NullMarked;
