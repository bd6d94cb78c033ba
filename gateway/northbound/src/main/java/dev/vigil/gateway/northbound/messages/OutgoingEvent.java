package dev.vigil.gateway.northbound.messages;

import java.time.Instant;

/**
 * An event that a feature sends.
 *
 * @param id the same for every repetition of the event
 * @param type for instance {@code dev.vigil.automation}
 * @param source a URI reference of its cause
 * @param data a JSON object
 */
public record OutgoingEvent(String id, String type, String source, Instant at, String data) {}
