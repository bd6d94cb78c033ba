/**
 * Requests and responses, independent of the protocol that carries them (CoAP, RFC 7252, or HTTP).
 *
 * <p>A {@link dev.vigil.coap.exchange.Resource} answers a {@link dev.vigil.coap.exchange.Request}
 * with a {@link dev.vigil.coap.exchange.Response}; {@link dev.vigil.coap.exchange.Route} gives it
 * paths, and {@link dev.vigil.coap.exchange.RequestDispatcher} finds the route of a request. {@link
 * dev.vigil.coap.exchange.Topics} reports changed state to its observers. {@link
 * dev.vigil.coap.exchange.Access} decides what a {@link dev.vigil.coap.exchange.Caller} may do.
 *
 * <p>Threads: no class here has a thread, a socket or a clock. All records are immutable; the
 * dispatcher does not change after construction; {@code Topics} is thread-safe.
 */
@NullMarked
package dev.vigil.coap.exchange;

import org.jspecify.annotations.NullMarked;
