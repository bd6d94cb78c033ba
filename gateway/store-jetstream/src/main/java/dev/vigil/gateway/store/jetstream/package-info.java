/**
 * The store of several gateways: a stream of a NATS JetStream cluster as the log, and a replica of
 * it in SQLite on each gateway, from which everything is read.
 *
 * <p>Threads: {@code cluster} ({@link dev.vigil.gateway.store.jetstream.SubmitterThread}) decides
 * submitted batches, sends them and handles answers; it owns the lanes. {@code replica} ({@link
 * dev.vigil.gateway.store.jetstream.LogFollower}) reads the stream in order and hands each message
 * to the replica's thread {@code store}, which applies it, calls the followers of the feed, then
 * completes the futures. Refusals complete on {@code cluster}. The client library's threads only
 * put answers into the queue of {@code cluster}. {@code cluster-contact} ({@link
 * dev.vigil.gateway.store.jetstream.contact.StreamContact}) asks the stream's leader how far it is.
 */
@NullMarked
package dev.vigil.gateway.store.jetstream;

import org.jspecify.annotations.NullMarked;
