/**
 * The verbs {@code decode} and {@code encode} (frames to packets and back, for people and scripts)
 * and {@code ether} (the virtual air alone).
 *
 * <p>Threads: the one that runs the verb; {@code ether} brings its own, named "ether".
 */
@NullMarked
package dev.vigil.border.cli;

import org.jspecify.annotations.NullMarked;
