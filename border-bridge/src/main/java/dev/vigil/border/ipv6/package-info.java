/**
 * IPv6 packets, their extension headers, UDP and ICMPv6 (RFC 8200, 4443, 768; RPL's parts of RFC
 * 6553 and 6554). Values and pure functions.
 *
 * <p>Threads: none.
 */
@NullMarked
package dev.vigil.border.ipv6;

import org.jspecify.annotations.NullMarked;
