package dev.vigil.gateway.northbound.events;

/**
 * An event in the structured form of CloudEvents 1.0.
 *
 * @param id the same for every repetition of the event
 * @param type for instance {@code dev.vigil.value}
 * @param json the whole event
 */
public record CloudEvent(String id, String type, String json) {}
