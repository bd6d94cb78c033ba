/**
 * The resource directory of RFC 9176; {@link dev.vigil.directory.Directory} is its entry.
 *
 * <p>Threads: resources answer on the threads of the protocol adapters, any number at a time, and
 * never block; a change goes through {@link dev.vigil.store.Store#submit} and is answered when its
 * future completes. The thread {@code directory-start} folds the feed into the catalogue up to the
 * present and then ends. Afterwards the store's feed thread and callers of {@link
 * dev.vigil.directory.Directory#expire()} write the catalogue; its own lock guards it. Observers
 * are notified on these two threads and only enqueue work.
 */
@NullMarked
package dev.vigil.directory;

import org.jspecify.annotations.NullMarked;
