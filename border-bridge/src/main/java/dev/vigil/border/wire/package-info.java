/**
 * The module's only cursor over octets, and the only exception for malformed octets, with its
 * reasons.
 *
 * <p>Threads: none. Readers and writers belong to the call that made them.
 */
@NullMarked
package dev.vigil.border.wire;

import org.jspecify.annotations.NullMarked;
