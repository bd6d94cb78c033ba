/**
 * The mirror proxy: answers for sleepy endpoints with the values that they signed.
 *
 * <p>This package is the entry: {@code MirrorProxy} wires the features of one mirror and offers
 * their resources, {@code MirrorQueries} and {@code MirrorOperations}. Each feature is a package.
 * Each package uses only packages before it in this order: {@code refusal} and {@code control};
 * {@code model} and {@code confidential}; {@code limits}; {@code state}; {@code registration} and
 * {@code trust}; {@code update} (uses {@code registration}), {@code command} and {@code read} (use
 * {@code trust}); this package. {@code ArchitectureTest} checks it.
 *
 * <p>Threads: the mirror has none of its own.
 *
 * <ul>
 *   <li>Requests run on the adapters' threads: CoAP workers, on which the requests of one endpoint
 *       follow each other, and HTTP's virtual threads. They parse, check and verify. They block on
 *       the store only to look up a name that is not in {@code MirrorState} and to read history.
 *   <li>The store's thread runs the rest of a request after its batch is committed, and repeats a
 *       decision when another writer changed the endpoint in between.
 *   <li>Only the thread of the store's feed writes {@code MirrorState} and {@code
 *       HistoryRetention}. Endpoints are immutable and are replaced as a whole in concurrent maps,
 *       so readers need no lock.
 *   <li>The gateway's timer calls {@code expireCommands} and {@code forgetExpiredNames}.
 * </ul>
 *
 * <p>{@code UnprovenRegistrations} is guarded by its monitor, each rate limiter by its map of
 * buckets; refusal counters are concurrent.
 */
@NullMarked
package dev.vigil.mirror;

import org.jspecify.annotations.NullMarked;
