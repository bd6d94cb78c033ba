/**
 * The commands {@code decode} and {@code encode} (frames to packets and back) and {@code ether}
 * (the virtual air without a gateway).
 *
 * <p>Threads: the main thread; {@code ether} starts another, named "ether".
 */
@NullMarked
package dev.vigil.border.cli;

import org.jspecify.annotations.NullMarked;
