/**
 * IPv6 packets and extension headers (RFC 8200), UDP (RFC 768), ICMPv6 (RFC 4443), RPL option (RFC
 * 6553) and source route (RFC 6554). Values and pure functions.
 *
 * <p>Threads: none.
 */
@NullMarked
package dev.vigil.border.ipv6;

import org.jspecify.annotations.NullMarked;
