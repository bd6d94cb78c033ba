/**
 * Observe (RFC 7641). An {@link dev.vigil.coap.observe.Observation} represents one client; an
 * {@link dev.vigil.coap.observe.ObservedRequest} is a request that several clients observe, and is
 * answered once for all of them when its {@link dev.vigil.coap.exchange.Topic} changes. {@link
 * dev.vigil.coap.observe.ObservedRequests} finds the observed request for a new observer.
 *
 * <p>Threads: a change is reported on the thread of {@link dev.vigil.coap.exchange.Topics}, which
 * only queues the observed requests of the topic. A worker answers each of them and queues its
 * notifications, several observers per task; each notification is sent in the executor of its
 * Californium exchange, where the state of the observation is kept.
 */
@NullMarked
package dev.vigil.coap.observe;

import org.jspecify.annotations.NullMarked;
