/**
 * 6LoWPAN: header compression (RFC 6282), fragments, mesh and broadcast headers (RFC 4944), and the
 * compression of AH and ESP (Raza 2011).
 *
 * <p>Threads: none. All types are values or pure functions, except {@link
 * dev.vigil.border.sixlowpan.LowpanCodec} and the {@code Reassembler} in it, which belong to the
 * pipeline thread.
 */
@NullMarked
package dev.vigil.border.sixlowpan;

import org.jspecify.annotations.NullMarked;
