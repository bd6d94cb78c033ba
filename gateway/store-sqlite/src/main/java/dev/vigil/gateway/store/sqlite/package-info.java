/**
 * The embedded store: one SQLite file in the data folder.
 *
 * <p>Threads: one thread, {@code store}, owns the writing connection ({@link
 * dev.vigil.gateway.store.sqlite.GroupCommitter}). It drains the queue of submitted batches, writes
 * them in one transaction with one fsync, then calls the followers in order, then completes the
 * futures. Followers and callbacks of the futures therefore run on it and must not block. It
 * decides by {@link dev.vigil.gateway.store.sqlite.EndpointStateIndex}, a copy of the endpoints'
 * state in memory that is updated only after a commit. Reading happens on the caller's thread with
 * a connection from {@link dev.vigil.gateway.store.sqlite.StoreReaderPool}; in WAL mode readers and
 * the writer do not wait for each other. At the start, the thread {@code store-check} checks the
 * file's structure while the caller reads its rows. The threads share the queue, the index, the
 * list of followers (guarded by the lock in {@link
 * dev.vigil.gateway.store.sqlite.memory.ChangeFeed}) and the pool.
 */
@NullMarked
package dev.vigil.gateway.store.sqlite;

import org.jspecify.annotations.NullMarked;
