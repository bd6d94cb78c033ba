/**
 * Signed commands to sleepy endpoints (docs/protocol.md section 8): accepted from commanders, held
 * until the endpoint fetches them, and ended by its signed acknowledgement (in {@code update}), by
 * expiry or by cancellation. Uses {@code trust} (to read commanders' keys), {@code control} (for
 * the values that a resource takes), {@code state} and the packages below it.
 *
 * <p>Threads: queueing and fetching run on the thread of the request. The gateway's timer calls
 * {@code expireCommands} every second.
 */
@NullMarked
package dev.vigil.mirror.command;

import org.jspecify.annotations.NullMarked;
