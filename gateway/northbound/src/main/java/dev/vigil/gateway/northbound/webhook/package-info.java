/**
 * Webhooks: CloudEvents over HTTP, signed, one at a time for each server. Events that a server
 * refuses for good become dead letters, which operators replay or discard.
 *
 * <p>Threads: a destination's own thread sends; a replay is sent by the thread of its request.
 */
@NullMarked
package dev.vigil.gateway.northbound.webhook;

import org.jspecify.annotations.NullMarked;
