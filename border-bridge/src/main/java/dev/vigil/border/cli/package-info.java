/**
 * The verbs {@code decode} and {@code encode}: frames to packets and back, for people and scripts.
 *
 * <p>Threads: the one that runs the verb.
 */
@NullMarked
package dev.vigil.border.cli;

import org.jspecify.annotations.NullMarked;
