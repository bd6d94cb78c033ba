/**
 * CloudEvents 1.0 in their structured JSON form, made from changes of the feed. Webhooks and Kafka
 * send the same events.
 *
 * <p>Threads: all types are immutable or stateless, and thread-safe.
 */
@NullMarked
package dev.vigil.gateway.northbound.events;

import org.jspecify.annotations.NullMarked;
