/**
 * Web links in link format (RFC 6690), their JSON form, and the URI references in them (RFC 3986).
 *
 * <p>Threads: none; pure functions on immutable values.
 */
@NullMarked
package dev.vigil.coap.link;

import org.jspecify.annotations.NullMarked;
