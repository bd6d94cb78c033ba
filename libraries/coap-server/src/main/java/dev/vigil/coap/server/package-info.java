/**
 * The CoAP server on Eclipse Californium: {@link dev.vigil.coap.server.CoapServer} serves the
 * routes of a {@link dev.vigil.coap.exchange.RequestDispatcher} over CoAP and CoAPS. {@link
 * dev.vigil.coap.server.CoapClient} and {@link dev.vigil.coap.server.CoapLinkFetcher} send requests
 * from its sockets.
 *
 * <p>Threads: each connector has one receiver thread, which offers a datagram to the fast path.
 * While the workers are behind, it queues datagrams by source, and another thread serves the queue
 * ({@link dev.vigil.coap.server.FairQueueConnector}). Californium runs its exchanges on the
 * server's {@link dev.vigil.coap.dispatch.WorkerPool}, one task of an exchange at a time. Requests
 * to which their {@link dev.vigil.coap.exchange.Route} gives equal keys are serialised on the same
 * pool, so that they never race. No thread waits for a response; the thread that completes a
 * response sends it or queues it in its exchange. One timer thread acknowledges requests whose
 * response is late, and sweeps expired entries. The JDK's timer thread for futures ends requests of
 * this process that are not answered in time. Where multicast is enabled, one more thread for each
 * address reads the sockets of the groups.
 */
@NullMarked
package dev.vigil.coap.server;

import org.jspecify.annotations.NullMarked;
