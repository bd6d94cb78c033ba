/**
 * The fields of IPHC (RFC 6282 section 3): addresses with their contexts, traffic class and flow
 * label, hop limit.
 *
 * <p>Threads: none. All types are values or pure functions.
 */
@NullMarked
package dev.vigil.border.sixlowpan.iphc;

import org.jspecify.annotations.NullMarked;
