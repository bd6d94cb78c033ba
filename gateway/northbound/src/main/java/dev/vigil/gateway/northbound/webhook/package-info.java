/**
 * Webhooks: CloudEvents over HTTP, signed, one at a time for each server. Events that a server
 * refuses permanently become dead letters, which operators replay or discard.
 *
 * <p>Threads: the destination's own thread sends events; the thread of a request sends a replay.
 */
@NullMarked
package dev.vigil.gateway.northbound.webhook;

import org.jspecify.annotations.NullMarked;
