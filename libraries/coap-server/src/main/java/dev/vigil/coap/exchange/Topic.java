package dev.vigil.coap.exchange;

/**
 * The state that an observable response depends on, for instance one resource or the result of a
 * search.
 *
 * @param name unique in the process
 */
public record Topic(String name) {}
