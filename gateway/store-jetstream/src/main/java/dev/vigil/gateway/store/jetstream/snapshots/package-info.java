/**
 * Snapshots of replicas in the object store of the cluster, and the removal of messages that they
 * cover.
 *
 * <p>Threads: {@code snapshots} ({@link dev.vigil.gateway.store.jetstream.snapshots.Snapshots})
 * looks at the stream and the snapshots on every gateway. While its gateway has the duties, it also
 * makes snapshots and removes messages. A gateway that starts reads a snapshot on {@code main}.
 */
@NullMarked
package dev.vigil.gateway.store.jetstream.snapshots;

import org.jspecify.annotations.NullMarked;
