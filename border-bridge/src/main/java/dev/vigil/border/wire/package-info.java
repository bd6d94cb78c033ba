/**
 * The module's one cursor over octets, the one exception for malformed octets and its reasons.
 *
 * <p>Threads: none. Readers and writers belong to the call that made them.
 */
@NullMarked
package dev.vigil.border.wire;

import org.jspecify.annotations.NullMarked;
