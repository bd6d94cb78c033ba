/**
 * Single messages that other features send to destinations from the settings, outside of the feed:
 * not ordered with deliveries, and not repeated from a cursor.
 *
 * <p>Threads: any thread may send, and waits for the answer.
 */
@NullMarked
package dev.vigil.gateway.northbound.messages;

import org.jspecify.annotations.NullMarked;
