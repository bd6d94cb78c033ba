/**
 * Counters that must not repeat or go back when the bridge restarts, durable in one file.
 *
 * <p>Threads: the pipeline thread loads and saves; {@code CounterFile} is closed after that thread
 * has ended.
 */
@NullMarked
package dev.vigil.border.storage;

import org.jspecify.annotations.NullMarked;
