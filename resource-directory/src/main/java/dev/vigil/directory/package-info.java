/**
 * The resource directory of RFC 9176: what may be registered, by whom, and what lookups answer.
 *
 * <p>Threads: resources answer on whichever thread the adapters call them, any number at a time,
 * and never wait; what changes something goes through {@link
 * dev.vigil.directory.state.Store#submit} and is answered when its future completes. The projection
 * is written by the thread {@code directory-start}, which folds the past and ends, then by the
 * store's feed thread and by whoever calls {@link dev.vigil.directory.Directory#pass()}; its own
 * lock guards it. Observers are woken on those two threads and only queue.
 */
@NullMarked
package dev.vigil.directory;

import org.jspecify.annotations.NullMarked;
