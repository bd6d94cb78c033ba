/**
 * The fast path: requests whose datagram and response datagram need none of Californium's
 * exchanges, observations and blocks, which would cost as much as the response itself. {@link
 * dev.vigil.coap.fastpath.FastPathServer} tries each datagram first; it serves those of a route
 * that allows it, and leaves all others to Californium.
 *
 * <p>Threads: the receiver thread of the connector decodes the datagram and rejects duplicates, so
 * that serialised requests keep the order of their arrival. A GET is answered there; another
 * request by a worker. A response that becomes ready later is sent by a worker. A late one is
 * passed to Californium by the timer thread; whichever thread decides the outcome first sends
 * ({@link dev.vigil.coap.fastpath.FastPathExchange}).
 */
@NullMarked
package dev.vigil.coap.fastpath;

import org.jspecify.annotations.NullMarked;
