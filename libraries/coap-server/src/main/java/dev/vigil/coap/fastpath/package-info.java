/**
 * The fast path serves requests of one datagram with one response datagram. They need none of
 * Californium's exchanges, observations and blocks, which would cost as much as the response.
 * {@link dev.vigil.coap.fastpath.FastPathServer} sees each datagram first. It serves requests on
 * routes that allow the fast path and leaves all others to Californium.
 *
 * <p>Threads: the receiver thread of the connector decodes the datagram and rejects duplicates, so
 * that serialised requests keep the order of their arrival. It also answers a GET if no request
 * waits; a worker answers other requests. A worker sends a response that becomes ready later. The
 * timer thread passes a late request to Californium. The thread that decides the outcome first
 * sends the response ({@link dev.vigil.coap.fastpath.FastPathExchange}).
 */
@NullMarked
package dev.vigil.coap.fastpath;

import org.jspecify.annotations.NullMarked;
