/**
 * The form of the values that commands give to a resource (docs/protocol.md section 8): read from
 * the attributes of its link, otherwise guessed from its type and its last value. Uses no other
 * package of the mirror.
 *
 * <p>Threads: none; pure functions.
 */
@NullMarked
package dev.vigil.mirror.control;

import org.jspecify.annotations.NullMarked;
