/**
 * The thin adapter that serves a {@link dev.vigil.directory.exchange.Site} over CoAP and CoAPS with
 * Eclipse Californium. Californium's types go no further than this package.
 *
 * <p>Threads: each connector has its own receiver, which waits while the workers are behind ({@link
 * dev.vigil.directory.coap.Intake}); whoever has a datagram to send sends it. Californium runs
 * every exchange on the front's {@link dev.vigil.directory.coap.Workers}, one task of an exchange
 * at a time; a request below {@code /ms/{id}} is then queued to the lane of that id, which also
 * runs on the pool, one task at a time, so updates of one endpoint never race. No thread waits: an
 * answer is sent when its future completes, from whichever thread completes it, by way of the
 * exchange's own queue. A change is reported on the store's feed thread, which only queues the
 * questions that are observed; the pool answers each once and tells its observers, a few at a time,
 * by way of their exchanges' queues. A single timer thread acknowledges requests whose answer takes
 * long. Where multicast is heard, one more thread for each address reads the groups' sockets and
 * hands on what it read.
 */
@NullMarked
package dev.vigil.directory.coap;

import org.jspecify.annotations.NullMarked;
