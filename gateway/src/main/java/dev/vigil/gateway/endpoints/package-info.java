/**
 * Sleepy endpoints as operators and applications see them: the mirror's views over REST, and as a
 * stream of events.
 *
 * <p>Threads: requests run on virtual threads. Each event stream has one virtual thread of its own
 * that writes; the store's feed thread only leaves a note for it, of the newest change of each
 * endpoint, so that a slow reader holds at most one note for each endpoint and nobody up.
 */
@NullMarked
package dev.vigil.gateway.endpoints;

import org.jspecify.annotations.NullMarked;
