/**
 * The module's one cursor over received octets, and the one exception for bad ones.
 *
 * <p>Threads: none. Readers and writers belong to the call that made them.
 */
@NullMarked
package dev.vigil.border.wire;

import org.jspecify.annotations.NullMarked;
