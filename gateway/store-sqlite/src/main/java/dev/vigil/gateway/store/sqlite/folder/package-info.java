/**
 * The parts of a data folder that are not the database: its lock, which one process at a time
 * holds, and the unpacked native libraries.
 *
 * <p>Threads: the thread that opens a store takes the lock; any thread may release it.
 */
@NullMarked
package dev.vigil.gateway.store.sqlite.folder;

import org.jspecify.annotations.NullMarked;
