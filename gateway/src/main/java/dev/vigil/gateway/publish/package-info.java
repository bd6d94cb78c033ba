/**
 * Publishes mirrored endpoints in other directories (RFC 9176), as ours shows them.
 *
 * <p>Threads: each other directory has one virtual thread, {@code publish}, that asks it one thing
 * at a time and waits for the answer and for the store. The store's feed thread only leaves it a
 * note of what changed, and tells it what it has written itself: the state is a projection of the
 * feed, so it survives a restart and is the same on every gateway.
 */
@NullMarked
package dev.vigil.gateway.publish;

import org.jspecify.annotations.NullMarked;
