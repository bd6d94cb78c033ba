/**
 * Publishes mirrored endpoints in remote directories (RFC 9176), identically to the local
 * directory.
 *
 * <p>Threads: each remote directory has one virtual thread, {@code publish}, that sends one request
 * at a time and waits for the response and for the store. The store's feed thread only queues the
 * changed endpoints and applies the confirmed registrations. The state is a projection of the feed.
 * Therefore it survives a restart and is the same on every gateway.
 */
@ApplicationModule(allowedDependencies = {"callers", "cluster", "northbound"})
@NullMarked
package dev.vigil.gateway.publish;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
