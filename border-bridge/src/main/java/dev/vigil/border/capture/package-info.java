/**
 * Captures of every frame and packet as pcapng, to a file or to a live listener.
 *
 * <p>Threads: the pipeline thread writes; a file gets each block in one write, a live listener
 * through a bounded queue which its own thread empties. {@code Pcapng} is a pure codec.
 */
@NullMarked
package dev.vigil.border.capture;

import org.jspecify.annotations.NullMarked;
