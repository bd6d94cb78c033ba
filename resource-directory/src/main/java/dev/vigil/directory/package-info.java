/**
 * The resource directory of RFC 9176; {@link dev.vigil.directory.Directory} is its entry.
 *
 * <p>Threads: resources answer on the threads of the protocol adapters, any number at a time, and
 * never block; a change goes through {@link dev.vigil.store.Store#submit} and is answered when its
 * future completes. The catalogue is written by the thread {@code directory-start}, which folds the
 * feed up to the present and ends, then by the store's feed thread and by callers of {@link
 * dev.vigil.directory.Directory#expire()}; its own lock guards it. Observers are notified on the
 * last two and only enqueue work.
 */
@NullMarked
package dev.vigil.directory;

import org.jspecify.annotations.NullMarked;
