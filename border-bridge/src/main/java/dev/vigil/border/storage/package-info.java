/**
 * Durable counters in one file. They must not repeat or go back when the bridge restarts.
 *
 * <p>Threads: the pipeline thread loads and saves; {@code CounterFile} is closed after that thread
 * has ended.
 */
@NullMarked
package dev.vigil.border.storage;

import org.jspecify.annotations.NullMarked;
