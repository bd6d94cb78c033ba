/**
 * The root of an RPL-lite DODAG in non-storing mode (RFC 6550, RFC 6551, RFC 6554, RFC 6206).
 *
 * <p>Pure: messages and the time go in, messages to send and routes come out. Threads: none; the
 * bridge's pipeline thread owns the root.
 */
@NullMarked
package dev.vigil.border.rpl;

import org.jspecify.annotations.NullMarked;
