/**
 * The embedded store: one SQLite file under the data folder.
 *
 * <p>One thread, {@code store}, owns the writing connection. It drains the queue of submitted
 * batches, lands them in one transaction with one fsync, then calls the followers in order, then
 * completes the futures; so followers and whatever hangs on a future of {@code submit} run on it
 * and must not block. What it decides on is {@link dev.vigil.gateway.store.Standings}, the file
 * folded up, which it moves on only after a commit. Reading happens on the caller's thread with a
 * connection from {@link dev.vigil.gateway.store.Readers}; WAL lets readers and the writer go on
 * side by side. What is shared: the queue, the standings, the list of followers (guarded by the
 * lock in {@link dev.vigil.gateway.store.Feed}) and the pool of readers.
 */
@NullMarked
package dev.vigil.gateway.store;

import org.jspecify.annotations.NullMarked;
