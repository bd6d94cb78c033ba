/**
 * Captures of every frame and packet as pcapng, to a file and to live readers.
 *
 * <p>Threads: the pipeline thread writes each block to the file and queues it for live readers,
 * each of which has its own thread. {@code Pcapng} is a pure codec.
 */
@NullMarked
package dev.vigil.border.capture;

import org.jspecify.annotations.NullMarked;
