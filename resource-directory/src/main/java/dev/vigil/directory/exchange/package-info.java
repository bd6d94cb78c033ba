/**
 * What a request and its answer are, whatever carries them.
 *
 * <p>Each resource is one {@link dev.vigil.directory.exchange.Resource} that answers a {@link
 * dev.vigil.directory.exchange.Request}; two thin adapters serve it over CoAP and over HTTP.
 * Nothing in here knows a socket, a thread or a clock.
 */
@NullMarked
package dev.vigil.directory.exchange;

import org.jspecify.annotations.NullMarked;
