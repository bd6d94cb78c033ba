/**
 * The mirror's present state and its changes: {@code MirrorState} and {@code HistoryRetention} are
 * projections of the store's feed, and {@code UnprovenRegistrations} exists only in memory. {@code
 * BatchFactory} builds the batches of facts, and {@code MirrorCommit} submits them. {@code
 * RequestTarget} is the endpoint that a request addresses. {@code AcceptedCounters} and {@code
 * VerificationMeter} count for metrics. Uses {@code model}, {@code refusal}, {@code limits} and
 * {@code confidential}.
 *
 * <p>Threads: only the thread of the feed applies changes to the projections; any thread reads
 * them, without locks except for the history's deques. The unproven registrations are guarded by
 * their monitor. A batch is decided on the thread of its request, or on the store's thread if
 * another writer was faster.
 */
@NullMarked
package dev.vigil.mirror.state;

import org.jspecify.annotations.NullMarked;
